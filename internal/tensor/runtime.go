//go:build torch

package tensor

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// #include <unistd.h>
//
// // glibc makes up to eight heaps a core, one for each thread that finds the
// // others busy, and each keeps the most memory that a pass needs: 5 GB in training
// // where 1 is in use. As many heaps as cores are enough. The setting counts only
// // before the first thread is started, hence the constructor.
// __attribute__((constructor)) static void limit_heaps(void) {
// 	mallopt(M_ARENA_MAX, (int)sysconf(_SC_NPROCESSORS_ONLN));
// }
// #endif
//
// // From gotch's C interface. Its Go side has no function for the first, and
// // misreads what the second returns.
// void at_set_num_threads(int threads);
// int at_grad_set_enabled(int enabled);
//
// static void keep_kernels(void) {
// 	setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "65536", 0);
// }
import "C"

import (
	"context"
	"runtime"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// OnThread runs f locked to one thread of the system, with or without recording gradients. libtorch keeps the gradient
// mode and its last error per thread, hence the lock.
//
// On that thread libtorch computes alone, so goroutines share the cores and OpenMP is not involved: there is no need to
// set an environment variable (OMP_NUM_THREADS).
func OnThread(gradients bool, f func() error) error {
	keepKernelsOnce.Do(func() { C.keep_kernels() })
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.at_set_num_threads(1)
	enabled := C.int(0)
	if gradients {
		enabled = 1
	}
	before := C.at_grad_set_enabled(enabled)
	defer C.at_grad_set_enabled(before)
	return f()
}

// Compute runs f like [OnThread], with a scope on the device that it drops afterwards. It returns the scope's error.
func Compute(device Device, gradients bool, f func(s *Scope)) error {
	return OnThread(gradients, func() error {
		s := NewScope(device)
		defer s.Drop()
		f(s)
		return s.Err()
	})
}

// OnThreads runs f(0) to f(n-1) concurrently, each like [OnThread], and returns the error of the lowest i that failed.
func OnThreads(n int, gradients bool, f func(i int) error) error {
	return parallel.ForErr(context.Background(), n, n, func(i int) error {
		return OnThread(gradients, func() error { return f(i) })
	})
}

// keepKernelsOnce lets oneDNN keep every kernel that it compiles, unless the user's environment sets the number. oneDNN
// reads the variable when it compiles the first kernel. Dropping a kernel is not safe: see shapes.go in package bert,
// which keeps their number small.
var keepKernelsOnce sync.Once

// Workers returns the number of goroutines that compute on the device: n if it is positive, otherwise the number of
// cores that Go uses. On a GPU it is always 1, because one stream keeps it busy.
func Workers(device Device, n int) int {
	if device.IsCuda() {
		return 1
	}
	return parallel.Workers(n)
}
