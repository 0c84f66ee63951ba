package eval

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shownThresholds are marked on the first curve.
var shownThresholds = []float64{.5, .7, .9, .99}

// WriteRiskCoveragePNG draws the risk-coverage curves of the first six results that have
// a [Confidence], as many as an eye can follow, all of one policy; it is an error where
// none has. A square marks the end of a curve, circles on the first one thresholds of
// --min-probability.
func WriteRiskCoveragePNG(w io.Writer, results []Result) error {
	drawn := slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Confidence == nil })
	if len(drawn) == 0 {
		return errors.New("no linker gives probabilities to draw")
	}
	drawn = drawn[:min(len(drawn), len(lineColours))]
	p := newPlot(fmt.Sprintf("Risk and coverage, policy %s, %d mentions", drawn[0].Policy, drawn[0].Mentions))
	p.X.Label.Text = "coverage: share of mentions answered, the surest first"
	p.Y.Label.Text = "risk: share of these answers that are wrong"
	p.Y.Tick.Marker = shareTicks{}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding, p.Legend.XOffs, p.Legend.YOffs = vg.Points(3), vg.Points(8), -vg.Points(8)
	p.Add(plotter.NewGrid())
	for i := range drawn {
		if err := addCurve(p, &drawn[i], i); err != nil {
			return err
		}
	}
	if err := addThresholds(p, drawn[0].Confidence.Thresholds); err != nil {
		return err
	}
	p.X.Min, p.X.Max = 0, 1
	most := max(.1, min(1, p.Y.Max*1.25)) // room for the legend
	p.Y.Min, p.Y.Max = -.06*most, most    // and for the labels of thresholds
	return encodePNG(w, []*plot.Plot{p}, []vg.Length{5 * vg.Inch})
}

func addCurve(p *plot.Plot, r *Result, index int) error {
	var points plotter.XYs
	for _, c := range r.Confidence.Curve {
		points = append(points, plotter.XY{X: c.Coverage.Value, Y: c.Risk.Value})
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = lineColours[index], vg.Points(1.6)
	end, err := plotter.NewScatter(points[len(points)-1:]) // all that shows where a linker gives one probability
	if err != nil {
		return err
	}
	end.Color, end.Shape, end.Radius = line.Color, draw.BoxGlyph{}, vg.Points(2.5)
	p.Add(line, end)
	p.Legend.Add(fmt.Sprintf("%s, AURC %s", r.Linker, Decimals(r.Confidence.Figures[1].Value)), line, end)
	return nil
}

func addThresholds(p *plot.Plot, rows []ThresholdRow) error {
	var marks plotter.XYLabels
	for _, row := range rows {
		if slices.Contains(shownThresholds, row.MinProbability) && row.Coverage.Numerator > 0 {
			marks.XYs = append(marks.XYs, plotter.XY{X: row.Coverage.Value, Y: row.Risk.Value})
			marks.Labels = append(marks.Labels, "≥ "+short(row.MinProbability))
		}
	}
	if len(marks.Labels) == 0 {
		return nil
	}
	points, err := plotter.NewScatter(marks)
	if err != nil {
		return err
	}
	points.Color, points.Shape, points.Radius = lineColours[0], draw.CircleGlyph{}, vg.Points(3)
	labels, err := plotter.NewLabels(marks)
	if err != nil {
		return err
	}
	for i := range labels.TextStyle {
		style := &labels.TextStyle[i]
		style.Color, style.XAlign, style.YAlign = lineColours[0], text.XLeft, text.YTop
	}
	labels.Offset = vg.Point{X: vg.Points(2), Y: -vg.Points(3)}
	p.Add(points, labels)
	return nil
}
