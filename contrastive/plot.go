package contrastive

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"github.com/google/renameio/v2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Colours of the lines, told apart by the colour-blind too (Okabe & Ito, 2008).
var (
	blue      = color.RGBA{0, 114, 178, 255}
	orange    = color.RGBA{230, 159, 0, 255}
	vermilion = color.RGBA{213, 94, 0, 255}
)

// WritePNG draws a curve into the file at path: above, the loss of contexts, of
// names and of validation; below, the accuracy of validation, where there is
// any. A line is the mean of the points around it; what it is the mean of shows
// pale behind.
func WritePNG(path string, points []Point) error {
	if len(points) == 0 {
		return fmt.Errorf("%s: no points to draw", path)
	}
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("curve: %w", err)
	}
	defer file.Cleanup()
	if err := drawCurve(file, points); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := file.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("curve: %w", err)
	}
	return nil
}

func drawCurve(w io.Writer, points []Point) error {
	var contexts, names, valLoss, valAcc plotter.XYs
	for _, p := range points {
		at := float64(p.Step)
		if p.Names {
			names = append(names, plotter.XY{X: at, Y: p.Loss})
		} else {
			contexts = append(contexts, plotter.XY{X: at, Y: p.Loss})
		}
		if p.ValLoss != nil {
			valLoss = append(valLoss, plotter.XY{X: at, Y: *p.ValLoss})
		}
		if p.ValAcc != nil {
			valAcc = append(valAcc, plotter.XY{X: at, Y: *p.ValAcc})
		}
	}

	loss := plot.New()
	loss.Y.Label.Text = "loss"
	loss.Y.Min = 0
	loss.Add(plotter.NewGrid())
	if err := addTrend(loss, "contexts", contexts, blue); err != nil {
		return err
	}
	if err := addTrend(loss, "names", names, orange); err != nil {
		return err
	}
	if err := addMeasured(loss, "validation", valLoss, vermilion); err != nil {
		return err
	}
	loss.Legend.Top = true
	panels := [][]*plot.Plot{{loss}}

	if len(valAcc) > 0 {
		accuracy := plot.New()
		accuracy.Y.Label.Text = "validation accuracy"
		accuracy.X.Min, accuracy.X.Max = loss.X.Min, loss.X.Max
		accuracy.Add(plotter.NewGrid())
		if err := addMeasured(accuracy, "", valAcc, vermilion); err != nil {
			return err
		}
		panels = append(panels, []*plot.Plot{accuracy})
	}
	panels[len(panels)-1][0].X.Label.Text = "step"
	return encodePNG(w, panels)
}

// addTrend draws the points pale and their moving mean over them.
func addTrend(p *plot.Plot, name string, points plotter.XYs, c color.RGBA) error {
	if len(points) == 0 {
		return nil
	}
	raw, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	raw.Color = color.NRGBA{c.R, c.G, c.B, 70}
	trend, err := plotter.NewLine(movingMean(points))
	if err != nil {
		return err
	}
	trend.Color, trend.Width = c, vg.Points(1.5)
	p.Add(raw, trend)
	p.Legend.Add(name, trend)
	return nil
}

// addMeasured draws the points that were measured, joined by a line.
func addMeasured(p *plot.Plot, name string, points plotter.XYs, c color.RGBA) error {
	if len(points) == 0 {
		return nil
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = c, vg.Points(1.5)
	dots.Color, dots.Shape = c, draw.CircleGlyph{}
	p.Add(line, dots)
	if name != "" {
		p.Legend.Add(name, line, dots)
	}
	return nil
}

// movingMean is at each point the mean of those within 2 % of the number of
// points on either side.
func movingMean(points plotter.XYs) plotter.XYs {
	reach := int(math.Ceil(float64(len(points)) * 0.02))
	means := make(plotter.XYs, len(points))
	for i := range points {
		near := points[max(0, i-reach):min(len(points), i+reach+1)]
		sum := 0.0
		for _, p := range near {
			sum += p.Y
		}
		means[i] = plotter.XY{X: points[i].X, Y: sum / float64(len(near))}
	}
	return means
}

// encodePNG draws panels one below the other.
func encodePNG(w io.Writer, panels [][]*plot.Plot) error {
	const width, height = 8 * vg.Inch, 3.5 * vg.Inch // of a panel
	img := vgimg.New(width, height*vg.Length(len(panels)))
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadX: vg.Points(8), PadY: vg.Points(8), PadTop: vg.Points(8), PadBottom: vg.Points(8), PadLeft: vg.Points(8), PadRight: vg.Points(16)}
	for row, canvases := range plot.Align(panels, tiles, draw.New(img)) {
		panels[row][0].Draw(canvases[0])
	}
	_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(w)
	return err
}
