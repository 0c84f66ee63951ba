//go:build torch

package tensor

import (
	"math"
	"runtime"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// The operations below take and return tensors of the scope and keep the scope's first error. They have the names of
// PyTorch's operations where those exist.

// Element-wise operations, the product of matrices, and the elements in row-major order in memory.

func (s *Scope) Relu(x *Tensor) *Tensor       { return s.unary(x.Relu) }
func (s *Scope) Sigmoid(x *Tensor) *Tensor    { return s.unary(x.Sigmoid) }
func (s *Scope) Tanh(x *Tensor) *Tensor       { return s.unary(x.Tanh) }
func (s *Scope) Contiguous(x *Tensor) *Tensor { return s.unary(x.Contiguous) }
func (s *Scope) Add(a, b *Tensor) *Tensor     { return s.binary(a.Add, b) }
func (s *Scope) Sub(a, b *Tensor) *Tensor     { return s.binary(a.Sub, b) }
func (s *Scope) Mul(a, b *Tensor) *Tensor     { return s.binary(a.Mul, b) }
func (s *Scope) Matmul(a, b *Tensor) *Tensor  { return s.binary(a.Matmul, b) }

// unary and binary run a method of gotch. The last argument of such a method tells whether to free the receiver.
func (s *Scope) unary(operation func(del bool) (*Tensor, error)) *Tensor {
	return s.do(func() (*Tensor, error) { return operation(false) })
}

func (s *Scope) binary(operation func(b *Tensor, del bool) (*Tensor, error), b *Tensor) *Tensor {
	return s.do(func() (*Tensor, error) { return operation(b, false) })
}

// Linear returns x weight' + bias, for a weight of shape [out, in].
func (s *Scope) Linear(x, weight, bias *Tensor) *Tensor {
	return s.do(func() (*Tensor, error) { return ts.Linear(x, weight, bias) })
}

// LayerNorm normalizes the last dimension of x, of length width.
func (s *Scope) LayerNorm(x, weight, bias *Tensor, width int64, eps float64) *Tensor {
	return s.do(func() (*Tensor, error) {
		return ts.LayerNorm(x, []int64{width}, weight, bias, eps, s.device.IsCuda())
	})
}

// Embedding returns the rows of table at the indices.
func (s *Scope) Embedding(table, indices *Tensor) *Tensor {
	const noPadding = -1 // so every row gets its gradient
	return s.do(func() (*Tensor, error) { return ts.Embedding(table, indices, noPadding, false, false) })
}

// Attention returns softmax(q k' / sqrt(size) + beta mask) v, computed for all heads
// of all rows at once. q is [heads, queries, size]; k and v are [heads, width, size];
// mask is [heads, queries, width], or [1, 1, 1] if beta is 0.
//
// It does not use libtorch's scaled_dot_product_attention. With a mask, that function scales both factors, copies them
// and adds the mask, each in a separate pass over memory; here the product does it.
func (s *Scope) Attention(q, k, v, mask *Tensor, beta float64, size int64) *Tensor {
	k = s.Transpose(k, 1, 2)
	scale := ts.FloatScalar(1 / math.Sqrt(float64(size)))
	defer runtime.KeepAlive(scale) // see withScalar
	scores := s.withScalar(beta, func(beta *ts.Scalar) (*Tensor, error) {
		return mask.Baddbmm(q, k, beta, scale, false)
	})
	shares := s.do(func() (*Tensor, error) { return scores.Softmax(-1, scores.DType(), false) })
	return s.Matmul(shares, v)
}

// Gelu returns the Gaussian error linear unit of x; approximate is "none" or "tanh".
func (s *Scope) Gelu(x *Tensor, approximate string) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Gelu(approximate, false) })
}

// withScalar runs an operation that takes a scalar, and keeps the scalar alive until it is done. gotch passes libtorch
// the memory of a Scalar and not the Scalar: otherwise the collector may finalize it, and so free that memory, while
// libtorch reads it. A training of some hundred steps then ended in a segmentation fault.
func (s *Scope) withScalar(value float64, operation func(*ts.Scalar) (*Tensor, error)) *Tensor {
	scalar := ts.FloatScalar(value)
	defer runtime.KeepAlive(scalar)
	return s.do(func() (*Tensor, error) { return operation(scalar) })
}

