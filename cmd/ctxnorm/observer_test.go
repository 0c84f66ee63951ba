package main

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestObserverHoldsMessages checks that a message that arrives while a bar is running is printed after the bar ends, so
// that each task has one bar.
func TestObserverHoldsMessages(t *testing.T) {
	var stderr bytes.Buffer
	o, finish := (&program{stderr: &stderr}).observer()
	encode := func(done int64) {
		o.Progress(ctxnorm.Progress{Task: "encode", Unit: "exemplars", Done: done, Total: 30})
	}
	fetch := func(file string, done, total int64) {
		o.Progress(ctxnorm.Progress{Task: "fetch", Unit: "bytes", Done: done, Total: total, Note: file})
	}
	o.Log("before")
	fetch("config.json", 5, 10)
	fetch("config.json", 10, 10)
	fetch("vocab.txt", 20, 20)
	encode(10)
	o.Log("names are indexed")
	encode(20)
	o.Log("contexts are indexed")
	encode(30)
	o.Log("after")
	encode(10)
	o.Log("held until the end")
	finish()
	finish() // has no effect
	o.Log("dropped")

	want := `ctxnorm: before
ctxnorm: fetch: 10.0 B; config.json
ctxnorm: fetch: 20.0 B; vocab.txt
ctxnorm: encode: 30 exemplars
ctxnorm: names are indexed
ctxnorm: contexts are indexed
ctxnorm: after
ctxnorm: encode: 10 of 30 exemplars
ctxnorm: held until the end
`
	got := regexp.MustCompile(` in \d+s(, [^;\n]*)?`).ReplaceAllString(stderr.String(), "")
	must.Equal(t, got, want, "standard error")
}
