package main

import (
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ctxnorm/ctxnorm/eval"
	charts "github.com/ctxnorm/ctxnorm/internal/plot"
)

// curveFile returns the name of the plot of an experiment with an axis.
func curveFile(e *experiment) string { return "results_" + e.name + ".png" }

// point is Acc@1 at a number on the axis of an experiment.
type point struct {
	number int
	acc    eval.Metric
}

// curve returns the points of an experiment's systems that were run, in their order.
func (g *openedGold) curve(s *settings, e *experiment) ([]point, error) {
	var points []point
	for _, y := range e.systems() {
		r, err := s.readRow(e, y.name)
		if err != nil {
			return nil, err
		}
		if r.Eval == nil {
			continue
		}
		predictions, err := g.predictions(s, e, y.name, g.all)
		if err != nil {
			return nil, err
		}
		number := y.number
		if number == 0 {
			number = y.labels
		}
		if number < 0 { // all labels
			number = g.trainDocuments
		}
		points = append(points, point{number, eval.NewResult(y.name, predictions, g.policy, nil, s.seed).Metrics[0]})
	}
	return points, nil
}

// writeCurve plots the points into the output folder. The axis is logarithmic, with 0 in it:
// log(1 + n).
func (s *settings) writeCurve(e *experiment, points []point) error {
	f, err := os.Create(filepath.Join(s.out, curveFile(e)))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := drawCurve(f, e.title, e.axis, points); err != nil {
		return err
	}
	return f.Close()
}

func drawCurve(w io.Writer, title, axis string, points []point) error {
	p := charts.New(title)
	p.X.Label.Text, p.Y.Label.Text = axis, "Acc@1"
	var ticks plot.ConstantTicks
	means, intervals := make(plotter.XYs, len(points)), make(plotter.YErrors, len(points))
	for i, pt := range points {
		x := math.Log1p(float64(pt.number))
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.Itoa(pt.number)})
		means[i] = plotter.XY{X: x, Y: pt.acc.Value}
		intervals[i].Low, intervals[i].High = pt.acc.Value-pt.acc.Low, pt.acc.High-pt.acc.Value
	}
	line, dots, err := plotter.NewLinePoints(means)
	if err != nil {
		return err
	}
	bars, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{means, intervals})
	if err != nil {
		return err
	}
	line.Color, dots.Color, bars.Color = charts.LineColors[0], charts.LineColors[0], color.Color(charts.Gray)
	line.Width, dots.Shape = vg.Points(2), draw.CircleGlyph{}
	p.Add(bars, line, dots)
	p.X.Tick.Marker = ticks
	p.X.Min, p.X.Max = -.3, means[len(means)-1].X+.3
	return charts.WritePNG(w, []*charts.Plot{p}, []vg.Length{3.5 * vg.Inch})
}
