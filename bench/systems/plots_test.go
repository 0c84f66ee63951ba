package main

import (
	"bytes"
	"image/png"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/eval"
)

func TestDrawCurves(t *testing.T) {
	var b bytes.Buffer
	points := []point{{0, eval.Metric{Value: .8, Low: .7, High: .9}}, {100, eval.Metric{Value: .9, Low: .85, High: .95}}}
	if err := drawCurves(&b, "Test", labelAxis, []line{{"A", points}, {"B", points}}); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
}

// TestDrawDots: the picture is higher with more systems.
func TestDrawDots(t *testing.T) {
	height := func(n int) int {
		all := slices.Repeat([]measured{{system: system{title: "A"}, acc: eval.Metric{Value: .8, Low: .7, High: .9}}}, n)
		var b bytes.Buffer
		if err := drawDots(&b, "Test", all); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		return img.Bounds().Dy()
	}
	if two, ten := height(2), height(10); two >= ten {
		t.Errorf("%d pixels high for 2 systems and %d for 10", two, ten)
	}
}

// TestLines: systems of one series are one line, and a line has two points or more.
func TestLines(t *testing.T) {
	s, e := newSettings(t), testExperiment()
	e.axis = "size"
	e.systems = func() []system {
		return []system{
			{name: "a1", series: "A", number: 1}, {name: "b1", series: "B", number: 1},
			{name: "a9", series: "A", number: 9}, {name: "b9", series: "B", number: 9},
		}
	}
	for _, name := range []string{"a1", "b1", "a9"} { // b9 was not run
		write(t, filepath.Join(s.folder(e, name), answerFile), answers, 0o666)
		if err := s.writeRow(e, name, row{Eval: &step{}}); err != nil {
			t.Fatal(err)
		}
	}
	gold, err := s.openGold(e)
	if err != nil {
		t.Fatal(err)
	}
	all, err := gold.measured(s, e)
	if err != nil {
		t.Fatal(err)
	}
	lines := gold.lines(all)
	if len(lines) != 1 || lines[0].name != "A" || len(lines[0].points) != 2 {
		t.Fatalf("lines %+v, want A with two points", lines)
	}
	for i, number := range []int{1, 9} {
		if pt := lines[0].points[i]; pt.number != number || pt.acc.Value != .5 {
			t.Errorf("point %d is %+v, want .5 at %d", i, pt, number)
		}
	}
}
