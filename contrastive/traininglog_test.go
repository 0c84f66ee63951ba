package contrastive

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func value(x float64) *float64 { return &x }

func appendPoints(t *testing.T, path string, after int, points ...Point) {
	t.Helper()
	c, err := OpenCurve(path, after)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if err := c.Append(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// A run that is stopped and resumed leaves the curve of one that was not.
func TestCurveResume(t *testing.T) {
	at := func(step int, loss float64) Point {
		return Point{Step: step, Loss: loss, LearningRate: 1e-4, Rate: 80, Seconds: float64(step)}
	}
	validated := at(2, 0.7)
	validated.ValLoss, validated.ValAcc = value(0.75), value(0)
	named := at(4, 0.4)
	named.Names = true

	dir := t.TempDir()
	undisturbed, resumed := filepath.Join(dir, "undisturbed.jsonl"), filepath.Join(dir, "resumed.jsonl")
	appendPoints(t, undisturbed, 0, at(1, 0.9), validated, at(3, 0.5), named)

	appendPoints(t, resumed, 0, at(1, 0.9), validated, at(3, 0.55)) // checkpoint after step 2, killed in step 4:
	half, err := os.OpenFile(resumed, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := half.WriteString(`{"step":4,"lo`); err != nil {
		t.Fatal(err)
	}
	if err := half.Close(); err != nil {
		t.Fatal(err)
	}
	appendPoints(t, resumed, 2, at(3, 0.5), named)

	want, err := os.ReadFile(undisturbed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(resumed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("resumed curve (-undisturbed +resumed):\n%s", diff)
	}
	points, err := ReadCurve(resumed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Point{at(1, 0.9), validated, at(3, 0.5), named}, points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	line, _, _ := strings.Cut(string(want), "\n")
	if want := `{"step":1,"loss":0.9,"lr":0.0001,"sentences_per_s":80,"seconds":1}`; line != want {
		t.Errorf("line %s, want %s", line, want)
	}
	appendPoints(t, resumed, 0) // a new run drops the old one's points
	if points, err := ReadCurve(resumed); err != nil || len(points) != 0 {
		t.Errorf("a new curve has points %v, %v", points, err)
	}
}

func TestCurveErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "curve.jsonl")
	c, err := OpenCurve(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Append(Point{Step: 12, Loss: math.NaN()})
	if err == nil || !strings.Contains(err.Error(), "curve.jsonl: step 12: loss NaN") {
		t.Errorf("error %v, want one that names the step and the loss", err)
	}

	if err := os.WriteFile(path, []byte("{\"step\":1}\n{\"step\":\"two\"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"ReadCurve": func() error { _, err := ReadCurve(path); return err }(),
		"OpenCurve": func() error { _, err := OpenCurve(path, 1); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), "curve.jsonl:2: json: cannot unmarshal string") {
			t.Errorf("%s: error %v, want one that names line 2", name, err)
		}
	}
	if _, err := ReadCurve(filepath.Join(dir, "none.jsonl")); err == nil || !strings.Contains(err.Error(), "none.jsonl") {
		t.Errorf("error %v, want one that names the file", err)
	}
	if _, err := OpenCurve(filepath.Join(dir, "none", "curve.jsonl"), 0); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}

func FuzzReadCurve(f *testing.F) {
	f.Add([]byte("{\"step\":1,\"loss\":0.5,\"lr\":0.1,\"sentences_per_s\":80,\"seconds\":1}\n{\"step\":2,\"lo"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "curve.jsonl")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		first, err := ReadCurve(path)
		if err != nil {
			return
		}
		// What was read is what a resumed run keeps.
		c, err := OpenCurve(path, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		second, err := ReadCurve(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("after opening (-before +after):\n%s", diff)
		}
	})
}

// falling is a curve of a run that learns.
func falling(steps int) []Point {
	points := make([]Point, steps)
	for i := range points {
		at := float64(i) / float64(steps)
		noise := 0.08 * math.Sin(float64(i*i))
		points[i] = Point{Step: i + 1, Names: i%2 == 1, Loss: 0.4 + 0.8*math.Exp(-4*at) + noise}
		if points[i].Names {
			points[i].Loss /= 3
		}
		if (i+1)%max(steps/10, 1) == 0 {
			points[i].ValLoss = value(0.5 + 0.6*math.Exp(-3*at))
			points[i].ValAcc = value(0.8 - 0.4*math.Exp(-4*at))
		}
	}
	return points
}

func TestWritePNG(t *testing.T) {
	dir := t.TempDir()
	trainOnly := falling(50)
	for i := range trainOnly {
		trainOnly[i].ValLoss, trainOnly[i].ValAcc = nil, nil
	}
	heights := make(map[string]int)
	for name, points := range map[string][]Point{
		"whole": falling(400), "train": trainOnly, "one": falling(1), "flat": {{Step: 1}, {Step: 2}},
	} {
		path := filepath.Join(dir, name+".png")
		if err := WritePNG(path, points); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		img, err := png.Decode(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		heights[name] = img.Bounds().Dy()
	}
	if heights["whole"] != 2*heights["train"] {
		t.Errorf("heights %v: want two panels with validation, one without", heights)
	}
	if err := WritePNG(filepath.Join(dir, "none.png"), nil); err == nil || !strings.Contains(err.Error(), "no points to draw") {
		t.Errorf("error %v, want no points to draw", err)
	}
}
