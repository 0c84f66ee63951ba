package eval

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

// lineColours are told apart by the colour-blind too (Okabe & Ito, 2008).
var lineColours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255},
}

var grey = color.Gray{110}

const (
	plotWidth = 6.5 * vg.Inch
	plotDPI   = 150
	titleSize = font.Length(13) // points
)

func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = titleSize
	p.Title.Padding = vg.Points(8)
	p.X.Label.Padding, p.Y.Label.Padding = vg.Points(4), vg.Points(4)
	p.X.Min, p.X.Max = 0, 1
	p.X.Tick.Marker = plot.ConstantTicks(tenths())
	return p
}

// tenths are ticks at every tenth, each second of them labelled.
func tenths() []plot.Tick {
	var ticks []plot.Tick
	for i := range 11 {
		tick := plot.Tick{Value: float64(i) / 10}
		if i%2 == 0 {
			tick.Label = short(tick.Value)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// shareTicks are the usual ones from 0 on, labelled as elsewhere in a report.
type shareTicks struct{}

func (shareTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(max(0, low), high)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = short(ticks[i].Value)
		}
	}
	return ticks
}

// countTicks are the usual ones, labelled with whole numbers.
type countTicks struct{}

func (countTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'f', -1, 64)
		}
	}
	return ticks
}

// short writes .5, .95, 0 and 1.
func short(v float64) string {
	text := strconv.FormatFloat(v, 'g', 3, 64)
	if strings.HasPrefix(text, "0.") {
		return text[1:]
	}
	return text
}

// encodePNG draws plots of these heights one below the other, with axes of one
// width.
func encodePNG(w io.Writer, plots []*plot.Plot, heights []vg.Length) error {
	const margin = 12 // points
	total := vg.Length(0)
	for _, h := range heights {
		total += h
	}
	img := vgimg.NewWith(vgimg.UseWH(plotWidth, total), vgimg.UseDPI(plotDPI))
	whole := draw.New(img)
	top := total
	var canvases []draw.Canvas
	for _, h := range heights {
		canvases = append(canvases, draw.Crop(whole, margin, -margin, top-h+margin, top-total-margin/2))
		top -= h
	}
	alignLeft(plots, canvases)
	for i, p := range plots {
		p.Draw(canvases[i])
	}
	_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(w)
	return err
}

// alignLeft moves the left edge of canvases so that the axes stand below each
// other.
func alignLeft(plots []*plot.Plot, canvases []draw.Canvas) {
	most := vg.Length(0)
	starts := make([]vg.Length, len(plots))
	for i, p := range plots {
		starts[i] = p.DataCanvas(canvases[i]).Min.X - canvases[i].Min.X
		most = max(most, starts[i])
	}
	for i := range canvases {
		canvases[i].Min.X += most - starts[i]
	}
}
