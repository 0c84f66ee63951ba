//go:build !unix

package main

// mainOrDie is main on systems where a process cannot kill itself at once.
func mainOrDie() { main() }
