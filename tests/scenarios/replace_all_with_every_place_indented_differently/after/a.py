if a:
    go(2)
    stop()
else:
        go(2)
        stop()
