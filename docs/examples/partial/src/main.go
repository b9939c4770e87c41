package main

import "fmt"

var Limit = 10

func Old() string {
	return "old"
}

func main() {
	fmt.Println(Old(), Limit)
}
