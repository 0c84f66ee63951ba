package main

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/google/renameio/v2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// colours are told apart by the colour-blind too (Okabe & Ito, 2008); glyphs go
// with them.
var (
	colours = []color.RGBA{
		{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255},
	}
	glyphs = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{},
	}
)

const (
	panelWidth  = 7.6 * vg.Inch // the legend included
	legendWidth = 2.5 * vg.Inch
	panelHeight = 3.4 * vg.Inch
	plotDPI     = 110
)

// writePlot draws the series on logarithmic axes, a panel for each thing that there
// is more of: what was measured as points, the fit as a line.
func writePlot(path, title string, all []series) error {
	var panels []*plot.Plot
	for _, axis := range axes {
		var drawn []series
		for _, s := range all {
			if s.By == axis {
				drawn = append(drawn, s)
			}
		}
		if len(drawn) == 0 {
			continue
		}
		p, err := newPanel(axis, title, drawn)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil
	}
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer file.Cleanup()
	if _, err := drawPanels(panels).WriteTo(file); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}

// newPanel is a plot of the series of one axis.
func newPanel(axis, title string, all []series) (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = axis, title
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	p.Add(plotter.NewGrid())
	for i, s := range all {
		colour := colours[i%len(colours)]
		scale := s.Figure.Scale
		if scale == 0 {
			scale = 1
		}
		measured := make(plotter.XYs, len(s.Points))
		for j, point := range s.Points {
			measured[j] = plotter.XY{X: point.N, Y: scale * point.Y}
		}
		dots, err := plotter.NewScatter(measured)
		if err != nil {
			return nil, err
		}
		dots.Color, dots.Shape, dots.Radius = colour, glyphs[i%len(glyphs)], vg.Points(3)
		line, err := plotter.NewLine(fitted(s, scale))
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = colour, vg.Points(1.2)
		p.Add(line, dots)
		p.Legend.Add(s.label(), line, dots)
	}
	// A little room around the outermost points.
	const room = 1.25
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = p.X.Min/room, p.X.Max*room, p.Y.Min/room, p.Y.Max*room
	return p, nil
}

// fitted is the line of a series, which logarithmic axes bend.
func fitted(s series, scale float64) plotter.XYs {
	const pieces = 60
	first, last := s.Points[0].N, s.Points[len(s.Points)-1].N
	line := make(plotter.XYs, pieces+1)
	for i := range line {
		n := first * math.Pow(last/first, float64(i)/pieces)
		line[i] = plotter.XY{X: n, Y: scale * s.Fit.line(n)}
	}
	return line
}

// drawPanels draws plots two in a row, each with its legend on its right.
func drawPanels(panels []*plot.Plot) vgimg.PngCanvas {
	const columns, margin = 2, 8 // margin in points
	rows := (len(panels) + columns - 1) / columns
	img := vgimg.NewWith(vgimg.UseWH(columns*panelWidth, vg.Length(rows)*panelHeight), vgimg.UseDPI(plotDPI))
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: margin, PadY: margin, PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	canvas := draw.New(img)
	for i, p := range panels {
		tile := tiles.At(canvas, i%columns, i/columns)
		legend := p.Legend
		legend.Top, legend.Left, legend.Padding = true, true, vg.Points(3)
		p.Legend = plot.NewLegend()
		p.Draw(draw.Crop(tile, 0, -legendWidth, 0, 0))
		legend.Draw(draw.Crop(tile, tile.Max.X-tile.Min.X-legendWidth+margin, 0, 0, -margin))
	}
	return vgimg.PngCanvas{Canvas: img}
}

// decades are ticks at every digit of every decade; the more decades there are, the
// fewer are labelled.
type decades struct{}

func (decades) Ticks(low, high float64) []plot.Tick {
	labelled := "1235"
	switch span := math.Log10(high / low); {
	case span > 4:
		labelled = "1"
	case span > 1.2:
		labelled = "13"
	}
	var ticks []plot.Tick
	for power := math.Floor(math.Log10(low)); math.Pow(10, power) <= high; power++ {
		for digit := 1; digit < 10; digit++ {
			tick := plot.Tick{Value: float64(digit) * math.Pow(10, power)}
			if tick.Value < low || tick.Value > high {
				continue
			}
			if strings.Contains(labelled, strconv.Itoa(digit)) {
				tick.Label = tickLabel(tick.Value)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// tickLabel writes 0.001, 0.3, 3, 10 k and 3 M.
func tickLabel(x float64) string {
	switch {
	case x >= .99e6:
		return fmt.Sprintf("%.4g M", x/1e6)
	case x >= .99e3:
		return fmt.Sprintf("%.4g k", x/1e3)
	}
	return fmt.Sprintf("%.4g", x)
}
