package main

import (
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// line is a line of the plot of an experiment.
type line struct {
	name   string // for the legend; empty for the only line
	points []point
}

// point is Acc@1 at a number on the axis of an experiment.
type point struct {
	number int
	acc    eval.Metric
}

// lines returns the lines of an experiment, with the systems that were run, in their order.
func (g *openedGold) lines(s *settings, e *experiment) ([]line, error) {
	var lines []line
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
		i := slices.IndexFunc(lines, func(l line) bool { return l.name == y.series })
		if i < 0 {
			i = len(lines)
			lines = append(lines, line{name: y.series})
		}
		lines[i].points = append(lines[i].points, point{number, eval.NewResult(y.name, predictions, g.policy, nil, s.seed).Metrics[0]})
	}
	return slices.DeleteFunc(lines, func(l line) bool { return len(l.points) < 2 }), nil
}

// writeCurves plots the lines into the output folder. The axis is logarithmic, with 0 in it:
// log(1 + n).
func (s *settings) writeCurves(e *experiment, lines []line) error {
	f, err := os.Create(filepath.Join(s.out, curveFile(e)))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := drawCurves(f, e.title, e.axis, lines); err != nil {
		return err
	}
	return f.Close()
}

func drawCurves(w io.Writer, title, axis string, lines []line) error {
	p := charts.New(title)
	p.X.Label.Text, p.Y.Label.Text = axis, "Acc@1"
	p.Legend.Padding = vg.Points(3)
	var ticks plot.ConstantTicks
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i, l := range lines {
		means, intervals := make(plotter.XYs, len(l.points)), make(plotter.YErrors, len(l.points))
		for j, pt := range l.points {
			x := math.Log1p(float64(pt.number))
			if tick := (plot.Tick{Value: x, Label: strconv.Itoa(pt.number)}); !slices.Contains(ticks, tick) {
				ticks = append(ticks, tick)
			}
			means[j] = plotter.XY{X: x, Y: pt.acc.Value}
			intervals[j].Low, intervals[j].High = pt.acc.Value-pt.acc.Low, pt.acc.High-pt.acc.Value
			lowest, highest = min(lowest, x), max(highest, x)
		}
		drawn, dots, err := plotter.NewLinePoints(means)
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
		c := charts.LineColors[i%len(charts.LineColors)]
		drawn.Color, dots.Color, bars.Color = c, c, color.Color(charts.Gray)
		drawn.Width, dots.Shape = vg.Points(2), draw.CircleGlyph{}
		p.Add(bars, drawn, dots)
		if l.name != "" {
			p.Legend.Add(l.name, drawn)
		}
	}
	p.X.Tick.Marker = ticks
	p.X.Min, p.X.Max = lowest-.3, highest+.3
	return charts.WritePNG(w, []*charts.Plot{p}, []vg.Length{3.5 * vg.Inch})
}
