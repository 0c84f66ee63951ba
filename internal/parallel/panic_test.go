package parallel

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/blevesearch/mmap-go"
)

// TestPanicsOfWorkers: a panic of a call comes out of the function that was called, where it can be recovered; so does
// the fault of reading what a mapped file has no longer.
func TestPanicsOfWorkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapped")
	if err := os.WriteFile(path, make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	mapped, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer mapped.Unmap()    //nolint:errcheck // the test is over
	cut := file.Truncate(0) // refused where a mapped file cannot be cut

	fail := func() { panic(io.ErrUnexpectedEOF) }
	for name, call := range map[string]func(){
		"ForErr": func() { _ = ForErr(t.Context(), 9, 3, func(int) error { fail(); return nil }) },
		"For":    func() { _ = For(context.Background(), 9, 3, func(int) { fail() }) },
		"Ranges": func() { Ranges(9, 3, func(int, int) { fail() }) },
		"Do":     func() { _ = Do(func() error { return nil }, func() error { fail(); return nil }) },
		"a fault": func() {
			if cut != nil {
				fail()
			}
			Ranges(1, 1, func(int, int) { _ = string(mapped[:1]) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				p, ok := recover().(*Panic)
				var fault interface{ Addr() uintptr }
				if !ok || !errors.Is(p, io.ErrUnexpectedEOF) && !errors.As(p, &fault) {
					t.Errorf("panic with %v, want the cause", p)
				}
			}()
			call()
			t.Error("no panic")
		})
	}
}
