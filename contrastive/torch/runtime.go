//go:build torch

package torch

// #include <stdint.h>
//
// // Of gotch's C interface. Its Go side has no function for the first, and
// // misreads what the second returns.
// void at_set_num_threads(int threads);
// int at_grad_set_enabled(int enabled);
import "C"

import "runtime"

// onThread runs f locked to one thread of the system, on which libtorch computes
// each operation with the given number of threads, with or without gradients.
//
// The lock is needed: libtorch keeps the gradient mode, the size of the OpenMP
// team and its last error per thread. So several goroutines can each compute
// with one thread while the process uses more elsewhere, and no variable of the
// environment (OMP_NUM_THREADS) has to be set before the process starts.
func onThread(threads int, gradients bool, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.at_set_num_threads(C.int(threads))
	before := C.at_grad_set_enabled(cBool(gradients))
	defer C.at_grad_set_enabled(before)
	return f()
}

func cBool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
