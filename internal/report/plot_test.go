package report

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/plot"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// answer is a prediction with a candidate of this probability.
type answer struct {
	probability float64
	correct     bool
}

func resultOf(t *testing.T, linker string, answers ...answer) eval.Result {
	t.Helper()
	policy, err := eval.PolicyByName("paper")
	if err != nil {
		t.Fatal(err)
	}
	doc := new(text.Document)
	var predictions []eval.Prediction
	for _, a := range answers {
		concept := kb.ConceptID("B")
		if a.correct {
			concept = "A"
		}
		candidates := []eval.Candidate{{Concept: concept, Probability: a.probability}}
		predictions = append(predictions, eval.Prediction{
			Mention:    &eval.GoldMention{Query: text.Query{Document: doc}, Gold: []kb.ConceptID{"A"}},
			Candidates: candidates, Ranked: candidates,
		})
	}
	return eval.NewResult(linker, predictions, policy, nil, 1)
}

// decodePlot decodes the PNG that write writes, and checks that it writes the same twice.
func decodePlot(t *testing.T, name string, write func(io.Writer) error) image.Image {
	t.Helper()
	var first, second bytes.Buffer
	if err := errors.Join(write(&first), write(&second)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%s: two plots of the same data differ", name)
	}
	img, err := png.Decode(&first)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return img
}

// countPixels returns the number of pixels of a color.
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

// TestReliabilityPNG compares areas. The accuracy bars of a linker that is always
// correct are twice as high as those of one that is correct half of the time. The
// bars that count predictions have the same height.
func TestReliabilityPNG(t *testing.T) {
	area := func(name string, answers ...answer) int {
		r := resultOf(t, name, answers...)
		return countPixels(decodePlot(t, name, func(w io.Writer) error { return WriteReliability(w, plot.PNG, &r) }), barColor)
	}
	never := area("never", answer{.7, false}, answer{.7, false}) // only the bar of counts, and the legend
	half := area("half", answer{.7, true}, answer{.7, false}) - never
	always := area("always", answer{.7, true}, answer{.7, true}) - never
	// A panel is about 5 inches of 150 pixels high; lines across the bars hide some.
	if half < 5_000 || always < half*18/10 || always > half*22/10 {
		t.Errorf("bars of %d pixels if half is correct and of %d if all is; want twice as many", half, always)
	}
}

func TestRiskCoveragePNG(t *testing.T) {
	one := resultOf(t, "one", answer{.9, true}, answer{.8, false}, answer{.6, true}, answer{.3, false})
	two := resultOf(t, "two", answer{.9, true}, answer{.7, true}, answer{.6, true}, answer{.3, false})
	mute := resultOf(t, "mute", answer{0, true})
	for _, tc := range []struct {
		name    string
		results []eval.Result
		colors  []bool // whether each of plot.LineColors occurs
	}{
		{"one", []eval.Result{one}, []bool{true, false}},
		{"both", []eval.Result{one, two}, []bool{true, true}},
		{"a linker without probabilities between them", []eval.Result{one, mute, two}, []bool{true, true}},
		{"one answer", []eval.Result{resultOf(t, "single", answer{1, true})}, []bool{true, false}},
		{"as many as colors", []eval.Result{one, two, one, two, one, two}, []bool{true, true}},
	} {
		img := decodePlot(t, tc.name, func(w io.Writer) error { return WriteRiskCoverage(w, plot.PNG, tc.results) })
		var got []bool
		for i := range tc.colors {
			got = append(got, countPixels(img, plot.LineColors[i]) > 20)
		}
		if diff := cmp.Diff(tc.colors, got); diff != "" {
			t.Errorf("%s: colors (-want +got):\n%s", tc.name, diff)
		}
	}
}

// TestRiskCoverageOfMany plots no more curves than there are colors.
func TestRiskCoverageOfMany(t *testing.T) {
	one := resultOf(t, "one", answer{.9, true}, answer{.8, false}, answer{.6, true}, answer{.3, false})
	two := resultOf(t, "two", answer{.9, true}, answer{.7, true}, answer{.6, true}, answer{.3, false})
	var png [2]bytes.Buffer
	for i, results := range [][]eval.Result{{one, one, one, one, one, one}, {one, one, one, one, one, one, two}} {
		if err := WriteRiskCoverage(&png[i], plot.PNG, results); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(png[0].Bytes(), png[1].Bytes()) {
		t.Error("a seventh curve changes the plot")
	}
}

func TestPlotsWithoutProbabilities(t *testing.T) {
	mute := resultOf(t, "mute", answer{0, true})
	if err := WriteReliability(io.Discard, plot.PNG, &mute); err == nil || err.Error() != "mute returns no probabilities, so there is nothing to plot" {
		t.Errorf("reliability: %v", err)
	}
	if err := WriteRiskCoverage(io.Discard, plot.PNG, []eval.Result{mute}); err == nil || err.Error() != "no linker returns probabilities, so there is nothing to plot" {
		t.Errorf("risk and coverage: %v", err)
	}
	one := resultOf(t, "one", answer{.9, true})
	if err := WriteReliability(fullDisk{}, plot.PNG, &one); !errors.Is(err, errDiskFull) {
		t.Errorf("on a full disk: %v", err)
	}
}

// The legend of the reliability diagram stands above the bars, also where all of them are as high as
// can be. Its third line ends 155 pixels below the top.
func TestLegendAboveBars(t *testing.T) {
	var answers []answer
	for bin := range 15 {
		answers = append(answers, answer{(float64(bin) + .5) / 15, true})
	}
	result := resultOf(t, "model", answers...)
	img := decodePlot(t, "reliability", func(w io.Writer) error { return WriteReliability(w, plot.PNG, &result) })
	width := img.Bounds().Dx()
	for y := range img.Bounds().Dy() {
		bars := 0
		for x := range width {
			if color.RGBAModel.Convert(img.At(x, y)) == barColor {
				bars++
			}
		}
		if bars < width/2 { // the legend's own sample of a bar is narrower
			continue
		}
		if y < 160 {
			t.Errorf("bars begin %d pixels below the top, where the legend is", y)
		}
		return
	}
	t.Error("no bars")
}
