// Package must holds assertions for tests. Get and Succeed end a test at the failure of a preparatory step. The others
// check the subject of the test, describe it before the fault, and let the test continue.
package must

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Get returns the value of a call, and panics if the call failed.
func Get[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// SkipShort skips a test with -short: in a run that looks for faults of another build, where the test takes long and
// another one runs the same code. Under the race detector that is code on one goroutine, or goroutines that another
// test starts; with libtorch, code that does not use it.
func SkipShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("with -short")
	}
}

// Succeed ends the test if a call failed.
func Succeed(t testing.TB, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(append(what, err)...)
	}
}

// Fail checks that a call failed with an error that contains part.
func Fail(t testing.TB, err error, part string, what ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%serror %v, want %q in it", fmt.Sprintln(what...), err, part)
	}
}

// FailWith checks that a call failed with an error that wraps another, see [errors.Is].
func FailWith(t testing.TB, err, want error, what ...any) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%serror %v, want %v", fmt.Sprintln(what...), err, want)
	}
}

// Contain checks that a text has a part.
func Contain(t testing.TB, got, part string, what ...any) {
	t.Helper()
	if !strings.Contains(got, part) {
		t.Errorf("%s%.2000q, want %q in it", fmt.Sprintln(what...), got, part)
	}
}

// Equal checks that a value is the wanted one.
func Equal[T any](t testing.TB, got, want T, what ...any) {
	t.Helper()
	EqualBy(t, nil, got, want, what...)
}

// EqualBy is like [Equal] with an option of the comparison.
func EqualBy[T any](t testing.TB, option cmp.Option, got, want T, what ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, option); diff != "" {
		t.Errorf("%s(-want +got):\n%s", fmt.Sprintln(what...), diff)
	}
}
