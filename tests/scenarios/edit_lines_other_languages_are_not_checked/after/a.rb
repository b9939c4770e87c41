def f
  if (
end
