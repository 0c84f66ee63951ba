package eval

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// WriteReliabilityPNG draws the reliability diagram of a result: above, the share
// right in each bin, with a point at the bin's mean probability and the diagonal
// on which a calibrated linker lies; below, how many answers each bin holds. The
// result must have a [Confidence].
func WriteReliabilityPNG(w io.Writer, r *Result) error {
	c := r.Confidence
	if c == nil {
		return fmt.Errorf("%s gives no probabilities to draw", r.Linker)
	}
	shares, err := sharePlot(r)
	if err != nil {
		return err
	}
	counts, err := countPlot(c.Bins)
	if err != nil {
		return err
	}
	return encodePNG(w, []*plot.Plot{shares, counts}, []vg.Length{5 * vg.Inch, 2 * vg.Inch})
}

func sharePlot(r *Result) (*plot.Plot, error) {
	c := r.Confidence
	p := newPlot(fmt.Sprintf("%s, policy %s: ECE %s of %d answers", r.Linker, r.Policy, c.ECE.text(), c.ECE.Denominator))
	p.Y.Label.Text = "share of answers that are right"
	p.Y.Min, p.Y.Max = 0, 1
	p.Y.Tick.Marker = plot.ConstantTicks(tenths())
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding, p.Legend.XOffs, p.Legend.YOffs = vg.Points(3), vg.Points(8), -vg.Points(8)

	var means plotter.XYs
	bars := barsOf(c.Bins, func(b Bin) float64 { return b.Right.Value })
	for _, b := range c.Bins {
		if b.Mentions > 0 {
			means = append(means, plotter.XY{X: b.Probability.Value, Y: b.Right.Value})
		}
	}
	diagonal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return nil, err
	}
	diagonal.Color, diagonal.Width, diagonal.Dashes = grey, vg.Points(1.2), []vg.Length{vg.Points(5), vg.Points(3)}
	points, err := plotter.NewScatter(means)
	if err != nil {
		return nil, err
	}
	points.Color, points.Shape, points.Radius = lineColours[1], draw.CircleGlyph{}, vg.Points(3)
	p.Add(plotter.NewGrid(), bars, diagonal, points)
	p.Legend.Add("right, by bin of probability", bars)
	p.Legend.Add("at the mean probability of the bin", points)
	p.Legend.Add("perfect calibration", diagonal)
	return p, nil
}

func countPlot(bins []Bin) (*plot.Plot, error) {
	p := newPlot("")
	p.X.Label.Text = "probability of the first candidate"
	p.Y.Label.Text = "answers"
	p.Y.Tick.Marker = countTicks{}
	bars := barsOf(bins, func(b Bin) float64 { return float64(b.Mentions) })
	var places plotter.XYLabels
	for _, b := range bins {
		places.XYs = append(places.XYs, plotter.XY{X: (b.Low + b.High) / 2, Y: float64(b.Mentions)})
		places.Labels = append(places.Labels, fmt.Sprint(b.Mentions))
	}
	labels, err := plotter.NewLabels(places)
	if err != nil {
		return nil, err
	}
	for i := range labels.TextStyle {
		style := &labels.TextStyle[i]
		style.Font.Size, style.XAlign, style.YAlign = 8, text.XCenter, text.YBottom
	}
	labels.Offset.Y = vg.Points(2)
	p.Add(bars, labels)
	p.Y.Min, p.Y.Max = 0, p.Y.Max*1.15 // room for the number above the highest
	p.X.Min, p.X.Max = 0, 1            // Add widens axes to hold the labels
	return p, nil
}

// barColour is pale, so that what is drawn over it shows.
var barColour = color.RGBA{168, 206, 228, 255}

// barsOf is a bar for each bin, as wide as the bin.
func barsOf(bins []Bin, height func(Bin) float64) *plotter.Histogram {
	h := &plotter.Histogram{FillColor: barColour, LineStyle: plotter.DefaultLineStyle}
	h.LineStyle.Color, h.LineStyle.Width = lineColours[0], vg.Points(.7)
	for _, b := range bins {
		h.Bins = append(h.Bins, plotter.HistogramBin{Min: b.Low, Max: b.High, Weight: height(b)})
	}
	return h
}
