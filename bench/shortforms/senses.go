package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// maxOutside is the similarity to every name of the dictionary (see [lexical.Index]) below which a long form is surely
// no concept of it. Of long forms in PubMed with similarities of .5 to .6 to all names of MEDIC, 28 of 28 read by eye
// were none ("viral load", "spin-echo"), of those with .7 and more some were concepts ("primary liver cancer").
const maxOutside = .6

// minRecords is the least number of records that define a short form by a sense.
const minRecords = 2

// sense is a meaning of a short form: a concept, or a long form outside the dictionary.
type sense struct {
	concepts []kb.ConceptID // sorted; any of them is right; empty outside the dictionary
	longForm string         // the most frequent of its long forms
	records  int            // that define the short form by it
	seen     int            // of these, not held out
}

// spellingKey returns a key that spelling variants of a long form share: case, hyphens and
// spaces, plural, possessive, British and American spelling do not count.
func spellingKey(long string) string { return strings.Join(normalize.CanonicalTokens(long), "") }

// sortedWords returns a key that also names with another order of words share: "dystrophy,
// myotonic" and "myotonic dystrophies".
func sortedWords(name string) string { return normalize.TokenSetKey(normalize.CanonicalTokens(name)) }

// nameTable finds the concepts of a long form.
type nameTable struct {
	exact, spelling, words *lexical.KeyIndex // by normal form, spellingKey and sortedWords
	similar                *lexical.Index
}

// concepts returns the concepts that have a long form as a whole name, also in another spelling or order of words,
// sorted: "autism spectrum disorders" may be a name of one concept and "spectrum disorders, autism" of another. outside
// reports whether it is surely no concept; a long form with neither is similar to a name.
func (t *nameTable) concepts(long string) (ids []kb.ConceptID, outside bool) {
	if ids = slices.Concat(t.exact.Lookup(long), t.spelling.Lookup(long), t.words.Lookup(long)); len(ids) > 0 {
		slices.Sort(ids)
		return slices.Compact(ids), false
	}
	hits := t.similar.Search(long, 1)
	return nil, len(hits) == 0 || hits[0].Score < maxOutside
}

// usage counts the records that define a short form by the spellings of one long form.
type usage struct {
	key     string                 // see spellingKey
	written normalize.WrittenForms // of the long form, by records
	records int
	seen    int // not held out
}

// senses returns the senses of a short form by the spelling keys of their long forms. Long
// forms that share a concept are one sense. Those that are similar to a name of the dictionary are left out.
func (t *nameTable) senses(usages []*usage) map[string]*sense {
	slices.SortFunc(usages, func(a, b *usage) int {
		return cmp.Or(b.records-a.records, strings.Compare(a.key, b.key))
	})
	byKey := make(map[string]*sense)
	var all []*sense
	for _, u := range usages {
		long, _ := u.written.MostFrequent()
		ids, outside := t.concepts(long)
		if len(ids) == 0 && !outside {
			continue
		}
		var same *sense
		all = slices.DeleteFunc(all, func(other *sense) bool {
			switch {
			case !slices.ContainsFunc(ids, func(id kb.ConceptID) bool { return slices.Contains(other.concepts, id) }):
				return false
			case same == nil: // of the most frequent long form
				same = other
				return false
			}
			same.merge(other)
			for key, s := range byKey {
				if s == other {
					byKey[key] = same
				}
			}
			return true
		})
		if same == nil {
			same = &sense{longForm: long}
			all = append(all, same)
		}
		same.merge(&sense{concepts: ids, records: u.records, seen: u.seen})
		byKey[u.key] = same
	}
	return byKey
}

func (s *sense) merge(other *sense) {
	s.concepts = append(s.concepts, other.concepts...)
	slices.Sort(s.concepts)
	s.concepts = slices.Compact(s.concepts)
	s.records += other.records
	s.seen += other.seen
}

// isAmbiguous reports whether at least two senses are defined by enough records each and one of them is a concept.
func isAmbiguous(senses map[string]*sense) bool {
	frequent := make(map[*sense]bool)
	concept := false
	for _, s := range senses {
		if s.records >= minRecords {
			frequent[s] = true
			concept = concept || len(s.concepts) > 0
		}
	}
	return concept && len(frequent) > 1
}
