if a:
    go(1)
    stop()
else:
        go(1)
        stop()
