package recognize

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// features is a table of examples: each row has some dense columns and a list of sparse columns that are set.
type features struct {
	dense      []float32 // width numbers for each row
	width      int
	denseScale float64
	sparse     [][]int32 // the set columns of each row
	columns    int       // number of sparse columns
	setValue   float64   // the value of a set sparse column
}

func (f *features) weights() int { return f.width + f.columns + 1 }

// score returns the dot product of a row and weights. The last weight is a constant.
func (f *features) score(row int, weights []float64) float64 {
	dense := f.dense[row*f.width : (row+1)*f.width]
	sum := 0.
	for i, x := range dense {
		sum += float64(x) * weights[i]
	}
	sum *= f.denseScale
	set := 0.
	for _, column := range f.sparse[row] {
		set += weights[f.width+int(column)]
	}
	return sum + set*f.setValue + weights[len(weights)-1]
}

// addTo adds scale times a row to gradient.
func (f *features) addTo(gradient []float64, row int, scale float64) {
	dense := f.dense[row*f.width : (row+1)*f.width]
	denseScale := scale * f.denseScale
	for i, x := range dense {
		gradient[i] += float64(x) * denseScale
	}
	for _, column := range f.sparse[row] {
		gradient[f.width+int(column)] += scale * f.setValue
	}
	gradient[len(gradient)-1] += scale
}

// logisticIterations bounds the steps of a regression. Further steps change no probability by .01.
const logisticIterations = 60

// fitLogistic returns the weights w of a logistic regression of the rows. They minimize |w|²/2 + cost * sum of
// |importance| * log(1 + exp(-y w·x)), where y is the sign of the importance of a row, and are found by L-BFGS.
func fitLogistic(f *features, rows []int, importance []float64, cost float64) []float64 {
	// The optimizer asks for the value and the gradient at the same point one after the other.
	last, lastGradient, lastLoss := []float64(nil), make([]float64, f.weights()), 0.
	evaluate := func(w []float64) {
		if slices.Equal(last, w) {
			return
		}
		last, lastLoss = append(last[:0], w...), 0
		for i, x := range w {
			lastLoss += x * x / 2
			lastGradient[i] = x
		}
		for _, row := range rows {
			sign, scale := math.Copysign(1, importance[row]), cost*math.Abs(importance[row])
			margin := sign * f.score(row, w)
			lastLoss += scale * dot.LogLoss(margin)
			f.addTo(lastGradient, row, -sign*scale*dot.Sigmoid(-margin))
		}
	}
	problem := optimize.Problem{
		Func: func(w []float64) float64 { evaluate(w); return lastLoss },
		Grad: func(gradient, w []float64) { evaluate(w); copy(gradient, lastGradient) },
	}
	settings := &optimize.Settings{MajorIterations: logisticIterations, GradientThreshold: 1e-3}
	// An error means that the last step could not improve the weights.
	result, _ := optimize.Minimize(problem, make([]float64, f.weights()), settings, &optimize.LBFGS{})
	return result.X
}
