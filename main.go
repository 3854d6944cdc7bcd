// Command daybook is a scheduling and booking service in one file.
package main

func main() {}
