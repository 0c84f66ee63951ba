//go:build torch

package torch

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// #include <unistd.h>
//
// // glibc makes up to eight heaps a core, one for each thread that finds the
// // others busy, and each keeps what a pass needs at its most: 5 GB in training
// // where 1 is in use. As many heaps as cores are enough. It counts only before
// // the first thread is started, hence the constructor.
// __attribute__((constructor)) static void limit_heaps(void) {
// 	mallopt(M_ARENA_MAX, (int)sysconf(_SC_NPROCESSORS_ONLN));
// }
//
// // It also gives the memory of a large tensor back to the system when it is
// // dropped, and the next one is made of new pages. Up to 32 MB, the most that it
// // takes here, they now stay, and so does up to 256 MB that is free.
// static void keep_pages(void) {
// 	mallopt(M_MMAP_THRESHOLD, 32 << 20);
// 	mallopt(M_TRIM_THRESHOLD, 256 << 20);
// }
// #else
// static void keep_pages(void) {}
// #endif
//
// // Of gotch's C interface. Its Go side has no function for the first, and
// // misreads what the second returns.
// void at_set_num_threads(int threads);
// int at_grad_set_enabled(int enabled);
//
// static void keep_kernels(void) {
// 	setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "65536", 0);
// }
import "C"

import (
	"runtime"
	"sync"

	"github.com/sugarme/gotch"
	"golang.org/x/sync/errgroup"
)

// onThread runs f locked to one thread of the system, with or without gradients.
// libtorch keeps the gradient mode and its last error per thread, hence the
// lock.
//
// There libtorch computes with that one thread, so that goroutines share the
// cores and OpenMP has no part in it: no variable of the environment
// (OMP_NUM_THREADS) has to be set.
func onThread(gradients bool, f func() error) error {
	kernels.Do(keepKernels)
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

// kernels is done once oneDNN was told to keep its kernels.
var kernels sync.Once

// keepKernels lets oneDNN keep every kernel that it compiles, unless the user's
// environment says how many. It reads the variable when it compiles the first.
// Dropping one is not safe: see shapes.go, which keeps them few.
func keepKernels() { C.keep_kernels() }

// pages is done once memory was told to stay for encoding, which drops some dozens
// of tensors a layer: making their pages anew was a twentieth of its time. Training,
// where most tensors live until the gradients are there, gains nothing.
var pages sync.Once

func keepPages() { C.keep_pages() }

// onThreads runs f(0) to f(n-1) at once, each as [onThread] does, and gives the
// first error.
func onThreads(n int, gradients bool, f func(i int) error) error {
	var group errgroup.Group
	for i := range n {
		group.Go(func() error { return onThread(gradients, func() error { return f(i) }) })
	}
	return group.Wait()
}

// workersOn is the number of goroutines that compute: as many as asked for, or
// as Go uses cores; 1 on a GPU, which one stream keeps busy.
func workersOn(device gotch.Device, asked int) int {
	switch {
	case device.IsCuda():
		return 1
	case asked > 0:
		return asked
	}
	return runtime.GOMAXPROCS(0)
}
