func main() {
	if ready {
		log()
		start()
	}
}
