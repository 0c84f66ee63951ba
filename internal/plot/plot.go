// Package plot draws charts as PNG and SVG files in one style.
//
// [New] starts a chart, [Write] encodes one or more of them, and
// [WriteTrainingCurve] draws the whole chart of a training run. The package is a
// thin layer over gonum.org/v1/plot and knows nothing of what it draws, so that
// the packages that measure and train need no plotting library.
package plot

import (
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
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

// Format is a format of files of charts. It is also their extension, without the dot.
type Format string

// The formats: PNG at 150 dots an inch, and SVG, which names its font and does not hold it.
const (
	PNG Format = "png"
	SVG Format = "svg"
)

// Formats are all formats.
var Formats = []Format{PNG, SVG}

const (
	width     = 6.5 * vg.Inch
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

// NumberTicks puts ticks at the multiples of 1, 2 or 5 times a power of ten, the largest that has at least three on the
// axis. Each has a label, all with the same decimals. An axis without a length that numbers can divide has none.
type NumberTicks struct{}

// Ticks implements [plot.Ticker].
func (NumberTicks) Ticks(low, high float64) []plot.Tick {
	// Floating-point numbers are too coarse for an axis whose numbers differ in the last digits only, or are so small.
	length := high - low
	if !(length > max(1e-12*math.Abs(low), 1e-12*math.Abs(high), 1e-300)) || math.IsInf(length, 1) {
		return nil
	}
	for power := math.Floor(math.Log10(length)); ; power-- {
		for _, digit := range []float64{5, 2, 1} {
			step := digit * math.Pow(10, power)
			first, last := math.Ceil(low/step), math.Floor(high/step)
			if last-first < 2 {
				continue
			}
			var ticks []plot.Tick
			for i := first; i <= last; i++ {
				ticks = append(ticks, plot.Tick{Value: i * step, Label: number(i*step, int(max(0, -power)))})
			}
			return ticks
		}
	}
}

// number returns a number with decimals, commas between thousands and no leading zero: ".50", "2.5", "10,000" and "0".
func number(v float64, decimals int) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', decimals, 64), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err == nil {
		whole = humanize.Comma(n)
	}
	if fraction != "" {
		fraction = "." + fraction
		whole = strings.TrimPrefix(whole, "0")
	}
	switch {
	case v == 0:
		return "0"
	case v < 0:
		return "-" + whole + fraction
	}
	return whole + fraction
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

// Write draws charts of the given heights one below the other, 6.5 inches wide, with their y axes in
// one line.
func Write(w io.Writer, format Format, plots []*Plot, heights []vg.Length) error {
	const margin = 12 // points
	total := vg.Length(0)
	for _, h := range heights {
		total += h
	}
	canvas := newCanvas(format, total)
	page := draw.New(canvas)
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
	_, err := canvas.WriteTo(w)
	return err
}

// newCanvas returns an empty page of a height.
func newCanvas(format Format, height vg.Length) vg.CanvasWriterTo {
	if format == SVG {
		return vgsvg.New(width, height)
	}
	return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDPI))}
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
