package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// fullOutput accepts a number of documents and then fails.
type fullOutput struct {
	written []string
	left    int
}

var errFull = errors.New("full")

// Write implements [formats.Writer].
func (w *fullOutput) Write(record *formats.Record, _ *linked.Document) error {
	if w.left == 0 {
		return errFull
	}
	w.left--
	w.written = append(w.written, record.ID)
	return nil
}

// Close implements [formats.Writer].
func (w *fullOutput) Close() error { return nil }

// TestLinkBatches checks that documents are written in order for any batch size, and that an error of the output stops
// reading.
func TestLinkBatches(t *testing.T) {
	t.Parallel()
	const documents = 100
	var input strings.Builder
	for i := range documents {
		fmt.Fprintf(&input, `{"id":"d%d","text":"gout and ulcer"}`+"\n", i)
	}
	model := ctxnorm.NewDictionaryModel(kb.NewDictionary([]kb.Concept{{ID: "C1", Name: "gout"}}), "gout.tsv")
	for _, test := range []struct {
		batch, room int
		want        error
	}{{1, documents, nil}, {7, documents, nil}, {64, documents, nil}, {1, 3, errFull}, {64, 50, errFull}} {
		stdin := strings.NewReader(input.String())
		out := &fullOutput{left: test.room}
		run := &linkRun{program: &program{stdin: stdin, stderr: new(bytes.Buffer)}, flags: &linkFlags{batch: test.batch}, model: model,
			out: &linkedOutput{Writer: out}, options: ctxnorm.LinkOptions{Method: ctxnorm.MethodLexical}}
		err := run.link(t.Context(), &documentFlags{input: []string{"-"}})
		if !errors.Is(err, test.want) || len(out.written) != test.room {
			t.Errorf("batches of %d, room for %d: error %v after %d documents, want %v", test.batch, test.room, err, len(out.written), test.want)
		}
		for i, id := range out.written {
			must.Equal(t, id, fmt.Sprint("d", i), "batches", test.batch, "document", i)
		}
	}
}

func TestLogCascade(t *testing.T) {
	var got strings.Builder
	p := &program{stderr: &got}
	p.logCascade(link.CascadeCounts{})
	p.logCascade(link.CascadeCounts{Concept: 5, NIL: 2, Encoder: 3})
	must.Equal(t, got.String(),
		"ctxnorm: 70.0 % of 10 mentions were answered without the encoder: 50.0 % with a concept, 20.0 % as NIL\n")
}

// TestBatchesOfLongTexts checks that batches double up to the limit, and end earlier with long texts: 10 documents of
// 1.5 MiB would make batches of 1, 2, 4 and 3, but three of them exceed maxBatchText.
func TestBatchesOfLongTexts(t *testing.T) {
	t.Parallel()
	input := strings.Repeat(strings.Repeat("gout ", 3<<19/5)+"\n", 10)
	p := &program{stdin: strings.NewReader(input), stderr: new(bytes.Buffer)}
	var sizes []int
	err := p.eachBatch(t.Context(), &documentFlags{input: []string{"-"}}, nil, ctxnorm.LinkOptions{}, 64,
		func(records []*formats.Record) error {
			sizes = append(sizes, len(records))
			return nil
		})
	if want := []int{1, 2, 3, 3, 1}; err != nil || !slices.Equal(sizes, want) {
		t.Errorf("batches of %v, %v; want %v", sizes, err, want)
	}
}
