x = 1
y = compute(x + 1)
z = 2
