func main() {
	if ready {
		start()
	}
}
