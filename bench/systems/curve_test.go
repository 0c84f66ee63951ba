package main

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/ctxnorm/ctxnorm/eval"
)

func TestDrawCurve(t *testing.T) {
	var b bytes.Buffer
	points := []point{{0, eval.Metric{Value: .8, Low: .7, High: .9}}, {100, eval.Metric{Value: .9, Low: .85, High: .95}}}
	if err := drawCurve(&b, "Test", labelAxis, points); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
}
