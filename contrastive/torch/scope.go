//go:build torch

package torch

import (
	"errors"
	"slices"
	"strings"
	"unsafe"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// scope owns the tensors made in it and drops them together. It also keeps the
// first error, after which every operation does nothing and gives nil, so that a
// chain of operations reads as a formula and is checked once:
//
//	s := newScope(device)
//	defer s.drop()
//	y := s.add(s.linear(x, w, b), x)
//	if s.err != nil { … }
//
// A scope is used by one goroutine.
type scope struct {
	device gotch.Device // where new tensors are put
	owned  []*ts.Tensor
	err    error
}

func newScope(device gotch.Device) *scope { return &scope{device: device} }

// inner is a scope within s, for tensors that are needed for a short time.
func (s *scope) inner() *scope { return &scope{device: s.device, err: s.err} }

// own gives t to the scope.
func (s *scope) own(t *ts.Tensor) *ts.Tensor {
	s.owned = append(s.owned, t)
	return t
}

// do runs an operation unless one failed before, and owns what it makes.
func (s *scope) do(operation func() (*ts.Tensor, error)) *ts.Tensor {
	if s.err != nil {
		return nil
	}
	t, err := operation()
	if err != nil {
		s.err = trim(err)
		return nil
	}
	return s.own(t)
}

// fail keeps err if it is the first.
func (s *scope) fail(err error) {
	if s.err == nil && err != nil {
		s.err = trim(err)
	}
}

// leave ends the inner scope, handing the tensor kept, and the error, to s.
func (s *scope) leave(inner *scope, kept *ts.Tensor) *ts.Tensor {
	for _, t := range inner.owned {
		if t == kept {
			s.own(t)
			continue
		}
		s.fail(t.Drop())
	}
	inner.owned = nil
	s.fail(inner.err)
	return kept
}

// free drops one tensor of the scope ahead of the others.
func (s *scope) free(t *ts.Tensor) {
	if i := slices.Index(s.owned, t); i >= 0 {
		s.owned = slices.Delete(s.owned, i, i+1)
		s.fail(t.Drop())
	}
}

// drop frees every tensor of the scope.
func (s *scope) drop() {
	for _, t := range s.owned {
		s.fail(t.Drop())
	}
	s.owned = nil
}

// fromFloats copies values to a tensor of that shape on the scope's device.
func (s *scope) fromFloats(values []float32, shape ...int64) *ts.Tensor {
	return s.fromBytes(bytesOf(values), gotch.Float, shape)
}

// fromInts copies values to a tensor of that shape on the scope's device.
func (s *scope) fromInts(values []int32, shape ...int64) *ts.Tensor {
	return s.fromBytes(bytesOf(values), gotch.Int, shape)
}

func (s *scope) fromBytes(data []byte, dtype gotch.DType, shape []int64) *ts.Tensor {
	t := s.do(func() (*ts.Tensor, error) { return ts.OfDataSize(data, shape, dtype) })
	return s.to(t)
}

// to moves t to the scope's device.
func (s *scope) to(t *ts.Tensor) *ts.Tensor {
	if s.err != nil || !s.device.IsCuda() {
		return t
	}
	return s.do(func() (*ts.Tensor, error) { return t.To(s.device, false) })
}

// view is the elements of t as float32 in the CPU's memory, valid until the
// scope drops: t's own memory, or that of a copy where its type or device is
// another.
func (s *scope) view(t *ts.Tensor) []float32 {
	t = s.contiguous(s.cast(t, gotch.Float))
	if s.err == nil && s.device.IsCuda() {
		t = s.do(func() (*ts.Tensor, error) { return t.To(gotch.CPU, false) })
	}
	return memoryOf[float32](s, t)
}

// memoryOf is the memory of a contiguous tensor on the CPU, of numbers as large as T's.
// It is valid as long as the tensor is.
func memoryOf[T float32 | uint16](s *scope, t *ts.Tensor) []T {
	if s.err != nil {
		return nil
	}
	numbers, err := memory[T](t)
	s.fail(err)
	return numbers
}

func memory[T float32 | uint16](t *ts.Tensor) ([]T, error) {
	shape, err := t.Size()
	if err != nil {
		return nil, trim(err)
	}
	n := product(shape)
	if n == 0 {
		return nil, nil
	}
	p, err := t.DataPtr()
	if err != nil {
		return nil, trim(err)
	}
	return unsafe.Slice((*T)(p), n), nil
}

// bytesOf is the memory of values.
func bytesOf[T int32 | float32](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(one)))
}

// trim cuts the C++ and Go stack traces off an error of gotch:
//
//	Linear() failed: Libtorch API Error: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)
//	Exception raised from addmm_impl_cpu_ at …
func trim(err error) error {
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
