package report

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/plot"
)

// WriteReliability plots the reliability diagram of a result. The upper panel shows
// the accuracy of each bin, with a point at the bin's mean probability and the
// diagonal of perfect calibration. The lower panel shows the number of predictions in
// each bin. It returns an error if the result has no [eval.Confidence].
func WriteReliability(w io.Writer, format plot.Format, r *eval.Result) error {
	c := r.Confidence
	if c == nil {
		return fmt.Errorf("%s returns no probabilities, so there is nothing to plot", r.Linker)
	}
	accuracies, err := plotAccuracies(r)
	if err != nil {
		return err
	}
	counts, err := plotCounts(c.Bins)
	if err != nil {
		return err
	}
	return plot.Write(w, format, []*plot.Plot{accuracies, counts}, []vg.Length{5 * vg.Inch, 2 * vg.Inch})
}

func plotAccuracies(r *eval.Result) (*plot.Plot, error) {
	c := r.Confidence
	p := plot.New(fmt.Sprintf("%s, policy %s: ECE %s of %d answers", r.Linker, r.Policy, formatRatio(c.ECE),
		c.ECE.Denominator))
	p.Y.Label.Text = "share of answers that are right"
	p.Y.Min, p.Y.Max = 0, 1.3 // the legend stands above the bars, which end at 1
	p.Y.Tick.Marker = plot.Tenths()
	plot.LegendTopLeft(p)

	var means plotter.XYs
	bars := binBars(c.Bins, func(b eval.CalibrationBin) float64 { return b.Accuracy.Value })
	for _, b := range c.Bins {
		if b.Mentions > 0 {
			means = append(means, plotter.XY{X: b.MeanProbability.Value, Y: b.Accuracy.Value})
		}
	}
	diagonal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return nil, err
	}
	diagonal.Color, diagonal.Width, diagonal.Dashes = plot.Gray, vg.Points(1.2), []vg.Length{vg.Points(5), vg.Points(3)}
	points, err := plotter.NewScatter(means)
	if err != nil {
		return nil, err
	}
	points.Color, points.Shape, points.Radius = plot.LineColors[1], draw.CircleGlyph{}, vg.Points(3)
	p.Add(plotter.NewGrid(), bars, diagonal, points)
	p.Legend.Add("right, by bin of probability", bars)
	p.Legend.Add("at the mean probability of the bin", points)
	p.Legend.Add("perfect calibration", diagonal)
	return p, nil
}

func plotCounts(bins []eval.CalibrationBin) (*plot.Plot, error) {
	p := plot.New("")
	p.X.Label.Text = "probability of the first candidate"
	p.Y.Label.Text = "answers"
	p.Y.Tick.Marker = plot.NumberTicks{}
	bars := binBars(bins, func(b eval.CalibrationBin) float64 { return float64(b.Mentions) })
	var numbers plotter.XYLabels // above the bars
	for _, b := range bins {
		numbers.XYs = append(numbers.XYs, plotter.XY{X: (b.Low + b.High) / 2, Y: float64(b.Mentions)})
		numbers.Labels = append(numbers.Labels, fmt.Sprint(b.Mentions))
	}
	labels, err := plotter.NewLabels(numbers)
	if err != nil {
		return nil, err
	}
	for i := range labels.TextStyle {
		style := &labels.TextStyle[i]
		style.Font.Size, style.XAlign, style.YAlign = 8, text.XCenter, text.YBottom
	}
	labels.Offset.Y = vg.Points(2)
	p.Add(bars, labels)
	p.Y.Min, p.Y.Max = 0, p.Y.Max*1.15 // leaves room for the number above the highest bar
	p.X.Min, p.X.Max = 0, 1            // Add widens the axis to fit the labels
	return p, nil
}

// barColor is pale, so that what is drawn over it remains visible.
var barColor = color.RGBA{168, 206, 228, 255}

// binBars returns one bar for each bin, as wide as the bin.
func binBars(bins []eval.CalibrationBin, height func(eval.CalibrationBin) float64) *plotter.Histogram {
	h := &plotter.Histogram{FillColor: barColor, LineStyle: plotter.DefaultLineStyle}
	h.LineStyle.Color, h.LineStyle.Width = plot.LineColors[0], vg.Points(.7)
	for _, b := range bins {
		h.Bins = append(h.Bins, plotter.HistogramBin{Min: b.Low, Max: b.High, Weight: height(b)})
	}
	return h
}
