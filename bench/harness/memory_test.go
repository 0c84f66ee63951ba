package harness

import (
	"os"
	"testing"
)

func TestMemoryMB(t *testing.T) {
	pid := os.Getpid()
	resident, err := MemoryMB(pid, "VmRSS")
	if err != nil || resident <= 0 {
		t.Fatalf("%g MiB, %v, want more than 0", resident, err)
	}
	// The kernel counts pages in batches, so that the peak may lag a little.
	if peak, err := MemoryMB(pid, "VmHWM"); err != nil || peak < .9*resident {
		t.Errorf("a peak of %g MiB, %v, with %g MiB before", peak, err, resident)
	}
	if _, err := MemoryMB(pid, "VmNone"); err == nil {
		t.Error("no error for a field that there is not")
	}
}
