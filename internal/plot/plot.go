// Package plot draws charts as PNG files in one style.
//
// [New] starts a chart, [WritePNG] encodes one or more of them, and
// [WriteTrainingCurve] draws the whole chart of a training run. The package is a
// thin layer over gonum.org/v1/plot and knows nothing of what it draws, so that
// the packages that measure and train need no plotting library.
package plot

import (
	"image/color"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Plot is one chart: axes, their labels and what is drawn on them.
type Plot = plot.Plot

// LineColors are six colors that color-blind readers can tell apart: blue,
// vermilion, green, purple, orange and sky blue (Okabe & Ito, "Color Universal
// Design", 2008).
var LineColors = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233,
		255},
}

// Gray is the color of reference lines.
var Gray = color.Gray{110}

const (
	pngWidth  = 6.5 * vg.Inch
	pngDPI    = 150
	titleSize = font.Length(13) // points
)

// New returns an empty chart whose x axis runs from 0 to 1.
func New(title string) *Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = titleSize
	p.Title.Padding = vg.Points(8)
	p.X.Label.Padding, p.Y.Label.Padding = vg.Points(4), vg.Points(4)
	p.X.Min, p.X.Max = 0, 1
	p.X.Tick.Marker = Tenths()
	return p
}

// LegendTopLeft moves the legend of p to the upper left corner.
func LegendTopLeft(p *Plot) {
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding, p.Legend.XOffs, p.Legend.YOffs = vg.Points(3), vg.Points(8), -vg.Points(8)
}

// Tenths returns ticks at 0, .1, .2 and so on to 1. Every second tick has a label.
func Tenths() plot.ConstantTicks {
	var ticks []plot.Tick
	for i := range 11 {
		tick := plot.Tick{Value: float64(i) / 10}
		if i%2 == 0 {
			tick.Label = ShortNumber(tick.Value)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// ShareTicks are gonum's default ticks from 0 up, with labels by [ShortNumber].
type ShareTicks struct{}

// Ticks implements [plot.Ticker].
func (ShareTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(max(0, low), high)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = ShortNumber(ticks[i].Value)
		}
	}
	return ticks
}

// CountTicks are gonum's default ticks, with labels that are whole numbers.
type CountTicks struct{}

// Ticks implements [plot.Ticker].
func (CountTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'f', -1, 64)
		}
	}
	return ticks
}

// ShortNumber returns v with up to three digits and no leading zero: ".5", ".95",
// "0" and "1".
func ShortNumber(v float64) string {
	s := strconv.FormatFloat(v, 'g', 3, 64)
	if strings.HasPrefix(s, "0.") {
		return s[1:]
	}
	return s
}

// WritePNG draws charts of the given heights one below the other, 6.5 inches wide
// at 150 dots an inch, with their y axes in one line.
func WritePNG(w io.Writer, plots []*Plot, heights []vg.Length) error {
	const margin = 12 // points
	total := vg.Length(0)
	for _, h := range heights {
		total += h
	}
	img := vgimg.NewWith(vgimg.UseWH(pngWidth, total), vgimg.UseDPI(pngDPI))
	page := draw.New(img)
	top := total
	var canvases []draw.Canvas
	for _, h := range heights {
		canvases = append(canvases, draw.Crop(page, margin, -margin, top-h+margin, top-total-margin/2))
		top -= h
	}
	alignLeft(plots, canvases)
	for i, p := range plots {
		p.Draw(canvases[i])
	}
	return encode(w, img)
}

// alignLeft moves the left edges of the canvases so that the y axes stand in one
// line.
func alignLeft(plots []*Plot, canvases []draw.Canvas) {
	widest := vg.Length(0)
	labelWidths := make([]vg.Length, len(plots))
	for i, p := range plots {
		labelWidths[i] = p.DataCanvas(canvases[i]).Min.X - canvases[i].Min.X
		widest = max(widest, labelWidths[i])
	}
	for i := range canvases {
		canvases[i].Min.X += widest - labelWidths[i]
	}
}

func encode(w io.Writer, img *vgimg.Canvas) error {
	_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(w)
	return err
}
