package main

import (
	"os"
	"runtime/debug"
)

// collectSeldom lets garbage grow to twice the heap in use, unless GOGC is set. This saves
// a twelfth of the processor time and takes 90 MB more memory, since most garbage is text
// of a short life. It sets no memory limit: one below the size of a large dictionary would
// keep the collector running. GOMEMLIMIT sets one.
func collectSeldom() {
	setGarbage(200)
}

// many is the number of names or gold mentions from which memory counts more than time.
const many = 200_000

// collectOften lets garbage grow to half of the heap in use, unless GOGC is set, if a ranking is learned from many
// names, or measured on many mentions. Learning indexes the names several times: a million names use 4 GB at once, and
// take 6 GB with garbage instead of 8. It takes a tenth more time.
func collectOften(count int) {
	if count >= many {
		setGarbage(50)
	}
}

// setGarbage lets garbage grow to a percentage of the heap in use.
func setGarbage(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
