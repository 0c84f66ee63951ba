package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// MemoryMB returns a field of /proc/PID/status in MiB, as VmRSS, the resident memory, and VmHWM,
// its peak. It returns an error if there is no such process.
func MemoryMB(pid int, field string) (float64, error) {
	path := filepath.Join("/proc", strconv.Itoa(pid), "status")
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if size, ok := strings.CutPrefix(line, field+":"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(size), "kB")), 64)
			return kb / 1024, err
		}
	}
	return 0, fmt.Errorf("%s has no %s", path, field)
}
