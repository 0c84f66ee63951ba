// Package tensor is the only package that imports gotch, the Go binding of libtorch.
//
// To compute, run your code with [OnThread], make tensors in a [Scope] and call the scope's operations. Then check
// [Scope.Err] for the first error of all of them, and drop the scope. Everything except [Param] needs the build tag
// torch.
//
//	scope.go     tensors that are freed together
//	ops.go       the operations, with gotch's errors kept in the scope
//	runtime.go   threads, kernels and memory inside libtorch
//	device.go    devices and number formats
//
// # Memory
//
// Every gotch tensor owns memory that Go's collector does not see, and each call that makes one must be paired with a
// drop. gotch's operations in place (Add_, Lerp_ and the like) leak a reference each time, so they are not used.
//
// # Errors
//
// libtorch keeps its last error and its gradient mode per thread of the system, so every goroutine that calls it is
// locked to its thread: see [OnThread].
package tensor
