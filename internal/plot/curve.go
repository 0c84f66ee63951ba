package plot

import (
	"errors"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// WriteTrainingCurve draws the chart of a training run as PNG. The upper panel
// shows the losses of contexts, of names and of validation. The lower panel shows
// the validation accuracy; it is left out when no point has one. The training
// losses are smoothed by a moving mean, with the unsmoothed line pale behind it.
// Without entries it returns an error.
func WriteTrainingCurve(w io.Writer, points []contrastive.LogEntry) error {
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

	loss := plot.New()
	loss.Y.Label.Text = "loss"
	loss.Y.Min = 0
	loss.Add(plotter.NewGrid())
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
	panels := [][]*Plot{{loss}}

	if len(valAcc) > 0 {
		accuracy := plot.New()
		accuracy.Y.Label.Text = "validation accuracy"
		accuracy.X.Min, accuracy.X.Max = loss.X.Min, loss.X.Max
		accuracy.Add(plotter.NewGrid())
		if err := addLinePoints(accuracy, "", valAcc, vermilion); err != nil {
			return err
		}
		panels = append(panels, []*Plot{accuracy})
	}
	panels[len(panels)-1][0].X.Label.Text = "step"
	return writePanels(w, panels)
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

// writePanels draws panels one below the other, 8 inches wide and 3.5 inches high
// each.
func writePanels(w io.Writer, panels [][]*Plot) error {
	const width, height = 8 * vg.Inch, 3.5 * vg.Inch
	img := vgimg.New(width, height*vg.Length(len(panels)))
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadX: vg.Points(8), PadY: vg.Points(8), PadTop: vg.Points(8), PadBottom: vg.Points(8), PadLeft: vg.Points(8), PadRight: vg.Points(16)}
	for row, canvases := range plot.Align(panels, tiles, draw.New(img)) {
		panels[row][0].Draw(canvases[0])
	}
	return encode(w, img)
}
