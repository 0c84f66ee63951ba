package eval

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func resultOf(t *testing.T, linker string, answers ...said) Result {
	t.Helper()
	return NewResult(linker, answersOf(answers), mustPolicy(t, "paper"), nil, 1)
}

func drawn(t *testing.T, what string, draw func(io.Writer) error) image.Image {
	t.Helper()
	var first, second bytes.Buffer
	if err := errors.Join(draw(&first), draw(&second)); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%s: two drawings differ", what)
	}
	img, err := png.Decode(&first)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return img
}

// countPixels is how many pixels are of a colour.
func countPixels(img image.Image, c color.Color) int {
	r, g, b, _ := c.RGBA()
	n := 0
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if pr, pg, pb, _ := img.At(x, y).RGBA(); pr == r && pg == g && pb == b {
				n++
			}
		}
	}
	return n
}

// TestReliabilityPNG compares areas: the bars of a linker that is always right
// are twice those of one that is right half of the time, at one probability. The
// bars that count the answers are of one height.
func TestReliabilityPNG(t *testing.T) {
	area := func(what string, answers ...said) int {
		r := resultOf(t, what, answers...)
		return countPixels(drawn(t, what, func(w io.Writer) error { return WriteReliabilityPNG(w, &r) }), barColour)
	}
	never := area("never", said{.7, false}, said{.7, false}) // the bar of counts alone, and the legend
	half := area("half", said{.7, true}, said{.7, false}) - never
	always := area("always", said{.7, true}, said{.7, true}) - never
	// 750 pixels or so are 4 inches at 150 dots; the lines across the bars take some.
	if half < 5_000 || always < half*18/10 || always > half*22/10 {
		t.Errorf("bars of %d pixels where half is right, and of %d where all is; want twice as many", half, always)
	}
}

func TestRiskCoveragePNG(t *testing.T) {
	one := resultOf(t, "one", said{.9, true}, said{.8, false}, said{.6, true}, said{.3, false})
	two := resultOf(t, "two", said{.9, true}, said{.7, true}, said{.6, true}, said{.3, false})
	mute := resultOf(t, "mute", said{0, true})
	for _, tc := range []struct {
		what    string
		results []Result
		colours []bool // of lineColours, whether they are there
	}{
		{"one", []Result{one}, []bool{true, false}},
		{"both", []Result{one, two}, []bool{true, true}},
		{"one without probabilities between", []Result{one, mute, two}, []bool{true, true}},
		{"one answer", []Result{resultOf(t, "single", said{1, true})}, []bool{true, false}},
		{"as many as colours", []Result{one, two, one, two, one, two}, []bool{true, true}},
	} {
		img := drawn(t, tc.what, func(w io.Writer) error { return WriteRiskCoveragePNG(w, tc.results) })
		var got []bool
		for i := range tc.colours {
			got = append(got, countPixels(img, lineColours[i]) > 20)
		}
		if diff := cmp.Diff(tc.colours, got); diff != "" {
			t.Errorf("%s: colours drawn (-want +got):\n%s", tc.what, diff)
		}
	}
}

// TestRiskCoverageOfMany draws no more curves than there are colours.
func TestRiskCoverageOfMany(t *testing.T) {
	one := resultOf(t, "one", said{.9, true}, said{.8, false}, said{.6, true}, said{.3, false})
	two := resultOf(t, "two", said{.9, true}, said{.7, true}, said{.6, true}, said{.3, false})
	var png [2]bytes.Buffer
	for i, results := range [][]Result{{one, one, one, one, one, one}, {one, one, one, one, one, one, two}} {
		if err := WriteRiskCoveragePNG(&png[i], results); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(png[0].Bytes(), png[1].Bytes()) {
		t.Error("a seventh curve changes the picture")
	}
}

func TestPlotsWithoutProbabilities(t *testing.T) {
	mute := resultOf(t, "mute", said{0, true})
	if err := WriteReliabilityPNG(io.Discard, &mute); err == nil || err.Error() != "mute gives no probabilities to draw" {
		t.Errorf("reliability: %v", err)
	}
	if err := WriteRiskCoveragePNG(io.Discard, []Result{mute}); err == nil || err.Error() != "no linker gives probabilities to draw" {
		t.Errorf("risk and coverage: %v", err)
	}
	one := resultOf(t, "one", said{.9, true})
	if err := WriteReliabilityPNG(fullDisk{}, &one); !errors.Is(err, errFull) {
		t.Errorf("on a full disk: %v", err)
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", .5: ".5", .95: ".95", 1: "1", .125: ".125"} {
		if got := short(v); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
}
