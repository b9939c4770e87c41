aaa
bbb
ccc
