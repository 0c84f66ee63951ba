package link

import (
	"cmp"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// NewRecord returns a record with its mentions linked, for a [formats.Writer], given the
// result of each of its document's mentions in their order and the dictionary that names the
// candidates.
func NewRecord(record *formats.Record, results []Result, dict *kb.Dictionary) *formats.Linked {
	doc := record.Document
	offsets := text.NewOffsets(doc.Text)
	linked := &formats.Linked{Record: record, Mentions: make([]formats.LinkedMention, len(doc.Mentions))}
	for i, m := range doc.Mentions {
		result := &results[i]
		surface := m.Of(doc.Text)
		to := formats.LinkedMention{
			Start: offsets.CodePoint(m.Start), End: offsets.CodePoint(m.End), Text: surface,
			Type: m.Type, Composite: m.Composite, Corrected: result.Corrected,
			Candidates: candidateRecords(result.Candidates, cmp.Or(result.ResolvedText, surface), dict),
		}
		if record.Annotations != nil { // what the tagger found has no concepts of the input
			to.IDs = m.Concepts
			to.AnnotationID, to.SourceStart, to.SourceEnd = sourceOf(&record.Annotations[i], &to)
		}
		if result.ResolvedText != surface {
			to.ResolvedText = result.ResolvedText
		}
		if len(result.Readings) > 1 {
			for _, reading := range result.Readings {
				to.Readings = append(to.Readings, formats.LinkedReading{Text: reading.Text, Probability: rounded(reading.Probability)})
			}
		}
		for _, sub := range result.SubMentions {
			to.SubMentions = append(to.SubMentions, formats.SubMention{Text: sub.Text, Candidates: candidateRecords(sub.Candidates, sub.Text, dict)})
		}
		linked.Mentions[i] = to
	}
	return linked
}

// sourceOf returns the identifier of an annotation, and its offsets if the input counts them
// in another way than the output.
func sourceOf(a *formats.Annotation, m *formats.LinkedMention) (id string, start, end *int) {
	if a.End == 0 || a.Start == m.Start && a.End == m.End {
		return a.ID, nil, nil
	}
	return a.ID, &a.Start, &a.End
}

// candidateRecords returns the candidates of a mention that is read as surface.
func candidateRecords(candidates []Candidate, surface string, dict *kb.Dictionary) []formats.Candidate {
	records := make([]formats.Candidate, len(candidates))
	wanted := appendTrigrams(nil, normalize.Normal(surface))
	for i, c := range candidates {
		name := string(c.Concept)
		concept := dict.Lookup(c.Concept)
		if concept != nil {
			name = concept.PreferredName()
		}
		records[i] = formats.Candidate{
			ID: c.Concept, Name: name, MatchedName: cmp.Or(matchedName(concept, wanted), name),
			Score: rounded(c.Score), Probability: probability(c.Probability), Votes: c.Votes,
		}
		for _, e := range c.Evidence {
			records[i].Evidence = append(records[i].Evidence, evidenceRecord(e))
		}
	}
	return records
}

// matchedName returns the name of a concept that is most like the mention, whose trigrams are wanted: the one that is the
// same string, normalized, or else that shares most of its three-letter sequences. It is
// empty if the concept has no name. Of names that are equally like, it is the first.
func matchedName(concept *kb.Concept, wanted []trigram) string {
	if concept == nil {
		return ""
	}
	best, matched := -1., ""
	var grams []trigram
	for _, name := range concept.Names() {
		grams = appendTrigrams(grams[:0], normalize.Normal(name))
		if likeness := dice(wanted, grams); likeness > best {
			best, matched = likeness, name
		}
		if best == 1 { // none is more like
			break
		}
	}
	return matched
}

// trigram is three characters of 21 bits each, as many as a code point has.
type trigram uint64

// appendTrigrams appends the sequences of three characters of a string with a space at either end,
// sorted.
func appendTrigrams(dst []trigram, s string) []trigram {
	const mask = 1<<63 - 1
	first := len(dst)
	last, seen := trigram(' '), 1
	add := func(r rune) {
		last = (last<<21 | trigram(r)) & mask
		if seen++; seen >= 3 {
			dst = append(dst, last)
		}
	}
	for _, r := range s {
		add(r)
	}
	add(' ')
	slices.Sort(dst[first:])
	return dst
}

// dice returns Dice's coefficient of two sorted lists: twice the number of common elements
// divided by the number of all.
func dice(a, b []trigram) float64 {
	common, total := 0, len(a)+len(b)
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			common++
			a, b = a[1:], b[1:]
		}
	}
	if total == 0 {
		return 1
	}
	return 2 * float64(common) / float64(total)
}

// rounded returns x to five decimals. Further digits are noise of float32 vectors.
func rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// probability returns the probability of a candidate, rounded; nil if its linker is not calibrated.
func probability(p float64) *float64 {
	if p == 0 {
		return nil
	}
	return new(rounded(p))
}

func evidenceRecord(e Evidence) formats.Evidence {
	offsets := text.NewOffsets(e.Exemplar.Text)
	span := e.Exemplar.Mention.Span
	return formats.Evidence{
		PMID: e.Exemplar.ID, Source: e.Exemplar.Source, Text: e.Exemplar.Text,
		Start: offsets.CodePoint(span.Start), End: offsets.CodePoint(span.End),
		Similarity: rounded(float64(e.Similarity)),
	}
}
