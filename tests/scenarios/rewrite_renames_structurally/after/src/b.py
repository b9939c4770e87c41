new_name(3, x=4)
