package mine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// AbbreviationTable maps the short forms of a corpus to their long forms. It serves
// documents that use a short form without defining it.
type AbbreviationTable struct {
	entries []ShortForm // in the order of Short
}

// ShortForm is a short form and its long forms.
type ShortForm struct {
	Short string     `json:"short"` // as written, without a plural s
	Long  []LongForm `json:"long"`  // the most frequent first, ties by text
}

// LongForm is a long form of a short form.
type LongForm struct {
	Text  string  `json:"text"`  // the most frequent way to write it
	Count int     `json:"count"` // records that define the short form by it
	Share float64 `json:"share"` // of all records that define the short form
}

// NewAbbreviationTable returns the table of the pairs of kind "abbreviation", which may come in any order. It keeps
// every definition: of the ambiguous short forms of 107,406 records, one in four has a long form of fewer than three.
//
// Long forms that differ only in case, hyphens or a plural s are merged. A record that
// writes a long form in two ways counts twice.
func NewAbbreviationTable(pairs []corpus.SynonymPairCount) *AbbreviationTable {
	return &AbbreviationTable{countDefinitions(pairs)}
}

// Len returns the number of short forms.
func (t *AbbreviationTable) Len() int { return len(t.entries) }

// Entries returns the short forms in alphabetical order. The slice is shared and must not be changed.
func (t *AbbreviationTable) Entries() []ShortForm { return t.entries }

// Lookup returns a short form with its long forms, none if the table lacks it. It looks up short as written, then without
// a plural s. Case counts. The slice is shared and must not be changed.
func (t *AbbreviationTable) Lookup(short string) ShortForm {
	for _, form := range []string{short, normalize.SingularShortForm(short)} {
		at, known := slices.BinarySearchFunc(t.entries, form, func(s ShortForm, form string) int {
			return strings.Compare(s.Short, form)
		})
		if known {
			return t.entries[at]
		}
	}
	return ShortForm{}
}

// TableFromEntries returns the table with the entries that [AbbreviationTable.Entries] returned, such as those of a
// file. It keeps the slice. It fails if the entries are not in order, or if one has no long form.
func TableFromEntries(entries []ShortForm) (*AbbreviationTable, error) {
	for i, s := range entries {
		if i > 0 && entries[i-1].Short >= s.Short {
			return nil, fmt.Errorf("short form %d, %q, comes after %q", i+1, s.Short, entries[i-1].Short)
		}
		if len(s.Long) == 0 {
			return nil, fmt.Errorf("short form %d, %q, has no long form", i+1, s.Short)
		}
	}
	return &AbbreviationTable{entries}, nil
}

// countDefinitions counts the long forms of each short form, with their variants
// merged. The short forms are in alphabetical order.
func countDefinitions(pairs []corpus.SynonymPairCount) []ShortForm {
	counts := make(map[string]map[string]normalize.WrittenForms) // by short form and variantKey
	for _, p := range pairs {
		short, key := normalize.SingularShortForm(p.Left), variantKey(p.Right)
		if p.Kind != kindAbbreviation || key == "" {
			continue
		}
		if counts[short] == nil {
			counts[short] = make(map[string]normalize.WrittenForms)
		}
		if counts[short][key] == nil {
			counts[short][key] = make(normalize.WrittenForms)
		}
		counts[short][key][p.Right] += p.Records
	}
	var forms []ShortForm
	for short, long := range counts {
		total := 0
		s := ShortForm{Short: short}
		for _, written := range long {
			form, count := written.MostFrequent()
			s.Long = append(s.Long, LongForm{Text: form, Count: count})
			total += count
		}
		for i := range s.Long {
			s.Long[i].Share = float64(s.Long[i].Count) / float64(total)
		}
		slices.SortFunc(s.Long, func(a, b LongForm) int {
			return cmp.Or(b.Count-a.Count, strings.Compare(a.Text, b.Text))
		})
		forms = append(forms, s)
	}
	slices.SortFunc(forms, func(a, b ShortForm) int { return strings.Compare(a.Short, b.Short) })
	return forms
}

// variantKey returns a key that is equal for strings which differ only in case,
// hyphens, accents or the plural s of words.
func variantKey(s string) string {
	words := strings.Fields(normalize.Normal(s))
	for i, w := range words {
		words[i] = normalize.SStem(w)
	}
	return strings.Join(words, " ")
}
