package main

import (
	"encoding/json"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// line is what a job reports: fields with the peers' names.
type line map[string]any

// print writes the line to standard output, with what all lines have.
func (l line) print() error {
	l["threads"] = runtime.GOMAXPROCS(0)
	l["go"] = runtime.Version()
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(append(data, '\n'))
	return err
}

// clock measures wall and processor time since start.
type clock struct {
	began time.Time
	cpu   time.Duration
}

func start() clock { return clock{time.Now(), processorTime()} }

func (c clock) seconds() float64    { return time.Since(c.began).Seconds() }
func (c clock) cpuSeconds() float64 { return (processorTime() - c.cpu).Seconds() }

// processorTime is the time that this process has used, on all cores together.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// versions are those of modules that this program is built with.
func versions(modules ...string) map[string]string {
	found := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	for _, dependency := range info.Deps {
		for _, module := range modules {
			if dependency.Path == module {
				found[module] = dependency.Version
			}
		}
	}
	return found
}

// rounded keeps so many decimals.
func rounded(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}
