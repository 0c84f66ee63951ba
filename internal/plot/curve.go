package plot

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// WriteTrainingCurve draws the chart of a training run. The upper panel shows the losses of contexts, of names and of
// validation. The lower panel shows the validation accuracy; it is left out when no point has one. The training losses
// are smoothed by a moving mean, with the unsmoothed line pale behind it. Without entries it returns an error.
func WriteTrainingCurve(w io.Writer, format Format, points []contrastive.LogEntry) error {
	if len(points) == 0 {
		return errors.New("the training log has no entries to plot")
	}
	var contexts, names, valLoss, valAcc plotter.XYs
	for _, p := range points {
		x := float64(p.Step)
		if p.NameBatch {
			names = append(names, plotter.XY{X: x, Y: p.Loss})
		} else {
			contexts = append(contexts, plotter.XY{X: x, Y: p.Loss})
		}
		if p.ValLoss != nil {
			valLoss = append(valLoss, plotter.XY{X: x, Y: *p.ValLoss})
		}
		if p.ValAcc != nil {
			valAcc = append(valAcc, plotter.XY{X: x, Y: *p.ValAcc})
		}
	}
	blue, vermilion, orange := LineColors[0], LineColors[1], LineColors[4]

	last := points[len(points)-1].Step
	loss := newPanel(fmt.Sprintf("Training, %s steps", humanize.Comma(int64(last))), "loss")
	loss.Y.Min = 0
	if err := addSmoothed(loss, "contexts", contexts, blue); err != nil {
		return err
	}
	if err := addSmoothed(loss, "names", names, orange); err != nil {
		return err
	}
	if err := addLinePoints(loss, "validation", valLoss, vermilion); err != nil {
		return err
	}
	loss.Legend.Top = true
	loss.Legend.Padding, loss.Legend.XOffs, loss.Legend.YOffs = vg.Points(3), -vg.Points(16), -vg.Points(8)
	loss.Y.Max *= 1.3 // leaves room for the legend above the curves
	panels := []*Plot{loss}

	if len(valAcc) > 0 {
		accuracy := newPanel("", "validation accuracy")
		if err := addLinePoints(accuracy, "", valAcc, vermilion); err != nil {
			return err
		}
		panels = append(panels, accuracy)
	}
	heights := make([]vg.Length, len(panels))
	for i, p := range panels {
		p.X.Min, p.X.Max = 0, float64(max(last, 1))
		heights[i] = panelHeight
	}
	panels[len(panels)-1].X.Label.Text = "step"
	return Write(w, format, panels, heights)
}

const panelHeight = 3 * vg.Inch

// newPanel returns an empty chart over the steps of a training run.
func newPanel(title, y string) *Plot {
	p := New(title)
	p.X.Tick.Marker, p.Y.Tick.Marker = NumberTicks{}, NumberTicks{}
	p.Y.Label.Text = y
	p.Y.Min, p.Y.Max = math.Inf(1), math.Inf(-1) // those of what is added
	p.Add(plotter.NewGrid())
	return p
}

// addSmoothed draws the moving mean of the points over a pale line through the
// points themselves.
func addSmoothed(p *Plot, name string, points plotter.XYs, c color.RGBA) error {
	if len(points) == 0 {
		return nil
	}
	unsmoothed, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	unsmoothed.Color = color.NRGBA{c.R, c.G, c.B, 70}
	smoothed, err := plotter.NewLine(movingMean(points))
	if err != nil {
		return err
	}
	smoothed.Color, smoothed.Width = c, vg.Points(1.5)
	p.Add(unsmoothed, smoothed)
	p.Legend.Add(name, smoothed)
	return nil
}

// addLinePoints draws the points with circles, joined by a line.
func addLinePoints(p *Plot, name string, points plotter.XYs, c color.RGBA) error {
	if len(points) == 0 {
		return nil
	}
	line, circles, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = c, vg.Points(1.5)
	circles.Color, circles.Shape = c, draw.CircleGlyph{}
	p.Add(line, circles)
	if name != "" {
		p.Legend.Add(name, line, circles)
	}
	return nil
}

// movingMean replaces each point by the mean over a window that reaches 2 % of
// the number of points to either side.
func movingMean(points plotter.XYs) plotter.XYs {
	reach := int(math.Ceil(float64(len(points)) * 0.02))
	means := make(plotter.XYs, len(points))
	for i := range points {
		window := points[max(0, i-reach):min(len(points), i+reach+1)]
		sum := 0.0
		for _, p := range window {
			sum += p.Y
		}
		means[i] = plotter.XY{X: points[i].X, Y: sum / float64(len(window))}
	}
	return means
}
