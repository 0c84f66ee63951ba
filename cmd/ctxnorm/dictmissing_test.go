package main

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestCountMissingIsLinear checks that eight times as many phrases in a text eight times as long allocate about eight
// times as much memory.
func TestCountMissingIsLinear(t *testing.T) {
	must.SkipShort(t)
	allocated := func(n int) uint64 {
		doc := &linked.Document{ID: "1"}
		for i := range n {
			wording, start := fmt.Sprint("fever ", i), len(doc.Text)+len("He had ")
			doc.Text += "He had " + wording + ". "
			doc.Mentions = append(doc.Mentions, linked.Mention{Span: ctxnorm.Span{Start: start, End: start + len(wording)}, Text: wording,
				Source: linked.SourceRecognized})
		}
		var before, after runtime.MemStats
		counted := make(map[string]*missingCounts)
		runtime.ReadMemStats(&before)
		countMissing(counted, doc)
		runtime.ReadMemStats(&after)
		if last := counted[fmt.Sprint("fever ", n-1)]; len(counted) != n || last == nil || last.Sentence != fmt.Sprintf("He had fever %d.", n-1) {
			t.Fatalf("%d wordings, the last %+v", len(counted), last)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := allocated(100), allocated(800); many > 16*few {
		t.Errorf("100 wordings allocate %d bytes and 800 %d, want less than 16 times as much", few, many)
	}
}
