//go:build unix

package formats

import (
	"fmt"
	"io"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestOutputsAreLinear writes a document in every format: 16 times as many mentions, in a text 16 times as long, take
// about 16 times as much of the processor.
func TestOutputsAreLinear(t *testing.T) {
	const sentence = "He had gout. "
	linkedWith := func(n int) (*Record, *linked.Document) {
		d := &linked.Document{ID: "1", Text: strings.Repeat(sentence, n)}
		for i := range n {
			start := i*len(sentence) + strings.Index(sentence, "gout")
			d.Mentions = append(d.Mentions, linked.Mention{
				Span: text.Span{Start: start, End: start + len("gout")}, Text: "gout",
				Candidates: []linked.Candidate{{Concept: "5", Name: "gout", Xrefs: []kb.ConceptID{"SNOMED:90560007"}, Probability: 1}},
			})
		}
		return NewRecord(&text.Document{ID: d.ID, Text: d.Text}), d
	}
	for _, format := range Outputs() {
		took := func(n, times int) time.Duration {
			record, d := linkedWith(n)
			least := time.Duration(math.MaxInt64)
			for range times {
				start := processorTime(t)
				w := format.New(io.Discard, WriterOptions{})
				if err := w.Write(record, d); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				least = min(least, processorTime(t)-start)
			}
			return least
		}
		if few, many := max(took(500, 3), 2*time.Millisecond), took(8000, 1); many > 40*few {
			t.Errorf("%s: 500 mentions take %v and 8,000 %v, want less than 40 times as much", format.Name, few, many)
		}
	}
}

// TestUnitsAreLinear reads mentions whose offsets count UTF-16 code units: 16 times as many, in a text 16 times as long,
// take about 16 times as much of the processor.
func TestUnitsAreLinear(t *testing.T) {
	took := func(n, times int) time.Duration {
		const sentence = "He had 𝛼 gout. " // 𝛼 is two code units
		var mentions []string
		for i := range n {
			start := 16*i + len("He had ") + len("aa ")
			mentions = append(mentions, fmt.Sprintf(`{"start": %d, "end": %d, "text": "gout"}`, start, start+len("gout")))
		}
		line := fmt.Sprintf(`{"text": %q, "mentions": [%s]}`, strings.Repeat(sentence, n), strings.Join(mentions, ", "))
		least := time.Duration(math.MaxInt64)
		for range times {
			start := processorTime(t)
			doc, err := NewReader(strings.NewReader(line), "file", Options{Unit: UTF16}).Next()
			if err != nil || len(doc.Mentions) != n {
				t.Fatal(err)
			}
			least = min(least, processorTime(t)-start)
		}
		return least
	}
	if few, many := max(took(1000, 3), 2*time.Millisecond), took(16000, 1); many > 40*few {
		t.Errorf("1,000 mentions take %v and 16,000 %v, want less than 40 times as much", few, many)
	}
}

// processorTime returns what the process has used.
func processorTime(t *testing.T) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
