x = 1
y = compute(x)
z = 2
