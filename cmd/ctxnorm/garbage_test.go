package main

import (
	"runtime/debug"
	"testing"
)

func TestGarbage(t *testing.T) {
	for _, tc := range []struct {
		name, gogc string
		set        func()
		want       int
	}{
		{"few names", "", func() { collectOften(many - 1) }, 100},
		{"many names", "", func() { collectOften(many) }, 50},
		{"many names and GOGC", "80", func() { collectOften(many) }, 100},
		{"seldom", "", collectSeldom, 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("GOGC", tc.gogc)
			before := debug.SetGCPercent(100)
			defer debug.SetGCPercent(before)
			tc.set()
			if got := debug.SetGCPercent(100); got != tc.want {
				t.Errorf("garbage may grow to %d %% of the heap, want %d", got, tc.want)
			}
		})
	}
}
