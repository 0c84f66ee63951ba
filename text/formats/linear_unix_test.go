//go:build unix

package formats

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestOutputsAreLinear writes a document in every format and checks that 16 times as many mentions, in a text 16 times
// as long, take about 16 times the processor time.
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
		isLinear(t, string(format.Name), 500, func(n int) func() error {
			record, d := linkedWith(n)
			return func() error {
				w := format.New(io.Discard, WriterOptions{})
				return cmp.Or(w.Write(record, d), w.Close())
			}
		})
	}
}

// isLinear compares the processor times of a function for few and for 16 times as many mentions.
func isLinear(t *testing.T, name string, n int, with func(n int) func() error) {
	t.Helper()
	took := func(n, times int) time.Duration {
		do, least := with(n), time.Duration(math.MaxInt64)
		for range times {
			start := processorTime(t)
			must.Succeed(t, do())
			least = min(least, processorTime(t)-start)
		}
		return least
	}
	if few, many := max(took(n, 3), 2*time.Millisecond), took(16*n, 1); many > 80*few {
		t.Errorf("%s: %d mentions take %v and %d %v, want less than 80 times as much", name, n, few, 16*n, many)
	}
}

// TestUnitsAreLinear reads mentions with offsets in UTF-16 code units and checks that 16 times as many, in a text 16
// times as long, take about 16 times the processor time.
func TestUnitsAreLinear(t *testing.T) {
	isLinear(t, "offsets of UTF-16", 1000, func(n int) func() error {
		const sentence = "He had 𝛼 gout. " // 𝛼 is two code units
		var mentions []string
		for i := range n {
			start := 16*i + len("He had ") + len("aa ")
			mentions = append(mentions, fmt.Sprintf(`{"start": %d, "end": %d, "text": "gout"}`, start, start+len("gout")))
		}
		line := fmt.Sprintf(`{"text": %q, "mentions": [%s]}`, strings.Repeat(sentence, n), strings.Join(mentions, ", "))
		return func() error {
			doc, err := NewReader(strings.NewReader(line), "file", Options{Unit: UTF16}).Next()
			if err == nil && len(doc.Mentions) != n {
				t.Errorf("%d mentions, want %d", len(doc.Mentions), n)
			}
			return err
		}
	})
}

// TestBioCIsLinear reads a passage with 16 times as many annotations.
func TestBioCIsLinear(t *testing.T) {
	isLinear(t, "annotations of BioC", 1000, func(n int) func() error {
		var annotations strings.Builder
		for i := range n {
			fmt.Fprintf(&annotations, `<annotation id="%d"><location offset="%d" length="4"/><text>gout</text></annotation>`, i, 5*i)
		}
		content := "<collection><document><id>1</id><passage><text>" + strings.Repeat("gout ", n) + "</text>" + annotations.String() +
			"<offset>0</offset></passage></document></collection>"
		return func() error {
			doc, err := NewReader(strings.NewReader(content), "in.xml", Options{}).Next()
			if err == nil && len(doc.Mentions) != n {
				t.Errorf("%d mentions, want %d", len(doc.Mentions), n)
			}
			return err
		}
	})
}

// processorTime returns the processor time that the process has used.
func processorTime(t *testing.T) time.Duration {
	var used syscall.Rusage
	must.Succeed(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
