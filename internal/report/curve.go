package report

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// Charts are the formats of a chart by their extensions, each with an empty page: PNG at 150 dots an inch, and SVG,
// which names its font and does not hold it.
var Charts = map[string]func(width, height vg.Length) vg.CanvasWriterTo{
	".png": func(width, height vg.Length) vg.CanvasWriterTo {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(150))}
	},
	".svg": func(width, height vg.Length) vg.CanvasWriterTo { return vgsvg.New(width, height) },
}

// Colors that color-blind readers can tell apart (Okabe & Ito, "Color Universal Design", 2008).
var (
	blue      = color.NRGBA{0, 114, 178, 255}
	vermilion = color.NRGBA{213, 94, 0, 255}
	orange    = color.NRGBA{230, 159, 0, 255}
)

// WriteTrainingCurve draws the chart of a training run in the format of an extension, see [Charts]. The upper panel
// shows the losses of contexts, of names and of validation. The lower panel shows the validation accuracy; it is left
// out when no entry has one. The training losses are smoothed by a moving mean, with the unsmoothed line pale behind
// it. It returns an error if there are no entries.
func WriteTrainingCurve(w io.Writer, extension string, entries []contrastive.LogEntry) error {
	if len(entries) == 0 {
		return errors.New("the training log has no entries to plot")
	}
	var contexts, names, loss, accuracy plotter.XYs
	for _, e := range entries {
		point := func(y float64) plotter.XY { return plotter.XY{X: float64(e.Step), Y: y} }
		if e.NameBatch {
			names = append(names, point(e.Loss))
		} else {
			contexts = append(contexts, point(e.Loss))
		}
		if e.ValLoss != nil {
			loss = append(loss, point(*e.ValLoss))
		}
		if e.ValAcc != nil {
			accuracy = append(accuracy, point(*e.ValAcc))
		}
	}
	last := entries[len(entries)-1].Step
	upper := newPanel(fmt.Sprintf("Training, %s steps", humanize.Comma(int64(last))), "loss")
	upper.Y.Min = 0
	upper.Legend.Top = true
	panels := [][]*plot.Plot{{upper}}
	err := errors.Join(addSmoothed(upper, "contexts", contexts, blue), addSmoothed(upper, "names", names, orange),
		addPoints(upper, "validation", loss))
	upper.Y.Max *= 1.3 // leaves room for the legend above the curves
	if len(accuracy) > 0 {
		lower := newPanel("", "validation accuracy")
		err = errors.Join(err, addPoints(lower, "", accuracy))
		panels = append(panels, []*plot.Plot{lower})
	}
	if err != nil {
		return err
	}
	for _, row := range panels {
		row[0].X.Min, row[0].X.Max = 0, float64(max(last, 1))
	}
	panels[len(panels)-1][0].X.Label.Text = "step"
	canvas := Charts[extension](6.5*vg.Inch, vg.Length(3*len(panels))*vg.Inch)
	const margin = 12 // points
	page := draw.Crop(draw.New(canvas), margin, -margin, margin, -margin)
	for i, row := range plot.Align(panels, draw.Tiles{Rows: len(panels), Cols: 1, PadY: margin}, page) {
		panels[i][0].Draw(row[0])
	}
	_, err = canvas.WriteTo(w)
	return err
}

// newPanel returns an empty chart.
func newPanel(title, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text = title, y
	p.Add(plotter.NewGrid())
	return p
}

// addSmoothed draws the moving mean of the points over a pale line through the points themselves.
func addSmoothed(p *plot.Plot, name string, points plotter.XYs, c color.NRGBA) error {
	if len(points) == 0 {
		return nil
	}
	unsmoothed, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	smoothed, err := plotter.NewLine(movingMean(points))
	if err != nil {
		return err
	}
	unsmoothed.Color = color.NRGBA{c.R, c.G, c.B, 70}
	smoothed.Color, smoothed.Width = c, vg.Points(1.5)
	p.Add(unsmoothed, smoothed)
	p.Legend.Add(name, smoothed)
	return nil
}

// addPoints draws the points of validation with circles, joined by a line.
func addPoints(p *plot.Plot, name string, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	line, circles, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width, circles.Color, circles.Shape = vermilion, vg.Points(1.5), vermilion, draw.CircleGlyph{}
	p.Add(line, circles)
	if name != "" {
		p.Legend.Add(name, line, circles)
	}
	return nil
}

// movingMean replaces each point by the mean over a window that reaches 2 % of the number of points to either side.
func movingMean(points plotter.XYs) plotter.XYs {
	reach := int(math.Ceil(float64(len(points)) * .02))
	means := make(plotter.XYs, len(points))
	for i := range points {
		window := points[max(0, i-reach):min(len(points), i+reach+1)]
		sum := 0.
		for _, p := range window {
			sum += p.Y
		}
		means[i] = plotter.XY{X: points[i].X, Y: sum / float64(len(window))}
	}
	return means
}
