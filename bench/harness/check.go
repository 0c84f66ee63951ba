package harness

import "fmt"

// stop is the value that Check panics with.
type stop struct{ error }

// Check ends a measurement or a case at an error, as t.Fatal ends a test. [Try] returns the error. Functions return an
// error in the usual way if it is a result, or if it comes from another goroutine.
func Check(err error) {
	if err != nil {
		panic(stop{err})
	}
}

// Require ends a measurement or a case with an error unless a condition holds.
func Require(holds bool, format string, args ...any) {
	if !holds {
		Check(fmt.Errorf(format, args...))
	}
}

// Get returns the value of a call. It ends the measurement like [Check] if the call failed.
func Get[T any](value T, err error) T {
	Check(err)
	return value
}

// Explain adds a description to the error that ends check.
func Explain(check func(), format string, args ...any) {
	if err := Try(check); err != nil {
		Check(fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err))
	}
}

// Try returns the error at which [Check] ended a function, or nil.
func Try(do func()) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case stop:
			err = cause.error
		default:
			panic(cause)
		}
	}()
	do()
	return nil
}
