package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

// collector has the flags, and collects the definitions of short forms in records. The records may come in any order.
type collector struct {
	Dict     string  `flag:"dict" usage:"dictionary file"`
	IDs      string  `flag:"ids" usage:"file of concepts with all their ids"`
	Exclude  string  `flag:"exclude-pmids" usage:"file of PMIDs to leave out, one a line"`
	Share    float64 `flag:"share" default:".2" usage:"share of the records to hold out, sampled by PMID, more than 0 and below 1"`
	PerSense int     `flag:"mentions-per-sense" default:"10" usage:"largest number of mentions of a sense of a short form, 0 for all"`
	Seed     int     `flag:"seed" default:"1" usage:"seed of the samples of records, mentions and occurrences"`
	Output   string  `flag:"output" required:"shortforms" usage:"JSONL file of gold to write"`
	HeldOut  string  `flag:"held-out" required:"shortforms" usage:"file to write the held-out PMIDs and those of -exclude-pmids to"`

	Paths []string `args:"files of PubMed XML"`

	records map[string]*record // by PMID
}

// record is the latest version of a PubMed record.
type record struct {
	version     int
	text        string // empty unless the record is held out and defines a short form
	heldOut     bool
	definitions []definition
}

// definition is a definition in a record, with the spelling key of its long form.
type definition struct{ short, long, key string }

// add collects the definitions in the title and the abstract of a record. Of several versions
// of a record the highest counts.
func (c *collector) add(rec *pubmed.Record) {
	if old := c.records[rec.PMID]; old != nil && old.version >= rec.Version {
		return
	}
	body := rec.Title
	for _, section := range rec.Sections {
		body += "\n" + section.Text
	}
	r := &record{version: rec.Version, heldOut: sampling.Unit(uint64(c.Seed), "held-out record", rec.PMID) < c.Share}
	c.records[rec.PMID] = r
	for _, d := range abbrev.Find(body) {
		short := normalize.SingularShortForm(d.Short.Of(body))
		key := spellingKey(d.Long.Of(body))
		isSame := func(d definition) bool { return d.short == short && d.key == key }
		if key != "" && normalize.LooksLikeShortForm(short) && !slices.ContainsFunc(r.definitions, isSame) {
			r.definitions = append(r.definitions, definition{strings.Clone(short), strings.Clone(d.Long.Of(body)), key})
		}
	}
	if r.heldOut && len(r.definitions) > 0 {
		r.text = body
	}
}

// gold is the outcome: documents with one mention of each of their ambiguous short forms.
type gold struct {
	documents []*text.Document // by PMID; their mentions have a sense
	heldOut   []string         // PMIDs of all records held out, sorted
	counts    counts
}

// counts holds the size of the gold and the numbers of exclusions. It counts records, held-out records, short forms,
// senses and mentions; among the mentions "outside" (the sense is not a concept) and "unseen" (only held-out records
// define the sense). Excluded are definitions that are unsure (the long form is similar to a name), rare (in a single
// record) or contradictory (two senses in a record), records that still define the short form after hiding, short forms
// that never stand alone, and mentions over the limit of a sense.
type counts map[string]int

// candidate is a mention that may be in the gold.
type candidate struct {
	doc     *text.Document
	mention text.Mention
	hash    uint64
}

// gold returns the gold of the records added, with the concepts of a dictionary as senses.
func (c *collector) gold(dict *kb.Dictionary) *gold {
	names := &nameTable{lexical.NewExact(dict), lexical.NewKeyIndex(context.Background(), dict, spellingKey),
		lexical.NewKeyIndex(context.Background(), dict, sortedWords), model.NewDictionaryIndexes(dict).Lexical()}
	g := &gold{counts: counts{"records": len(c.records)}}
	senses := make(map[string]map[string]*sense) // of the ambiguous short forms, by spelling key
	for short, usages := range c.usages() {
		if byKey := names.senses(usages); isAmbiguous(byKey) {
			senses[short] = byKey
		}
	}
	bySense := make(map[string][]*candidate) // by short form and long form
	for _, pmid := range slices.Sorted(maps.Keys(c.records)) {
		r := c.records[pmid]
		if !r.heldOut {
			continue
		}
		g.heldOut = append(g.heldOut, pmid)
		for _, m := range c.candidates(pmid, r, senses, g.counts) {
			key := m.mention.Of(m.doc.Text) + "\n" + m.mention.Sense.LongForm
			bySense[key] = append(bySense[key], m)
		}
	}
	g.counts["held out"] = len(g.heldOut)
	g.take(bySense, c.PerSense)
	return g
}

