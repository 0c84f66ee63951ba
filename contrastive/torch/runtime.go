//go:build torch

package torch

// #include <stdint.h>
//
// // Of gotch's C interface; its Go side has no function for these two.
// void at_set_num_threads(int threads);
// void at_manual_seed(int64_t seed);
import "C"

import (
	"runtime"

	"github.com/sugarme/gotch/ts"
)

// onThread runs f locked to one thread of the system, on which libtorch computes
// each operation with the given number of threads, with or without gradients.
//
// The lock is needed: libtorch keeps the gradient mode, the size of the OpenMP
// team and its last error per thread. So several goroutines can each compute
// with one thread while the process may use more elsewhere, and no variable of
// the environment (OMP_NUM_THREADS) has to be set before the process starts.
func onThread(threads int, gradients bool, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.at_set_num_threads(C.int(threads))
	before, err := ts.GradSetEnabled(gradients)
	if err != nil {
		return trim(err)
	}
	err = f()
	if _, restore := ts.GradSetEnabled(before); err == nil && restore != nil {
		err = trim(restore)
	}
	return err
}

// seedDropout sets libtorch's random numbers, which only dropout draws.
func seedDropout(seed uint64) { C.at_manual_seed(C.int64_t(seed)) }
