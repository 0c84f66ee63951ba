package sq4

import "math"

// PanelQueries is how many queries are compared with a row at once.
const PanelQueries = 16

// Panel is queries in the form that [Sketches.Filter] reads: a single one, or up
// to PanelQueries side by side.
type Panel struct {
	width   int       // 1 or PanelQueries
	codes   []int8    // group after group: 4 numbers of each query, then the next 4 of each
	biases  []float32 // 7.5 Σ b
	units   []float32
	norms   []float32 // |q'|
	offsets []float64 // what of the bound is the same for all rows
}

// Panels makes panels of queries, one after another, PanelQueries each but for
// the last.
func (s *Sketches) Panels(queries []float32) []Panel {
	n := len(queries) / s.dim
	panels := make([]Panel, 0, (n+PanelQueries-1)/PanelQueries)
	for ; n > 0; n -= PanelQueries {
		count := min(n, PanelQueries)
		panels = append(panels, s.panel(queries[:count*s.dim]))
		queries = queries[count*s.dim:]
	}
	return panels
}

func (s *Sketches) panel(queries []float32) Panel {
	n := len(queries) / s.dim
	width := PanelQueries
	if n == 1 {
		width = 1
	}
	p := Panel{
		width:  width,
		codes:  make([]int8, s.groups*groupNumbers*width),
		biases: make([]float32, width), units: make([]float32, width), norms: make([]float32, width),
		offsets: make([]float64, n),
	}
	for i := range n {
		s.set(&p, i, queries[i*s.dim:(i+1)*s.dim])
	}
	return p
}

// set makes query i of a panel. Where nothing can be said of a query, its bounds
// are NaN, so that all rows are named.
func (s *Sketches) set(p *Panel, i int, query []float32) {
	var most, squares float64
	for _, x := range query {
		most = max(most, math.Abs(float64(x)))
		squares += float64(x) * float64(x)
	}
	length := math.Sqrt(squares)
	if !ordinary(length) {
		p.norms[i] = float32(math.NaN())
		return
	}
	unit := float32(most / math.MaxInt8)
	inverse, sum := 1/unit, 0
	var kept, lost, centre float64
	for j, x := range query {
		code := int8(int32(x*inverse+(math.MaxInt8+.5)) - math.MaxInt8) // rounded, from -127 to 127
		p.codes[j/4*4*p.width+4*i+j%4] = code
		sum += int(code)
		x, near := float64(x), float64(unit)*float64(code)
		kept += near * near
		lost += (x - near) * (x - near)
		centre += x * float64(s.centre[j])
	}
	p.biases[i] = middle * float32(sum)
	p.units[i] = unit
	p.norms[i] = roundUp(math.Sqrt(kept))
	// Each rounding is 2^-24 of no more than a few |q| (|m| + |r|). Most are those of
	// the row's exact product, of dim terms, and of |r - r'|: four times dim leaves
	// room for all.
	rounding := float64(4*s.dim+64) * 0x1p-24 * length * s.extent
	p.offsets[i] = centre + math.Sqrt(lost)*s.radius + rounding
}

// Limit is what Filter is to be given for query i so that it names all rows
// whose dot product, computed in float32, is over floor.
func (p *Panel) Limit(i int, floor float32) float32 {
	return -roundUp(p.offsets[i] - float64(floor))
}

// Len is the number of queries.
func (p *Panel) Len() int { return len(p.offsets) }

// Width is how many limits Filter reads and how many masks it writes for each
// block.
func (p *Panel) Width() int { return p.width }

// roundUp is a float32 no less than x.
func roundUp(x float64) float32 {
	y := float32(x)
	if float64(y) < x {
		y = math.Nextafter32(y, float32(math.Inf(1)))
	}
	return y
}