// usages returns the long forms of each short form that has several.
func (c *collector) usages() map[string][]*usage {
	usages := make(map[string][]*usage)
	known := make(map[[2]string]*usage) // by short form and key
	for _, r := range c.records {
		for _, d := range r.definitions {
			u := known[[2]string{d.short, d.key}]
			if u == nil {
				u = &usage{key: d.key, written: make(normalize.WrittenForms)}
				known[[2]string{d.short, d.key}] = u
				usages[d.short] = append(usages[d.short], u)
			}
			u.written[d.long]++
			u.records++
			if !r.heldOut {
				u.seen++
			}
		}
	}
	maps.DeleteFunc(usages, func(_ string, all []*usage) bool { return len(all) < 2 })
	return usages
}

// candidates returns one mention of each ambiguous short form that a held-out record defines. All are in one document
// that no longer defines them. It counts the exclusions.
func (c *collector) candidates(pmid string, r *record, senses map[string]map[string]*sense, counts counts) []*candidate {
	defined := make(map[string]*sense) // by short form
	contradictory := make(map[string]bool)
	for _, d := range r.definitions {
		byKey, ambiguous := senses[d.short]
		if !ambiguous {
			continue
		}
		s := byKey[d.key]
		other, again := defined[d.short]
		switch {
		case s == nil:
			counts["unsure"]++
		case s.records < minRecords:
			counts["rare"]++
		case again && other != s:
			counts["contradictory"]++
		default:
			defined[d.short] = s
			continue
		}
		contradictory[d.short] = true
	}
	maps.DeleteFunc(defined, func(short string, _ *sense) bool { return contradictory[short] })
	body := r.text
	shorts := slices.Sorted(maps.Keys(defined))
	for _, short := range shorts {
		body, _ = abbrev.Hide(body, short)
	}
	doc := &text.Document{ID: pmid, Text: body}
	var all []*candidate
	for _, short := range shorts {
		if abbrev.Defines(body, short) {
			counts["still defined"]++
			return nil
		}
		spans := abbrev.SpansOf(body, short)
		if len(spans) == 0 {
			counts["not mentioned"]++
			continue
		}
		span := slices.MinFunc(spans, func(a, b text.Span) int {
			hash := func(s text.Span) uint64 {
				return sampling.Hash(uint64(c.Seed), "occurrence", pmid, short, strconv.Itoa(s.Start))
			}
			return cmp.Compare(hash(a), hash(b))
		})
		s := defined[short]
		all = append(all, &candidate{doc, text.Mention{
			Span: span, Concepts: s.concepts,
			Sense: &text.Sense{LongForm: s.longForm, Records: s.seen},
		}, sampling.Hash(uint64(c.Seed), "mention", pmid, short)})
	}
	return all
}

// take adds a sample of the candidates to the gold, at most limit of each sense unless that is 0.
func (g *gold) take(bySense map[string][]*candidate, limit int) {
	shortForms := make(map[string]bool)
	for _, all := range bySense {
		slices.SortFunc(all, func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.doc.ID, b.doc.ID))
		})
		kept := all[:min(cmp.Or(limit, len(all)), len(all))]
		g.counts["over the limit"] += len(all) - len(kept)
		shortForms[all[0].mention.Of(all[0].doc.Text)] = true
		g.counts["senses"]++
		for _, m := range kept {
			if len(m.doc.Mentions) == 0 {
				g.documents = append(g.documents, m.doc)
			}
			m.doc.Mentions = append(m.doc.Mentions, m.mention)
			g.counts["mentions"]++
			if len(m.mention.Concepts) == 0 {
				g.counts["outside"]++
			}
			if m.mention.Sense.Records == 0 {
				g.counts["unseen"]++
			}
		}
	}
	g.counts["short forms"] = len(shortForms)
	slices.SortFunc(g.documents, func(a, b *text.Document) int { return strings.Compare(a.ID, b.ID) })
	for _, doc := range g.documents {
		slices.SortFunc(doc.Mentions, func(a, b text.Mention) int { return a.Span.Compare(b.Span) })
	}
}
