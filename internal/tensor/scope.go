//go:build torch

package tensor

import (
	"errors"
	"slices"
	"strings"
	"unsafe"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// Tensor is libtorch's tensor. Make one through a [Scope], which frees it.
type Tensor = ts.Tensor

// Scope owns the tensors made in it and frees them together. It also keeps the first error, after which every operation
// does nothing and returns nil. So a chain of operations reads as a formula and is checked once:
//
//	s := tensor.NewScope(device)
//	defer s.Drop()
//	y := s.Add(s.Linear(x, w, b), x)
//	if s.Err() != nil { … }
//
// Only one goroutine may use a scope at a time.
type Scope struct {
	device Device // where new tensors are put
	owned  []*Tensor
	err    error
}

// NewScope returns an empty scope that puts its tensors on the device.
func NewScope(device Device) *Scope { return &Scope{device: device} }

// Inner returns a new scope on the same device for short-lived tensors. It starts with the error of s; end it with
// [Scope.Leave].
func (s *Scope) Inner() *Scope { return &Scope{device: s.device, err: s.err} }

// Device returns the device of the scope's tensors.
func (s *Scope) Device() Device { return s.device }

// Err returns the first error of the scope's operations.
func (s *Scope) Err() error { return s.err }

// Fail stores err if it is the first error of the scope.
func (s *Scope) Fail(err error) {
	if s.err == nil && err != nil {
		s.err = trimTrace(err)
	}
}

// Leave ends the inner scope: it frees the inner tensors except kept, which s owns from now on, and passes the inner
// error to s. It returns kept.
func (s *Scope) Leave(inner *Scope, kept *Tensor) *Tensor {
	for _, t := range inner.owned {
		if t == kept {
			s.own(t)
			continue
		}
		s.Fail(t.Drop())
	}
	inner.owned = nil
	s.Fail(inner.err)
	return kept
}

// Free frees one tensor of the scope ahead of the others.
func (s *Scope) Free(t *Tensor) {
	if i := slices.Index(s.owned, t); i >= 0 {
		s.owned = slices.Delete(s.owned, i, i+1)
		s.Fail(t.Drop())
	}
}

// Drop frees every tensor of the scope.
func (s *Scope) Drop() {
	for _, t := range s.owned {
		_ = t.Drop() // nothing can be done if the memory is not freed
	}
	s.owned = nil
}

func (s *Scope) own(t *Tensor) *Tensor {
	s.owned = append(s.owned, t)
	return t
}

// do runs an operation unless an earlier one failed, and owns its result.
func (s *Scope) do(operation func() (*Tensor, error)) *Tensor {
	if s.err != nil {
		return nil
	}
	t, err := operation()
	if err != nil {
		s.Fail(err)
		return nil
	}
	return s.own(t)
}

// FromFloats copies values to a float32 tensor of the shape on the scope's device.
func (s *Scope) FromFloats(values []float32, shape ...int64) *Tensor {
	return s.fromBytes(bytesOf(values), gotch.Float, shape)
}

// FromInts copies values to an int32 tensor of the shape on the scope's device.
func (s *Scope) FromInts(values []int32, shape ...int64) *Tensor {
	return s.fromBytes(bytesOf(values), gotch.Int, shape)
}

func (s *Scope) fromBytes(data []byte, dtype DType, shape []int64) *Tensor {
	t := s.do(func() (*Tensor, error) { return ts.OfDataSize(data, shape, dtype) })
	return s.ToDevice(t)
}

// ToDevice returns t on the scope's device, or t itself if that is a CPU.
func (s *Scope) ToDevice(t *Tensor) *Tensor {
	if s.err != nil || !s.device.IsCuda() {
		return t
	}
	return s.do(func() (*Tensor, error) { return t.To(s.device, false) })
}

// Floats returns the elements of t as float32 in the CPU's memory, valid until the scope is dropped. This is t's own
// memory if t is a contiguous float32 tensor on the CPU, and otherwise a copy.
func (s *Scope) Floats(t *Tensor) []float32 {
	t = s.Contiguous(s.Cast(t, Float32))
	if s.err == nil && s.device.IsCuda() {
		t = s.do(func() (*Tensor, error) { return t.To(gotch.CPU, false) })
	}
	if s.err != nil {
		return nil
	}
	values, err := memory(t)
	s.Fail(err)
	return values
}

// zeros returns a float32 vector of zeros on the CPU that does not belong to a scope.
func zeros(size int) (*Tensor, error) {
	t, err := ts.Zeros([]int64{int64(size)}, gotch.Float, gotch.CPU)
	return t, trimTrace(err)
}

// memory returns the memory of t, a contiguous float32 tensor on the CPU. It is valid as long as t is.
func memory(t *Tensor) ([]float32, error) {
	shape, err := t.Size()
	if err != nil {
		return nil, trimTrace(err)
	}
	n := Elements(shape)
	if n == 0 {
		return nil, nil
	}
	p, err := t.DataPtr()
	if err != nil {
		return nil, trimTrace(err)
	}
	return unsafe.Slice((*float32)(p), n), nil
}

// Live returns the number of tensors that were made and not freed, for tests that look for leaks.
func Live() int { return len(ts.ExistingTensors) }

// bytesOf returns the memory of values.
func bytesOf[T int32 | float32](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*len(values))
}

// trimTrace cuts the C++ and Go stack traces off an error of gotch:
//
//	Linear() failed: Libtorch API Error: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)
//	Exception raised from addmm_impl_cpu_ at …
func trimTrace(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if !strings.Contains(text, "Libtorch API Error: ") {
		return err
	}
	text, _, _ = strings.Cut(text, "\n")
	text = strings.Replace(text, "() failed: Libtorch API Error", "", 1)
	return errors.New("libtorch: " + strings.TrimPrefix(text, "Libtorch API Error: "))
}
