package safetensors

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// residentKB returns the resident memory of a mapped file in this process, in kB.
func residentKB(t *testing.T, path string) (sum int) {
	t.Helper()
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer maps.Close()
	of := false
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		line := lines.Text()
		if first, _, _ := strings.Cut(line, " "); !strings.HasSuffix(first, ":") { // start of a mapping
			of = strings.HasSuffix(line, path)
		}
		var kB int
		if n, _ := fmt.Sscanf(line, "Rss: %d kB", &kB); n == 1 && of {
			sum += kB
		}
	}
	return sum
}

// TestRelease: released pages are not resident, and have the same numbers when they are read again.
func TestRelease(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.safetensors")
	data := make([]float32, 1<<20) // 4 MB
	for i := range data {
		data[i] = float32(i)
	}
	must.Succeed(t, Write(path, []Named{{Name: "w", Shape: []int64{int64(len(data))}, Data: data}}))
	f := must.Get(Open(path))
	defer f.Close()
	const most = 1 << 10 // kB
	numbers, err := View[float32](f, "w")
	if err != nil || !slices.Equal(numbers, data) {
		t.Fatalf("the file has other numbers: %v", err)
	}
	if got := residentKB(t, path); got < most {
		t.Errorf("%d kB are resident after reading, want 4,096", got)
	}
	f.Release()
	if got := residentKB(t, path); got > most {
		t.Errorf("%d kB are resident after Release, want none", got)
	}
	must.Equal(t, numbers, data, "the file has other numbers after Release")
}
