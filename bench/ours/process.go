package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// residentMB is the resident set now, in units of 2^20 bytes, after what is no
// longer used was given back.
func residentMB() (float64, error) {
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for status := range strings.Lines(string(data)) {
		if size, ok := strings.CutPrefix(status, "VmRSS:"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(size)[0], 64)
			return kb / 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status: no VmRSS")
}
