package memory

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/sssom"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Export writes the entries in force, one per line, for [ReadExport]. A new memory renumbers them.
func (s *State) Export(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, e := range s.Active() {
		e.Replaces = nil // the replaced entries are not exported
		if err := encoder.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

// ReadExport reads entries from [State.Export], or others in the same format. It ignores numbers, and gives entries
// without a time the current time. The input may be compressed. An error includes the line number.
func ReadExport(r io.Reader, limits files.Limits) ([]Entry, error) {
	text, err := input.NewReader(r)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	kept := int64(0) // bytes of lines
	limits = limits.WithDefaults()
	err = input.NewLines(text, limits).Each(func(line string, _ int) error {
		if line == "" {
			return nil
		}
		var e Entry // [Log.Add] checks it
		if err := decodeStrictly([]byte(line), &e); err != nil {
			return fmt.Errorf("entry: %w", err)
		}
		entries = append(entries, e)
		kept += int64(len(line))
		return limits.CheckInMemory("a list of entries", kept)
	})
	return entries, err
}

// ExportSSSOM writes the names, contexts and NIL examples in force as SSSOM/TSV, for [ReadSSSOM] and for other programs
// (https://mapping-commons.github.io/sssom/). Concepts are labeled as in the dictionary. New concepts and phrases that
// are no mentions are not mappings and are skipped; leftOut is their number.
func (s *State) ExportSSSOM(w io.Writer, dict *kb.Dictionary) (leftOut int, err error) {
	var mappings []sssom.Mapping
	added := make(map[kb.ConceptID]string)
	for _, e := range s.Active() {
		m := sssom.Mapping{
			Label: e.Name, Everywhere: e.Kind == KindName, Object: e.Concept, NoTerm: e.Kind == KindNIL,
			ObjectLabel:   added[e.Concept],
			Justification: sssom.ManualCuration, Author: e.By, Date: e.At,
			Document: e.Document, Text: e.Text, Start: e.Start, End: e.End, Only: e.Only,
		}
		if e.Kind == KindConcept || e.Kind == KindNoMention {
			added[e.ID] = e.Name
			leftOut++
			continue
		}
		if c := dict.Lookup(e.Concept); c != nil {
			m.ObjectLabel = c.PreferredName()
		}
		if e.hasMention() {
			m.Label = e.wording()
		}
		mappings = append(mappings, m)
	}
	return leftOut, sssom.Write(w, mappings)
}

// ReadSSSOM reads entries from the manually curated mappings ("semapv:ManualMappingCuration") in an SSSOM/TSV file
// whose subjects are literals: one from [State.ExportSSSOM], or links from text/formats that a person has reviewed.
// leftOut is the number of other mappings, which are skipped. A skos:exactMatch is a name. A skos:closeMatch with the
// text around its surface form is a context, or a NIL example if no term was found. The time of an entry is the start
// of its day. An error includes the line number, as does the error of [Log.Import] for a label that is not a name of
// its concept.
func ReadSSSOM(r *bufio.Reader, limits files.Limits) (entries []Entry, leftOut int, err error) {
	mappings, err := sssom.Read(r, limits)
	if err != nil {
		return nil, 0, err
	}
	for _, m := range mappings {
		if m.Justification != sssom.ManualCuration {
			leftOut++
			continue
		}
		e := Entry{
			Kind: KindContext, By: m.Author, At: m.Date, Concept: m.Object, Label: m.ObjectLabel, Line: m.Line,
			Document: m.Document, Text: m.Text, Start: m.Start, End: m.End, Only: m.Only,
		}
		switch {
		case m.Everywhere && !m.NoTerm:
			e = Entry{Kind: KindName, By: m.Author, At: m.Date, Concept: m.Object, Name: m.Label, Label: m.ObjectLabel, Line: m.Line}
		case m.Text == "":
			return nil, 0, fmt.Errorf("line %d: ext_text is empty, want the text around %q: without it only a "+
				"skos:exactMatch with a concept is a correction", m.Line, m.Label)
		case m.NoTerm:
			e.Kind, e.Label = KindNIL, ""
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return nil, leftOut, errors.New("no mapping has the mapping_justification " + sssom.ManualCuration)
	}
	return entries, leftOut, nil
}
