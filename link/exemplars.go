package link

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"ctxnorm"
	"ctxnorm/mine"
)

// Contexts makes an exemplar of every mention that tag finds in the sentences.
// The mentions that the sentences came with are not used, so a corpus tagged
// with a whole dictionary serves any part of it.
func Contexts(sentences iter.Seq2[*ctxnorm.Document, error], tag func([]ctxnorm.Mention, string) []ctxnorm.Mention) ([]ctxnorm.Exemplar, error) {
	var contexts []ctxnorm.Exemplar
	for sentence, err := range sentences {
		if err != nil {
			return nil, err
		}
		mentions := tag(nil, sentence.Text)
		if len(mentions) == 0 {
			continue
		}
		doc := &ctxnorm.Document{ID: sentence.ID, Text: sentence.Text, Mentions: mentions}
		whole := ctxnorm.Span{Start: 0, End: len(doc.Text)}
		for _, m := range mentions {
			contexts = append(contexts, ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: m, Sentence: whole}})
		}
	}
	return contexts, nil
}

// Sample keeps for every concept the perConcept contexts with the smallest hash
// of (seed, concept, document, text, place), the others only where another
// concept keeps them. The result is ordered by document, text and place,
// whatever the order of contexts.
func Sample(contexts []ctxnorm.Exemplar, perConcept int, seed uint64) []ctxnorm.Exemplar {
	byConcept := make(map[ctxnorm.ConceptID][]int)
	for i := range contexts {
		for _, concept := range contexts[i].Mention.Concepts {
			byConcept[concept] = append(byConcept[concept], i)
		}
	}
	keep := make(map[int]bool)
	for concept, rows := range byConcept {
		for _, row := range smallestHashes(contexts, rows, perConcept, seed, string(concept)) {
			keep[row] = true
		}
	}
	return selected(contexts, keep)
}

// Draw keeps n contexts, those with the smallest hash of (seed, document, text,
// place), in the order of [Sample].
func Draw(contexts []ctxnorm.Exemplar, n int, seed uint64) []ctxnorm.Exemplar {
	rows := make([]int, len(contexts))
	for i := range rows {
		rows[i] = i
	}
	keep := make(map[int]bool)
	for _, row := range smallestHashes(contexts, rows, n, seed, "") {
		keep[row] = true
	}
	return selected(contexts, keep)
}

// smallestHashes are the n rows whose exemplars have the smallest hashes.
func smallestHashes(contexts []ctxnorm.Exemplar, rows []int, n int, seed uint64, salt string) []int {
	type draw struct {
		hash uint64
		row  int
	}
	draws := make([]draw, len(rows))
	for i, row := range rows {
		ex := &contexts[row]
		draws[i] = draw{ctxnorm.Hash(seed, salt, ex.ID, ex.Text, strconv.Itoa(ex.Mention.Start)), row}
	}
	slices.SortFunc(draws, func(a, b draw) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), compareExemplars(&contexts[a.row], &contexts[b.row]))
	})
	kept := make([]int, min(n, len(draws)))
	for i := range kept {
		kept[i] = draws[i].row
	}
	return kept
}

func selected(contexts []ctxnorm.Exemplar, keep map[int]bool) []ctxnorm.Exemplar {
	kept := make([]ctxnorm.Exemplar, 0, len(keep))
	for i := range contexts {
		if keep[i] {
			kept = append(kept, contexts[i])
		}
	}
	slices.SortFunc(kept, func(a, b ctxnorm.Exemplar) int { return compareExemplars(&a, &b) })
	return kept
}

func compareExemplars(a, b *ctxnorm.Exemplar) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Mention.Start, b.Mention.Start))
}

// Names makes an exemplar of every distinct name of the dictionary, ordered by
// its lower-cased form. Names that differ in case only are one exemplar, written
// as the first concept by ID writes it and owned by all concepts that have it.
func Names(dict *ctxnorm.Dictionary) []ctxnorm.Exemplar {
	type owned struct {
		name   string
		owners []ctxnorm.ConceptID
	}
	n := dict.CountNames()
	at := make(map[string]int, n)
	keys, names := make([]string, 0, n), make([]owned, 0, n)
	for i := range dict.Len() {
		concept := dict.At(i)
		for _, name := range concept.Names() {
			key := strings.ToLower(name)
			j, known := at[key]
			if !known {
				at[key] = len(names)
				keys = append(keys, key)
				names = append(names, owned{name, []ctxnorm.ConceptID{concept.ID}})
				continue
			}
			// Concepts come in the order of their IDs: a repeated owner is the last one.
			if owners := names[j].owners; owners[len(owners)-1] != concept.ID {
				names[j].owners = append(owners, concept.ID)
			}
		}
	}
	slices.Sort(keys)
	ordered := make([]ctxnorm.Exemplar, len(keys))
	for i, key := range keys {
		name := &names[at[key]]
		ordered[i] = ctxnorm.NameExemplar(name.name, name.owners...)
	}
	return ordered
}

// MinedNames makes an exemplar of every name that texts give a concept, in their
// order. Those that the dictionary has as a name, in whatever case, are left out.
func MinedNames(mined []mine.Synonym, dict *ctxnorm.Dictionary) []ctxnorm.Exemplar {
	known := make(map[string]bool, len(mined)) // of the names of mined alone: whether the dictionary has them
	for _, synonym := range mined {
		known[strings.ToLower(synonym.Text)] = false
	}
	for i := range dict.Len() {
		for _, name := range dict.At(i).Names() {
			key := strings.ToLower(name)
			if _, asked := known[key]; asked {
				known[key] = true
			}
		}
	}
	var names []ctxnorm.Exemplar
	for _, synonym := range mined {
		if known[strings.ToLower(synonym.Text)] || dict.Lookup(synonym.Concept) == nil {
			continue
		}
		name := ctxnorm.NameExemplar(synonym.Text, synonym.Concept)
		name.Source = synonym.Source
		names = append(names, name)
	}
	return names
}
