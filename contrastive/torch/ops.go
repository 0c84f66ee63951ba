//go:build torch

package torch

import (
	"math"
	"runtime"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// The operations of gotch that the encoder is made of. Each takes and gives
// tensors of the scope and keeps the scope's first error.

func (s *scope) linear(x, weight, bias *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return ts.Linear(x, weight, bias) })
}

func (s *scope) layerNorm(x, weight, bias *ts.Tensor, width int64, eps float64) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) {
		return ts.LayerNorm(x, []int64{width}, weight, bias, eps, s.device.IsCuda())
	})
}

// embedding gives the rows of table at the indices.
func (s *scope) embedding(table, indices *ts.Tensor) *ts.Tensor {
	const noPadding = -1 // every row gets its gradient
	return s.do(func() (*ts.Tensor, error) { return ts.Embedding(table, indices, noPadding, false, false) })
}

// attention is softmax(q k' / sqrt(size) + mask) v for the heads of all rows; k and v
// are of shape [heads, width, size].
//
// It is not libtorch's scaled_dot_product_attention, which with a mask scales both
// factors, copies them and adds the mask, each a pass over memory of its own; here
// the product does it.
func (s *scope) attention(q, k, v *ts.Tensor, m mask, width, size int64) *ts.Tensor {
	k = s.transpose(k, 1, 2)
	scale := ts.FloatScalar(1 / math.Sqrt(float64(size)))
	defer runtime.KeepAlive(scale) // see withNumber
	scores := s.withNumber(m.beta, func(beta *ts.Scalar) (*ts.Tensor, error) {
		return m.values.Baddbmm(q, k, beta, scale, false)
	})
	return s.matmul(s.softmax(scores, width), v)
}

// softmax is over the last dimension, of so many numbers.
//
// libtorch computes those numbers of a row one by one that do not fill a register
// of 512 bits: a row of 24 takes as long as one of 64. oneDNN does not, but knows no
// gradient, and copies in and out. Measured, 64 sentences of 24 tokens in bfloat16:
// 3.6 ms, and 1.1 ms by oneDNN.
func (s *scope) softmax(x *ts.Tensor, width int64) *ts.Tensor {
	if s.err != nil {
		return nil
	}
	learning, err := x.RequiresGrad()
	s.fail(err)
	if whole := 64 / int64(x.DType().Size()); learning || s.device.IsCuda() || width%whole == 0 {
		return s.do(func() (*ts.Tensor, error) { return x.Softmax(-1, x.DType(), false) })
	}
	blocked := s.do(func() (*ts.Tensor, error) { return x.ToMkldnn(x.DType(), false) })
	blocked = s.do(func() (*ts.Tensor, error) { return blocked.Softmax(-1, x.DType(), false) })
	return s.do(func() (*ts.Tensor, error) { return blocked.ToDense(x.DType(), false, false) })
}

func (s *scope) gelu(x *ts.Tensor, approximate string) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Gelu(approximate, false) })
}

func (s *scope) relu(x *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Relu(false) })
}

func (s *scope) add(a, b *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return a.Add(b, false) })
}

func (s *scope) sub(a, b *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return a.Sub(b, false) })
}

func (s *scope) mul(a, b *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return a.Mul(b, false) })
}

func (s *scope) div(a, b *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return a.Div(b, false) })
}

func (s *scope) addNumber(a *ts.Tensor, number float64) *ts.Tensor {
	return s.withNumber(number, func(n *ts.Scalar) (*ts.Tensor, error) { return a.AddScalar(n, false) })
}

func (s *scope) mulNumber(a *ts.Tensor, number float64) *ts.Tensor {
	return s.withNumber(number, func(n *ts.Scalar) (*ts.Tensor, error) { return a.MulScalar(n, false) })
}

// withNumber runs an operation that takes a number, and keeps the number until it
// is done. gotch hands libtorch the memory of a Scalar and not the Scalar: without
// this the collector may finalize it, and so free that memory, while libtorch
// reads it. A training of some hundred steps then ended in a segmentation fault.
func (s *scope) withNumber(number float64, operation func(*ts.Scalar) (*ts.Tensor, error)) *ts.Tensor {
	scalar := ts.FloatScalar(number)
	defer runtime.KeepAlive(scalar)
	return s.do(func() (*ts.Tensor, error) { return operation(scalar) })
}

