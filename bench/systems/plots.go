package main

import (
	"bytes"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/google/renameio/v2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ctxnorm/ctxnorm/eval"
	charts "github.com/ctxnorm/ctxnorm/internal/plot"
)

// plotFile returns the name of the plot of an experiment.
func plotFile(e *experiment) string { return "results_" + e.name + ".png" }

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

// lines returns the lines through what was measured: one for each series with two points or more.
func (g *openedGold) lines(all []measured) []line {
	var lines []line
	for _, y := range all {
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
		lines[i].points = append(lines[i].points, point{number, y.acc})
	}
	return slices.DeleteFunc(lines, func(l line) bool { return len(l.points) < 2 })
}

// writePlot plots what was measured into the output folder: as lines along the axis of the experiment, or as a
// dot for each system if it has none. It returns the plot in Markdown, which is empty with less than two points and
// for the quick experiment, which shows nothing of what systems reach.
func (s *settings) writePlot(e *experiment, gold *openedGold, all []measured) (string, error) {
	if e.quick {
		return "", nil
	}
	draw, by := func(w io.Writer) error { return drawDots(w, e.title, all) }, "system"
	enough := len(all) > 1
	if e.axis != "" {
		lines := gold.lines(all)
		draw, by = func(w io.Writer) error { return drawCurves(w, e.title, e.axis, lines) }, e.axis
		enough = len(lines) > 0
	}
	if !enough {
		return "", nil
	}
	var png bytes.Buffer
	if err := draw(&png); err != nil {
		return "", err
	}
	if err := renameio.WriteFile(filepath.Join(s.out, plotFile(e)), png.Bytes(), 0o666); err != nil {
		return "", err
	}
	return "\n![Acc@1 by " + by + "](" + plotFile(e) + ")\n", nil
}

// drawDots draws Acc@1 of each system with its interval, the first system at the top.
func drawDots(w io.Writer, title string, all []measured) error {
	p := charts.New(title)
	p.X.Label.Text = "Acc@1"
	p.X.Min, p.X.Max = math.Inf(1), math.Inf(-1) // those of the intervals
	names := make([]string, len(all))
	for i, y := range all {
		row := len(all) - 1 - i
		names[row] = y.title
		at := plotter.XYs{{X: y.acc.Value, Y: float64(row)}}
		interval, err := plotter.NewXErrorBars(struct {
			plotter.XYs
			plotter.XErrors
		}{at, plotter.XErrors{{Low: y.acc.Value - y.acc.Low, High: y.acc.High - y.acc.Value}}})
		if err != nil {
			return err
		}
		dot, err := plotter.NewScatter(at)
		if err != nil {
			return err
		}
		interval.Color, dot.Shape, dot.Radius = color.Color(charts.Gray), draw.CircleGlyph{}, vg.Points(4)
		dot.Color = charts.LineColors[0]
		if y.own {
			dot.Color = charts.LineColors[1]
		}
		p.Add(interval, dot)
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -.5, float64(len(all))-.5
	return charts.Write(w, charts.PNG, []*charts.Plot{p}, []vg.Length{vg.Length(1+.3*float64(len(all))) * vg.Inch})
}

// drawCurves draws the lines along an axis, which is logarithmic, with 0 in it: log(1 + n).
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
	return charts.Write(w, charts.PNG, []*charts.Plot{p}, []vg.Length{3.5 * vg.Inch})
}
