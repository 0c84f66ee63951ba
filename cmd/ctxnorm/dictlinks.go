package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// linkChange is a link affected by a change between two versions of a dictionary.
type linkChange struct {
	Document string `json:"document"`
	Start    int    `json:"start"` // in the unit of the file
	End      int    `json:"end"`
	Text     string `json:"text"`
	// ID is the concept that the mention is linked to; empty for NIL.
	ID     ctxnorm.ConceptID `json:"id"`
	Name   string            `json:"name"` // preferred name in the old version
	Change string            `json:"change"`
	// New are the concepts to review in the new version. For a merged concept, it is the one that it was merged into;
	// for a split, the one that now has the identifier; for an added name, those that have the name.
	New []ctxnorm.ConceptID `json:"new,omitempty"`
}

// dictLinks compares links with two versions of a dictionary.
type dictLinks struct {
	before, after *ctxnorm.Dictionary
	// Concepts by the phrases of links, in canonical form: concepts with the phrase as a name in the old version, those
	// in the new version, and those that gained the name.
	hadName, hasName, gotName map[string][]ctxnorm.ConceptID
	changes                   []linkChange
	total, unknown            int // number of mentions, and of links to concepts in neither version
}

// readLinks reads the links in files and compares them.
func (p *program) readLinks(files []string, before, after *ctxnorm.Dictionary) (*dictLinks, error) {
	documents := documentFlags{input: files, Options: formats.Options{Candidates: true}}
	var linked []*formats.Record
	err := p.eachRecord(&documents, func(r *formats.Record) error {
		linked = append(linked, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return compareLinks(linked, before, after), nil
}

// compareLinks compares the links of documents. The time is linear in the number of links and names.
func compareLinks(linked []*formats.Record, before, after *ctxnorm.Dictionary) *dictLinks {
	l := &dictLinks{before: before, after: after, hadName: make(map[string][]ctxnorm.ConceptID),
		hasName: make(map[string][]ctxnorm.ConceptID), gotName: make(map[string][]ctxnorm.ConceptID)}
	for _, doc := range linked {
		l.total += len(doc.Mentions)
		for _, m := range doc.Mentions {
			wording := canonical(m.Of(doc.Text))
			l.hadName[wording], l.hasName[wording] = nil, nil
		}
	}
	collectNames(l.hadName, before)
	collectNames(l.hasName, after)
	for wording, has := range l.hasName {
		known := make(map[ctxnorm.ConceptID]bool)
		for _, old := range l.hadName[wording] {
			if now := after.Lookup(old); now != nil {
				known[now.ID] = true
			}
		}
		for _, id := range has {
			if !known[id] {
				l.gotName[wording] = append(l.gotName[wording], id)
			}
		}
	}
	for _, record := range linked {
		l.compare(record)
	}
	return l
}

// canonical normalizes a phrase so that variants of case, number and spelling are equal.
func canonical(wording string) string { return strings.Join(normalize.CanonicalTokens(wording), " ") }

// collectNames adds to each phrase the concepts that have it as a name.
func collectNames(wordings map[string][]ctxnorm.ConceptID, dict *ctxnorm.Dictionary) {
	for _, concept := range dict.All() {
		for _, name := range concept.Names() {
			key := canonical(name)
			ids, asked := wordings[key]
			if asked && (len(ids) == 0 || ids[len(ids)-1] != concept.ID) {
				wordings[key] = append(ids, concept.ID)
			}
		}
	}
}

// compare adds the links of a record that are affected by changes.
func (l *dictLinks) compare(r *formats.Record) {
	offsets := text.NewOffsets(r.Text)
	for i := range r.Mentions {
		m := &r.Mentions[i]
		at := offsets.CodePoints(m.Span)
		if r.Annotations != nil && r.Annotations[i].End != 0 {
			at = text.Span{Start: r.Annotations[i].Start, End: r.Annotations[i].End}
		}
		ids := m.Concepts
		if len(ids) == 0 {
			ids = []ctxnorm.ConceptID{""}
		}
		for _, id := range ids {
			change := linkChange{Document: r.ID, Start: at.Start, End: at.End, Text: m.Of(r.Text), ID: id}
			if l.changeOf(&change) {
				l.changes = append(l.changes, change)
			}
		}
	}
}

// changeOf fills in the change of a link, and reports whether there is one.
func (l *dictLinks) changeOf(c *linkChange) bool {
	key := canonical(c.Text)
	added := l.gotName[key]
	if c.ID == "" {
		c.Change, c.New = changeNameAdded, added
		return len(added) > 0
	}
	was, is := l.before.Lookup(c.ID), l.after.Lookup(c.ID)
	if was != nil {
		c.Name = was.PreferredName()
	}
	switch {
	case was == nil && is == nil:
		l.unknown++
		return false
	case was == nil: // the link was made with the new version
		return false
	case is == nil:
		c.Change, c.New = changeRemoved, l.hasName[key]
	case is.ID != was.ID && !isOneConcept(was, is, l.before, l.after):
		if c.Change = changeMerged; is.ID == c.ID {
			c.Change = changeSplit
		}
		c.New = []ctxnorm.ConceptID{is.ID}
	case slices.Contains(l.hadName[key], was.ID) && !slices.Contains(l.hasName[key], is.ID):
		c.Change, c.New = changeNameRemoved, l.hasName[key]
	case len(added) > 0 && !slices.Contains(added, is.ID):
		c.Change, c.New = changeNameAdded, added
	case c.ID == was.ID && is.ID != c.ID:
		c.Change, c.New = changeNewID, []ctxnorm.ConceptID{is.ID}
	default:
		return false
	}
	return true
}

// rows returns the links as a table to print.
func (l *dictLinks) rows() [][]string {
	rows := [][]string{{"document", "start", "end", "text", "id", "name", "change", "new"}}
	for _, c := range l.changes {
		rows = append(rows, []string{c.Document, strconv.Itoa(c.Start), strconv.Itoa(c.End), c.Text, string(c.ID), c.Name,
			c.Change, strings.Join(stringsOf(c.New), "|")})
	}
	return rows
}

// String reports how many links change.
func (l *dictLinks) String() string {
	counts := make(map[string]int)
	for i := range l.changes {
		counts[l.changes[i].Change]++
	}
	said := fmt.Sprintf("%d of %d links may change: %s", len(l.changes), l.total, describeCounts(counts))
	if l.unknown > 0 {
		said += fmt.Sprintf("; of %d neither version has the concept", l.unknown)
	}
	return said
}
