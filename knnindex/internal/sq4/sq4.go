package sq4

import (
	"math"
	"runtime"
	"sync"

	"ctxnorm/knnindex/internal/dot"
)

const (
	// BlockRows is how many rows are compared at once, each in a lane of its own.
	BlockRows = 16
	// groupNumbers is how many numbers of a row lie together: four in the low
	// halves of four bytes, the next four in the high.
	groupNumbers = 8
	// groupBytes is the size of a group of all rows of a block.
	groupBytes = BlockRows * groupNumbers / 2
	// middle is what the codes 0 to 15 lie around.
	middle = 7.5
	// normalStep is the distance between 16 levels that loses the least of numbers
	// normally distributed with deviation 1: .0115 of their squares (Max,
	// "Quantizing for Minimum Distortion", IRE Transactions on Information Theory
	// 1960, table II).
	normalStep = .3352
	// centreRows is how many rows, spread over all, the centre is the mean of.
	centreRows = 1024
)

// Sketches are the sketches of a matrix: dim/2 + 8 bytes a row, which for 384
// numbers is 13 % of its own size.
//
// The codes lie so that a register of 64 bytes is a group of a whole block, and
// the sums of its rows grow in 16 lanes side by side:
//
//	block 0                                              block 1 …
//	group 0: row 0, row 1, … row 15     group 1 …
//	         4 bytes each: numbers 0 to 3 of the row and, times 16, 4 to 7
type Sketches struct {
	dim, rows, groups int

	codes  []byte    // of whole blocks
	steps  []float32 // of each row; those that fill up the last block are 0
	errors []float32 // |r - r'| of each row; infinite where nothing is said of it

	centre []float32
	radius float64 // the longest |r|
	extent float64 // |m| + the longest |r|, which no |x| is over
}

// New sketches the rows of data, of dim numbers each, on all processors.
func New(data []float32, dim int) *Sketches {
	rows, groups := len(data)/dim, (dim+groupNumbers-1)/groupNumbers
	blocks := (rows + BlockRows - 1) / BlockRows
	s := &Sketches{
		dim: dim, rows: rows, groups: groups,
		codes:  make([]byte, blocks*groups*groupBytes),
		steps:  make([]float32, blocks*BlockRows),
		errors: make([]float32, blocks*BlockRows),
		centre: centreOf(data, dim),
	}
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		share   = max(1, (rows+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	)
	for start := 0; start < rows; start += share {
		workers.Go(func() {
			radius := s.draw(data, start, min(start+share, rows))
			mu.Lock()
			defer mu.Unlock()
			s.radius = max(s.radius, radius)
		})
	}
	workers.Wait()
	s.extent = lengthOf(dot.Portable, s.centre) + s.radius
	return s
}

// draw sketches the rows from start to end, and gives the longest |r| of them.
func (s *Sketches) draw(data []float32, start, end int) (radius float64) {
	kernel, rest := dot.Best(), make([]float32, s.groups*groupNumbers)
	for row := start; row < end; row++ {
		x := data[row*s.dim : (row+1)*s.dim]
		subtract(rest[:s.dim], x, s.centre)
		length := lengthOf(kernel, rest)
		if !ordinary(lengthOf(kernel, x)) || !(length <= longest) {
			s.errors[row] = float32(math.Inf(1))
			continue
		}
		radius = max(radius, length)
		s.steps[row] = float32(normalStep * length / math.Sqrt(float64(s.dim)))
		codes := s.codes[row/BlockRows*s.groups*groupBytes+row%BlockRows*4:]
		s.errors[row] = float32(math.Sqrt(float64(encode(kernel, codes, rest, s.steps[row]))))
	}
	return radius
}

// centreOf is the mean of some rows. Any centre would do; the nearer it is to
// the rows, the shorter their rests.
func centreOf(data []float32, dim int) []float32 {
	rows := len(data) / dim
	sums, every := make([]float64, dim), max(1, rows/centreRows)
	taken := 0
	for row := 0; row < rows; row += every {
		for i, x := range data[row*dim : (row+1)*dim] {
			sums[i] += float64(x)
		}
		taken++
	}
	centre := make([]float32, dim)
	for i, sum := range sums {
		if mean := sum / float64(taken); math.Abs(mean) <= longest { // which NaN is not
			centre[i] = float32(mean)
		}
	}
	return centre
}

// subtract sets out to x - y.
func subtract(out, x, y []float32) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] - y[i]
	}
}

func lengthOf(kernel dot.Kernel, x []float32) float64 {
	return math.Sqrt(float64(kernel.Dot(x, x)))
}

// Vectors are sketched whose length is between these, so that squares and
// products of their numbers neither overflow nor vanish in float32.
const (
	shortest = 1e-15
	longest  = 1e15
)

// ordinary says that a vector of this length, which may be NaN, is sketched.
func ordinary(length float64) bool { return length >= shortest && length <= longest }
