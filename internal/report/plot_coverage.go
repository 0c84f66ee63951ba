package report

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/plot"
)

// markedThresholds are marked on the first curve.
var markedThresholds = []float64{.5, .7, .9, .99}

// WriteRiskCoverage plots the risk-coverage curves of the first six results that
// have a [eval.Confidence]; more cannot be told apart. All results must be of one
// policy. A square marks the end of each curve. Circles on the first curve mark
// values of --min-probability. It returns an error if no result has a Confidence.
func WriteRiskCoverage(w io.Writer, format plot.Format, results []eval.Result) error {
	plotted := slices.DeleteFunc(slices.Clone(results), func(r eval.Result) bool { return r.Confidence == nil })
	if len(plotted) == 0 {
		return errors.New("no linker returns probabilities, so there is nothing to plot")
	}
	plotted = plotted[:min(len(plotted), len(plot.LineColors))]
	p := plot.New(fmt.Sprintf("Risk and coverage, policy %s, %d mentions", plotted[0].Policy, plotted[0].Mentions))
	p.X.Label.Text = "coverage: share of mentions answered, most probable first"
	p.Y.Label.Text = "risk: share of these answers that are wrong"
	p.Y.Tick.Marker = plot.NumberTicks{}
	plot.LegendTopLeft(p)
	p.Add(plotter.NewGrid())
	for i := range plotted {
		if err := addCurve(p, &plotted[i], i); err != nil {
			return err
		}
	}
	if err := addThresholds(p, plotted[0].Confidence.Thresholds); err != nil {
		return err
	}
	p.X.Min, p.X.Max = 0, 1
	top := max(.1, min(1, p.Y.Max*1.25)) // leaves room for the legend
	p.Y.Min, p.Y.Max = -.06*top, top     // leaves room for the labels of thresholds
	return plot.Write(w, format, []*plot.Plot{p}, []vg.Length{5 * vg.Inch})
}

// addCurve draws the curve of a result in the color of that index.
func addCurve(p *plot.Plot, r *eval.Result, color int) error {
	var points plotter.XYs
	for _, c := range r.Confidence.Curve {
		points = append(points, plotter.XY{X: c.Coverage.Value, Y: c.Risk.Value})
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = plot.LineColors[color], vg.Points(1.6)
	end, err := plotter.NewScatter(points[len(points)-1:]) // the only visible mark if all probabilities are equal
	if err != nil {
		return err
	}
	end.Color, end.Shape, end.Radius = line.Color, draw.BoxGlyph{}, vg.Points(2.5)
	p.Add(line, end)
	p.Legend.Add(fmt.Sprintf("%s, AURC %s", r.Linker,
		eval.Decimals(eval.MetricNamed(r.Confidence.Metrics, "AURC").Value)), line, end)
	return nil
}

// addThresholds marks the markedThresholds that any mention reaches.
func addThresholds(p *plot.Plot, rows []eval.ThresholdRow) error {
	var marks plotter.XYLabels
	for _, row := range rows {
		if slices.Contains(markedThresholds, row.MinProbability) && row.Coverage.Numerator > 0 {
			marks.XYs = append(marks.XYs, plotter.XY{X: row.Coverage.Value, Y: row.Risk.Value})
			marks.Labels = append(marks.Labels, "≥ "+plot.ShortNumber(row.MinProbability))
		}
	}
	if len(marks.Labels) == 0 {
		return nil
	}
	circles, err := plotter.NewScatter(marks)
	if err != nil {
		return err
	}
	circles.Color, circles.Shape, circles.Radius = plot.LineColors[0], draw.CircleGlyph{}, vg.Points(3)
	labels, err := plotter.NewLabels(marks)
	if err != nil {
		return err
	}
	for i := range labels.TextStyle {
		style := &labels.TextStyle[i]
		style.Color, style.XAlign, style.YAlign = plot.LineColors[0], text.XLeft, text.YTop
	}
	labels.Offset = vg.Point{X: vg.Points(2), Y: -vg.Points(3)}
	p.Add(circles, labels)
	return nil
}