// Transpose swaps dimensions i and j.
func (s *Scope) Transpose(x *Tensor, i, j int64) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Transpose(i, j, false) })
}

// Permute reorders the dimensions.
func (s *Scope) Permute(x *Tensor, order ...int64) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Permute(order, false) })
}

// Reshape returns the elements of x in another shape.
func (s *Scope) Reshape(x *Tensor, shape ...int64) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Reshape(shape, false) })
}

// Expand repeats dimensions of length 1 to the given shape, without a copy.
func (s *Scope) Expand(x *Tensor, shape ...int64) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Expand(shape, false, false) })
}

// IndexSelect returns the rows of x, a matrix, at the indices.
func (s *Scope) IndexSelect(x, indices *Tensor) *Tensor {
	return s.do(func() (*Tensor, error) { return x.IndexSelect(0, indices, false) })
}

// Select returns one slice of x and removes the dimension.
func (s *Scope) Select(x *Tensor, dimension, index int64) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Select(dimension, index, false) })
}

// Narrow returns length slices of the dimension, beginning with start.
func (s *Scope) Narrow(x *Tensor, dimension, start, length int64) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Narrow(dimension, start, length, false) })
}

// Cat joins tensors along the dimension.
func (s *Scope) Cat(tensors []*Tensor, dimension int64) *Tensor {
	return s.do(func() (*Tensor, error) { return ts.Cat(tensors, dimension) })
}

// Split splits a vector into pieces of the given lengths in one operation. Their gradients are also joined in one
// operation.
func (s *Scope) Split(x *Tensor, lengths []int64) []*Tensor {
	if s.err != nil {
		return make([]*Tensor, len(lengths))
	}
	pieces, err := x.SplitWithSizes(lengths, 0)
	if err != nil {
		s.Fail(err)
		return make([]*Tensor, len(lengths))
	}
	for _, t := range pieces {
		s.own(t)
	}
	return pieces
}

// Cast returns x in another type, or x itself if it has that type.
func (s *Scope) Cast(x *Tensor, dtype DType) *Tensor {
	if s.err != nil || x.DType() == dtype {
		return x
	}
	return s.do(func() (*Tensor, error) { return x.Totype(dtype, false) })
}

// Leaf returns a new tensor on the memory of x. [Scope.Backward] computes a gradient for it.
func (s *Scope) Leaf(x *Tensor) *Tensor {
	t := s.do(func() (*Tensor, error) { return x.Detach(false) })
	return s.do(func() (*Tensor, error) { return t.SetRequiresGrad(true, false) })
}

// Sum returns the sum of all elements, as float32.
func (s *Scope) Sum(x *Tensor) *Tensor {
	return s.do(func() (*Tensor, error) { return x.Sum(gotch.Float, false) })
}

// Backward computes the gradients of x, a scalar, and adds them to those of its leaves.
func (s *Scope) Backward(x *Tensor) {
	if s.err == nil {
		s.Fail(x.Backward())
	}
}

// Gradient returns the gradient of a leaf that [Scope.Backward] computed.
func (s *Scope) Gradient(leaf *Tensor) *Tensor {
	return s.do(func() (*Tensor, error) { return leaf.Grad(false) })
}

// NormalizeRows scales the rows of x, [rows, width], to Euclidean length 1. Zero rows stay zero.
func (s *Scope) NormalizeRows(x *Tensor) *Tensor {
	norms := s.withScalar(2, func(two *ts.Scalar) (*Tensor, error) {
		return x.NormScalaroptDim(two, []int64{1}, true, false)
	})
	const tiny = 1e-12 // the eps of torch.nn.functional.normalize
	lengths := s.withScalar(tiny, func(least *ts.Scalar) (*Tensor, error) { return norms.ClampMin(least, false) })
	return s.do(func() (*Tensor, error) { return x.Div(lengths, false) })
}
