//go:build torch

package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// sinceStart is the number of seconds since the system started this process, so
// that loading its libraries counts. Linux counts in ticks of 1/100 s.
func sinceStart() (float64, error) {
	const ticks = 100 // a second: USER_HZ, fixed for programs
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, err
	}
	uptime, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0, err
	}
	// Field 22 is the start; the second, the name, may hold spaces.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	began, err := strconv.ParseFloat(string(fields[19]), 64)
	if err != nil {
		return 0, fmt.Errorf("/proc/self/stat: %w", err)
	}
	now, err := strconv.ParseFloat(string(bytes.Fields(uptime)[0]), 64)
	if err != nil {
		return 0, fmt.Errorf("/proc/uptime: %w", err)
	}
	return now - began/ticks, nil
}
