AAA
bbb
CCC
