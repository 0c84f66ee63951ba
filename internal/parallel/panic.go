package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is what a call panicked with in a goroutine of this package.
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

// group is goroutines that run at once. In them a fault is a panic, too: at an address that a mapped file lost when it
// was cut.
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

// wait waits for all, and panics if one of them did.
func (g *group) wait() {
	g.running.Wait()
	if p := g.first.Load(); p != nil {
		panic(p)
	}
}
