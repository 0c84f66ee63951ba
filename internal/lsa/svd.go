package lsa

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// Matrix is a large sparse matrix, stored by columns.
type Matrix struct {
	Rows    int
	Columns [][]int32                   // the rows in which each column is not 0
	Value   func(column, i int) float64 // the value in row Columns[column][i]
}

// times returns the product of the matrix and b. Workers divide the columns of the product, so each number is summed in
// a fixed order.
func (m *Matrix) times(b *mat.Dense) *mat.Dense {
	_, columns := b.Dims()
	product := mat.NewDense(m.Rows, columns, nil)
	parallel.Ranges(columns, 0, func(start, end int) {
		for column, rows := range m.Columns {
			from := b.RawRowView(column)[start:end]
			for i, row := range rows {
				addScaled(product.RawRowView(int(row))[start:end], from, m.Value(column, i))
			}
		}
	})
	return product
}

// transposedTimes returns the product of the transposed matrix and b.
func (m *Matrix) transposedTimes(b *mat.Dense) *mat.Dense {
	_, columns := b.Dims()
	product := mat.NewDense(len(m.Columns), columns, nil)
	parallel.Ranges(len(m.Columns), 0, func(start, end int) {
		for column := start; column < end; column++ {
			sum := product.RawRowView(column)
			for i, row := range m.Columns[column] {
				addScaled(sum, b.RawRowView(int(row)), m.Value(column, i))
			}
		}
	})
	return product
}

// oversample and passes are settings of the randomized method: the number of extra directions, and the number of passes
// over the matrix. Halko et al. advise 5 or 10, and 1 or 2 for a slowly decaying spectrum.
const (
	oversample = 10
	passes     = 3
)

// Enough reports whether the matrix has more rows and columns than the method needs for dim vectors.
func (m *Matrix) Enough(dim int) bool {
	return min(m.Rows, len(m.Columns)) >= dim+oversample
}

// Right returns the right singular vectors of the dim greatest singular values, as a matrix with a row for each column
// of m and dim columns, greatest value first, and the values. The matrix must pass [Matrix.Enough]. The same matrix and
// seed give the same result. It is the randomized method of Halko, Martinsson and Tropp, "Finding structure with
// randomness", SIAM Review 53(2), 2011, algorithm 4.4.
func (m *Matrix) Right(ctx context.Context, dim int, seed uint64) (vectors *mat.Dense, values []float64, err error) {
	size := len(m.Columns)
	columns := dim + oversample
	basis := mat.NewDense(size, columns, nil)
	random := rand.New(rand.NewPCG(seed, uint64(columns)))
	for i := range basis.RawMatrix().Data {
		basis.RawMatrix().Data[i] = random.NormFloat64()
	}
	for range passes {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		orthonormalize(basis)
		image := m.times(basis)
		orthonormalize(image)
		basis = m.transposedTimes(image)
	}
	orthonormalize(basis)
	image := m.times(basis)
	var gram mat.SymDense // of the image: its eigenvectors are the right singular vectors within the basis
	gram.SymOuterK(1, image.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		return nil, nil, errors.New("lsa: the singular value decomposition does not converge")
	}
	var rotation, ascending mat.Dense
	eigen.VectorsTo(&rotation) // in ascending order of the values
	ascending.Mul(basis, rotation.Slice(0, columns, columns-dim, columns))
	squares := eigen.Values(nil)
	values = make([]float64, dim)
	vectors = mat.NewDense(size, dim, nil)
	for i := range values {
		values[i] = math.Sqrt(max(0, squares[columns-1-i]))
	}
	for row := range size {
		from, to := ascending.RawRowView(row), vectors.RawRowView(row)
		for i := range to {
			to[i] = from[dim-1-i]
		}
	}
	return vectors, values, nil
}

// orthonormalize replaces the columns of a matrix, which must have at least as many rows, with an orthonormal basis of
// their span: the factor Q of its QR decomposition.
func orthonormalize(a *mat.Dense) {
	raw := a.RawMatrix()
	reflectors := make([]float64, raw.Cols)
	work := make([]float64, 1)
	lapack64.Geqrf(raw, reflectors, work, -1) // asks for the size of the work space
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(raw, reflectors, work, len(work))
	lapack64.Orgqr(raw, reflectors, work[:1], -1)
	work = make([]float64, int(work[0]))
	lapack64.Orgqr(raw, reflectors, work, len(work))
}

// addScaled adds factor times x to sum. It is the inner loop of sparse matrix products.
func addScaled(sum, x []float64, factor float64) {
	x = x[:len(sum)]
	for i := range sum {
		sum[i] += factor * x[i]
	}
}
