package harness

import "fmt"

// stop is what Check panics with.
type stop struct{ error }

// Check ends a measurement or a case at an error, as t.Fatal ends a test. [Try] returns the error. An error that is a
// result, or that of another goroutine, is returned in the usual way.
func Check(err error) {
	if err != nil {
		panic(stop{err})
	}
}

// Get returns the value of a call. It ends the measurement like [Check] if the call failed.
func Get[T any](value T, err error) T {
	Check(err)
	return value
}

// Explain adds to the error at which a check ends what was done before.
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
