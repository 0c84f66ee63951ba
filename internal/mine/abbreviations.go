package mine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// AbbreviationTable lists the short forms of a corpus with their long forms, ordered by Short. It is used for documents
// that use a short form without defining it.
type AbbreviationTable []ShortForm

// ShortForm is a short form and its long forms.
type ShortForm struct {
	Short string     `json:"short"` // as written, without a plural s
	Long  []LongForm `json:"long"`  // most frequent first, ties by text
}

// LongForm is a long form of a short form.
type LongForm struct {
	Text  string  `json:"text"`  // the most frequent variant
	Count int     `json:"count"` // number of records that define the short form by it
	Share float64 `json:"share"` // as a share of all records that define the short form
}

// NewAbbreviationTable returns the table of the pairs of kind "abbreviation", which may come in any order. It keeps
// every definition: of the ambiguous short forms of 107,406 records, one in four has a long form with fewer than three.
//
// It merges long forms that differ only in case, hyphens or a plural s. A record that writes a long form in two ways
// counts twice.
func NewAbbreviationTable(pairs []corpus.SynonymPairCount) (table AbbreviationTable) {
	counts := make(map[string]map[string]normalize.WrittenForms) // by short form, then by variantKey
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
		table = append(table, s)
	}
	slices.SortFunc(table, func(a, b ShortForm) int { return strings.Compare(a.Short, b.Short) })
	return table
}

// Lookup returns a short form with its long forms, or an empty ShortForm if the table lacks it. It looks up short as
// written, then without a plural s. Case counts. The slice is shared and must not be changed.
func (t AbbreviationTable) Lookup(short string) ShortForm {
	for _, form := range []string{short, normalize.SingularShortForm(short)} {
		at, known := slices.BinarySearchFunc(t, form, func(s ShortForm, form string) int {
			return strings.Compare(s.Short, form)
		})
		if known {
			return t[at]
		}
	}
	return ShortForm{}
}

// Check returns an error if a table, for example from a file, is not sorted, or if a short form has no long form.
func (t AbbreviationTable) Check() error {
	for i, s := range t {
		if i > 0 && t[i-1].Short >= s.Short {
			return fmt.Errorf("short form %d, %q, comes after %q", i+1, s.Short, t[i-1].Short)
		}
		if len(s.Long) == 0 {
			return fmt.Errorf("short form %d, %q, has no long form", i+1, s.Short)
		}
	}
	return nil
}

// variantKey returns a key that is equal for strings that differ only in case, hyphens, accents, or the number or
// spelling of words.
func variantKey(s string) string {
	words := strings.Fields(normalize.Normal(s))
	for i, w := range words {
		if len(w) > len("aids") { // which is not an aid
			words[i] = normalize.CanonicalWord(w)
		}
	}
	return strings.Join(words, " ")
}
