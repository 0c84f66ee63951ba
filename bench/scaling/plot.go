package main

import (
	"fmt"
	"math"

	"github.com/google/renameio/v2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// plot draws time and memory by size on logarithmic axes: what was measured as points,
// the fits as lines.
func (r *report) plot(path string) error {
	var panels [][]*plot.Plot // a row for each axis
	for _, axis := range axes {
		seconds, mb := plot.New(), plot.New()
		seconds.Y.Label.Text, mb.Y.Label.Text = "seconds", "resident memory, MiB"
		for i, s := range r.Series {
			if s.By != axis.name {
				continue
			}
			if s.Figure.Seconds > 0 {
				s.draw(seconds, i, s.Figure.Seconds)
			} else if s.Figure.Field == memoryField {
				s.draw(mb, i, 1)
			}
		}
		if math.IsInf(seconds.X.Max, -1) {
			continue // nothing was drawn
		}
		for _, p := range []*plot.Plot{seconds, mb} {
			p.X.Label.Text, p.Legend.Top, p.Legend.Left = axis.name, true, true
			p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
			p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
			p.Y.Min, p.Y.Max = p.Y.Min/1.25, p.Y.Max*math.Pow(p.Y.Max/p.Y.Min, .5)*1.25 // room for the legend
			p.Add(plotter.NewGrid())
		}
		panels = append(panels, []*plot.Plot{seconds, mb})
	}
	if len(panels) == 0 {
		return nil
	}
	img := vgimg.NewWith(vgimg.UseWH(13*vg.Inch, vg.Length(len(panels))*4*vg.Inch), vgimg.UseDPI(110))
	tiles := draw.Tiles{Rows: len(panels), Cols: 2, PadX: vg.Points(12), PadY: vg.Points(12)}
	for i, row := range plot.Align(panels, tiles, draw.New(img)) {
		for j, canvas := range row {
			panels[i][j].Draw(canvas)
		}
	}
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer file.Cleanup()
	if _, err := (vgimg.PngCanvas{Canvas: img}).WriteTo(file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return file.CloseAtomicallyReplace()
}

// draw adds a series to a panel, its values multiplied by scale. The number chooses its
// color and shape.
func (s *series) draw(p *plot.Plot, number int, scale float64) {
	points := make(plotter.XYs, len(s.Points))
	for i, at := range s.Points {
		points[i] = plotter.XY{X: at.N, Y: scale * at.Y}
	}
	const pieces = 60 // logarithmic axes bend a line
	first, last := s.Points[0].N, s.Fit.Last.N
	fitted := make(plotter.XYs, pieces+1)
	for i := range fitted {
		n := first * math.Pow(last/first, float64(i)/pieces)
		fitted[i] = plotter.XY{X: n, Y: scale * s.Fit.line(n)}
	}
	// Only values that are no numbers are errors, and fitLine refuses them.
	dots, _ := plotter.NewScatter(points)
	line, _ := plotter.NewLine(fitted)
	dots.Color, dots.Shape, line.Color = plotutil.Color(number), plotutil.Shape(number), plotutil.Color(number)
	p.Add(line, dots)
	name := s.Job
	if s.Figure.Field != wallField && s.Figure.Field != memoryField {
		name += ": " + s.Figure.Name
	}
	p.Legend.Add(name, line, dots)
}
