package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

func TestShortNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", .5: ".5", .95: ".95", 1: "1", .125: ".125"} {
		if got := ShortNumber(v); got != want {
			t.Errorf("ShortNumber(%g) = %q, want %q", v, got, want)
		}
	}
}

var errDiskFull = errors.New("the disk is full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errDiskFull }

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	plots, heights := []*Plot{New("upper"), New("lower")}, []vg.Length{2 * vg.Inch, vg.Inch}
	if err := Write(&out, PNG, plots, heights); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	// 6.5 and 2+1 inches at 150 dots an inch.
	if size := img.Bounds().Size(); size.X != 975 || size.Y != 450 {
		t.Errorf("image of %d by %d pixels, want 975 by 450", size.X, size.Y)
	}
	if err := Write(fullDisk{}, PNG, plots, heights); !errors.Is(err, errDiskFull) {
		t.Errorf("on a full disk: %v, want %v", err, errDiskFull)
	}
}

// learningRun returns the points of a run whose loss falls.
func learningRun(steps int) []contrastive.LogEntry {
	points := make([]contrastive.LogEntry, steps)
	for i := range points {
		progress := float64(i) / float64(steps)
		noise := 0.08 * math.Sin(float64(i*i))
		points[i] = contrastive.LogEntry{Step: i + 1, NameBatch: i%2 == 1, Loss: 0.4 + 0.8*math.Exp(-4*progress) + noise}
		if points[i].NameBatch {
			points[i].Loss /= 3
		}
		if (i+1)%max(steps/10, 1) == 0 {
			points[i].ValLoss = new(0.5 + 0.6*math.Exp(-3*progress))
			points[i].ValAcc = new(0.8 - 0.4*math.Exp(-4*progress))
		}
	}
	return points
}

func TestWriteTrainingCurve(t *testing.T) {
	trainOnly := learningRun(50)
	for i := range trainOnly {
		trainOnly[i].ValLoss, trainOnly[i].ValAcc = nil, nil
	}
	heights := make(map[string]int)
	for name, points := range map[string][]contrastive.LogEntry{
		"with validation": learningRun(400), "without validation": trainOnly, "one point": learningRun(1), "no loss": {{Step: 1}, {Step: 2}},
	} {
		var out bytes.Buffer
		if err := WriteTrainingCurve(&out, PNG, points); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		heights[name] = img.Bounds().Dy()
	}
	if heights["with validation"] != 2*heights["without validation"] {
		t.Errorf("heights %v: want two panels with validation, one without", heights)
	}
	if err := WriteTrainingCurve(&bytes.Buffer{}, SVG, nil); err == nil {
		t.Error("no error for no points")
	}
}

// TestWriteSVG: the texts of the charts are texts, and the drawing is well-formed and as large as the PNG.
func TestWriteSVG(t *testing.T) {
	var out bytes.Buffer
	upper := New("upper & lower")
	if err := Write(&out, SVG, []*Plot{upper, New("")}, []vg.Length{2 * vg.Inch, vg.Inch}); err != nil {
		t.Fatal(err)
	}
	var svg struct {
		Width string `xml:"width,attr"`
	}
	if err := xml.Unmarshal(out.Bytes(), &svg); err != nil {
		t.Fatal(err)
	}
	if svg.Width != "468pt" { // 6.5 inches of 72 points
		t.Errorf("width %q, want 468pt", svg.Width)
	}
	for _, want := range []string{">upper &amp; lower</text>", ">.8</text>"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the drawing lacks %s", want)
		}
	}
	if err := Write(fullDisk{}, SVG, []*Plot{upper}, []vg.Length{vg.Inch}); !errors.Is(err, errDiskFull) {
		t.Errorf("on a full disk: %v, want %v", err, errDiskFull)
	}
}

// TestNumberTicks: an axis has three to seven labels that differ, whatever its range.
func TestNumberTicks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		low := 0.0
		if random.IntN(2) == 0 {
			low = random.Float64()
		}
		high := low + math.Pow(10, 7*random.Float64()-3)
		labels := make(map[string]bool)
		for _, tick := range (NumberTicks{}).Ticks(low, high) {
			if tick.Value < low || tick.Value > high {
				t.Fatalf("from %g to %g: a tick at %g", low, high, tick.Value)
			}
			labels[tick.Label] = true
		}
		if len(labels) < 3 || len(labels) > 7 {
			t.Fatalf("from %g to %g: labels %v, want three to seven", low, high, labels)
		}
	}
	for want, axis := range map[string][2]float64{
		"0 .5 1.0": {0, 1}, "0 .02 .04": {0, .05}, "0 5,000 10,000": {0, 12_000}, "-1 0 1": {-1, 1}, "": {1, 1},
	} {
		var got []string
		for _, tick := range (NumberTicks{}).Ticks(axis[0], axis[1]) {
			got = append(got, tick.Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("from %g to %g: %q, want %s", axis[0], axis[1], got, want)
		}
	}
	for _, axis := range [][2]float64{
		{math.NaN(), 1}, {2, 1}, {0, math.Inf(1)}, {-math.MaxFloat64, math.MaxFloat64}, {0, math.SmallestNonzeroFloat64},
		{1, math.Nextafter(1, 2)}, {1e300, math.Nextafter(1e300, 2e300)}, {1e16, 1e16 + 2},
	} {
		if ticks := (NumberTicks{}).Ticks(axis[0], axis[1]); ticks != nil {
			t.Errorf("from %g to %g: %d ticks, want none", axis[0], axis[1], len(ticks))
		}
	}
}