func (s *scope) matmul(a, b *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return a.Matmul(b, false) })
}

func (s *scope) transpose(x *ts.Tensor, i, j int64) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Transpose(i, j, false) })
}

func (s *scope) permute(x *ts.Tensor, order ...int64) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Permute(order, false) })
}

func (s *scope) reshape(x *ts.Tensor, shape ...int64) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Reshape(shape, false) })
}

func (s *scope) expand(x *ts.Tensor, shape ...int64) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Expand(shape, false, false) })
}

// rows gives the rows of x, a matrix, at the indices.
func (s *scope) rows(x, indices *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.IndexSelect(0, indices, false) })
}

// at takes the index-th slice of the dimension away.
func (s *scope) at(x *ts.Tensor, dimension, index int64) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Select(dimension, index, false) })
}

func (s *scope) narrow(x *ts.Tensor, dimension, start, length int64) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Narrow(dimension, start, length, false) })
}

func (s *scope) cat(parts []*ts.Tensor, dimension int64) *ts.Tensor {
	if len(parts) == 1 {
		return parts[0]
	}
	return s.do(func() (*ts.Tensor, error) { return ts.Cat(parts, dimension) })
}

// split cuts a vector into pieces of these lengths.
func (s *scope) split(x *ts.Tensor, lengths []int64) []*ts.Tensor {
	if s.err != nil {
		return make([]*ts.Tensor, len(lengths))
	}
	pieces, err := x.SplitWithSizes(lengths, 0)
	if err != nil {
		s.fail(err)
		return make([]*ts.Tensor, len(lengths))
	}
	for _, t := range pieces {
		s.own(t)
	}
	return pieces
}

func (s *scope) contiguous(x *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Contiguous(false) })
}

// cast gives x in another type; x itself where it has that type.
func (s *scope) cast(x *ts.Tensor, dtype gotch.DType) *ts.Tensor {
	if s.err != nil || x.DType() == dtype {
		return x
	}
	return s.do(func() (*ts.Tensor, error) { return x.Totype(dtype, false) })
}

// leaf is x as a new tensor of the same memory for which gradients are kept.
func (s *scope) leaf(x *ts.Tensor) *ts.Tensor {
	t := s.do(func() (*ts.Tensor, error) { return x.Detach(false) })
	return s.do(func() (*ts.Tensor, error) { return t.SetRequiresGrad(true, false) })
}

// lowest and highest are the extremes of each row of x, [rows, columns].
func (s *scope) lowest(x *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Amin([]int64{1}, true, false) })
}

func (s *scope) highest(x *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Amax([]int64{1}, true, false) })
}

// less is 1 where a < b and 0 elsewhere, as float32.
func (s *scope) less(a, b *ts.Tensor) *ts.Tensor {
	return s.cast(s.do(func() (*ts.Tensor, error) { return a.LtTensor(b, false) }), gotch.Float)
}

// logSumExp is log sum exp of each row, without overflow.
func (s *scope) logSumExp(x *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Logsumexp([]int64{1}, false, false) })
}

func (s *scope) mean(x *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Mean(gotch.Float, false) })
}

func (s *scope) sum(x *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return x.Sum(gotch.Float, false) })
}

// backward adds the gradients of x, a number, to those of its leaves.
func (s *scope) backward(x *ts.Tensor) {
	if s.err == nil {
		s.fail(x.Backward())
	}
}

func (s *scope) gradientOf(leaf *ts.Tensor) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return leaf.Grad(false) })
}

// unit scales the rows of x, of shape [rows, width], to length 1.
func (s *scope) unit(x *ts.Tensor) *ts.Tensor {
	norms := s.withNumber(2, func(two *ts.Scalar) (*ts.Tensor, error) {
		return x.NormScalaroptDim(two, []int64{1}, true, false)
	})
	const tiny = 1e-12 // as torch.nn.functional.normalize has it: a zero row stays zero
	lengths := s.withNumber(tiny, func(least *ts.Scalar) (*ts.Tensor, error) { return norms.ClampMin(least, false) })
	return s.div(x, lengths)
}
