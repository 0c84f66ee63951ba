//go:build !unix

package main

// mainOrDie is main where a process cannot kill itself at once.
func mainOrDie() { main() }
