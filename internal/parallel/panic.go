package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is the panic of a call in a goroutine of this package.
type Panic struct {
	Cause any
	Stack []byte // of that goroutine
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Cause, p.Stack) }

// Unwrap returns the cause if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Cause.(error)
	return err
}

// group is a set of concurrent goroutines. In these, a memory fault is also a panic, at an address that a mapped file
// lost when it was truncated.
type group struct {
	running sync.WaitGroup
	first   atomic.Pointer[Panic]
}

// start calls do in a goroutine.
func (g *group) start(do func()) {
	g.running.Go(func() {
		debug.SetPanicOnFault(true)
		defer func() {
			if cause := recover(); cause != nil {
				g.first.CompareAndSwap(nil, &Panic{cause, debug.Stack()})
			}
		}()
		do()
	})
}

// wait waits for all goroutines, and panics if one of them did.
func (g *group) wait() {
	g.running.Wait()
	if p := g.first.Load(); p != nil {
		panic(p)
	}
}
