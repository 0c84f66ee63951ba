// Package must ends a test at a step that fails although the test is not about it.
package must

import "testing"

// Get returns the value of a call that does not fail. It panics if the call did.
func Get[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Succeed ends the test if a call failed.
func Succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
