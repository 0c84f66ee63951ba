package curation

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// formatVersion is the version of the format of a document's file.
//
//	1  the first
const formatVersion = 1

// Document is a document with the decisions of curators. Its mentions are the decided ones: the decided concept is in
// their IDs and first candidates (there are none for NIL), and Corrected has the author and time.
type Document struct {
	linked.Document
	State

	decided map[text.Span]bool // spans of mentions that were decided on or removed
}

// State is the state that a line of JSONL cannot hold.
type State struct {
	_       struct{} `additionalProperties:"true"`
	Format  int      `json:"format" doc:"The version of the format of the file"`
	Twin    int      `json:"twin,omitempty" doc:"For a document without an identifier, its number among documents with the same text, from 1"`
	Version int      `json:"version" doc:"The number of changes; 0 if nobody has opened the document"`
	Left    int      `json:"left" doc:"The number of undecided mentions"`
	Removed []Place  `json:"removed,omitempty" doc:"Removed mentions, which are not mentions of a concept"`
	Marked  []Place  `json:"marked,omitempty" doc:"Mentions that were added but not decided on"`
}

// Place is the position of a mention.
type Place struct {
	Start int `json:"start" minimum:"0" doc:"The offset of its first character, in Unicode code points of the text"`
	End   int `json:"end" minimum:"1" doc:"The offset after its last character"`
}

// isDecided reports whether a mention was decided on or removed. A nil document has no decisions.
func (d *Document) isDecided(span text.Span) bool { return d != nil && d.decided[span] }

// hasSameDecisions reports whether two documents with the same text have the same decisions, made at the same time.
func (d *Document) hasSameDecisions(o *Document) bool {
	isSame := func(a, b linked.Mention) bool {
		return a.Span == b.Span && slices.Equal(a.IDs, b.IDs) && a.Corrected.String() == b.Corrected.String()
	}
	return slices.EqualFunc(d.Mentions, o.Mentions, isSame) && slices.Equal(d.Removed, o.Removed) && slices.Equal(d.Marked, o.Marked)
}

// Over returns the decided mentions, with the assertion and resolved text that linking found for them, and those
// mentions of found that were neither decided on nor removed. found may be nil.
func (d *Document) Over(found *linked.Document) (mentions []linked.Mention) {
	at := make(map[text.Span]int, len(d.Mentions))
	for i, m := range d.Mentions { // copy: writers may add to candidates
		m.Candidates, m.SubMentions = slices.Clone(m.Candidates), slices.Clone(m.SubMentions)
		for j := range m.SubMentions {
			m.SubMentions[j].Candidates = slices.Clone(m.SubMentions[j].Candidates)
		}
		mentions, at[m.Span] = append(mentions, m), i
	}
	for _, m := range cmp.Or(found, new(linked.Document)).Mentions {
		if i, isDecided := at[m.Span]; isDecided {
			mentions[i].Assertion, mentions[i].ResolvedText = m.Assertion, m.ResolvedText
		} else if !d.isDecided(m.Span) {
			mentions = append(mentions, m)
		}
	}
	slices.SortStableFunc(mentions, func(a, b linked.Mention) int { return a.Span.Compare(b.Span) })
	return mentions
}

// MarshalJSON writes the document as a line of JSONL with the additional member "curation".
func (d *Document) MarshalJSON() ([]byte, error) {
	object, err := d.Document.MarshalJSON()
	if err != nil {
		return nil, err
	}
	member, err := json.Marshal(d.State)
	return fmt.Appendf(object[:len(object)-1], `,"curation":%s}`, member), err
}

// parse returns the document in a file.
func parse(data []byte) (*Document, error) {
	object, ok := artifact.CheckLine(data)
	if !ok || bytes.IndexByte(data, '\n') != len(data)-1 {
		return nil, artifact.Damaged("", "line 1: is not as it was written, one line with its checksum")
	}
	var read struct {
		Curation *State `json:"curation"`
	}
	d := new(Document)
	if err := errors.Join(input.DecodeJSON(object, &read), d.Document.UnmarshalJSON(object)); err != nil {
		return nil, artifact.Damaged("", "line 1: %v", err)
	}
	switch c := read.Curation; {
	case c == nil:
		return nil, artifact.Damaged("", "line 1: has no decisions of curators")
	case c.Format != formatVersion:
		return nil, artifact.Damaged("", "line 1: has format %d, want %d", c.Format, formatVersion)
	case c.Version < 1 || c.Left < 0:
		const want = "line 1: has version %d and %d mentions left, want at least 1 and 0"
		return nil, artifact.Damaged("", want, c.Version, c.Left)
	}
	d.State = *read.Curation
	if err := d.check(text.NewOffsets(d.Text)); err != nil {
		return nil, artifact.Damaged("", "line 1: %v", err)
	}
	return d, nil
}

// check collects the spans of decided and removed mentions. It returns a [*FaultError] if a removed or marked mention
// is outside the text.
func (d *Document) check(offsets *text.Offsets) error {
	d.decided = make(map[text.Span]bool, len(d.Mentions)+len(d.Removed))
	for i, place := range d.Removed {
		span, err := place.within(offsets, fmt.Sprintf("/removed/%d", i))
		if err != nil {
			return err
		}
		d.decided[span] = true
	}
	for i, place := range d.Marked {
		if _, err := place.within(offsets, fmt.Sprintf("/marked/%d", i)); err != nil {
			return err
		}
	}
	for i := range d.Mentions {
		d.decided[d.Mentions[i].Span] = true
	}
	return nil
}

// within returns a place in bytes. For a place outside the text, it returns a [*FaultError] with the pointer.
func (p Place) within(offsets *text.Offsets, pointer string) (text.Span, error) {
	span, ok := offsets.Bytes(text.Span(p))
	if !ok || span.Len() == 0 {
		const want = "mention at %d-%d, want a range within the %d characters of the text"
		return span, &FaultError{pointer, fmt.Sprintf(want, p.Start, p.End, offsets.Len())}
	}
	return span, nil
}

// fileName returns the name of a document's file, which depends on its identifier and text. A document without an
// identifier is identified by its text and by twin, its number from 1 among documents with this text; its input file
// and its position there do not matter. For a document with an identifier, twin is 0.
func fileName(id, body string, twin int) string {
	const maxNameStart = 80 // maximum bytes of the identifier in a file name
	if twin > 0 {
		id = fmt.Sprintf("text-%d", twin)
	}
	sum := sha256.New()
	for _, part := range []string{id, fmt.Sprint(twin > 0), body} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	plain := strings.Map(func(r rune) rune {
		if r < 0x80 && strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", r) {
			return r
		}
		return '_'
	}, id)
	return plain[:min(len(plain), maxNameStart)] + "-" + hex.EncodeToString(sum.Sum(nil)[:8]) + fileSuffix
}

const fileSuffix = ".jsonl"
