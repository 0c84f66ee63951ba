package mine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ctxnorm/corpus"
)

// AbbreviationTable says what short forms stand for in a corpus: it is asked
// where a document uses one without defining it.
type AbbreviationTable struct {
	entries []ShortForm // by Short
	index   map[string]int
}

// ShortForm is a short form and what it stands for.
type ShortForm struct {
	Short string     `json:"short"` // as it is written, without a plural s
	Long  []LongForm `json:"long"`  // the commonest first, ties by text
}

// LongForm is one thing that a short form stands for.
type LongForm struct {
	Text  string  `json:"text"`  // the commonest way to write it
	Count int     `json:"count"` // records that define the short form so
	Share float64 `json:"share"` // of all that define the short form
}

// AbbreviationOptions say what comes into an [AbbreviationTable]. The zero value
// takes everything.
type AbbreviationOptions struct {
	MinCount int     `json:"min_count"` // records that define the short form so
	MinShare float64 `json:"min_share"` // of the records that define the short form
}

// DefaultAbbreviations leaves out what a single record says.
func DefaultAbbreviations() AbbreviationOptions {
	return AbbreviationOptions{MinCount: 2, MinShare: .05}
}

// NewAbbreviationTable takes the pairs of kind [Abbreviation], in any order.
//
// Long forms that differ in case, hyphens or a plural s are one; a record that
// writes it in two ways counts twice.
func NewAbbreviationTable(pairs []corpus.PairCount, o AbbreviationOptions) *AbbreviationTable {
	t := &AbbreviationTable{}
	for _, s := range poolDefinitions(pairs) {
		s.Long = slices.DeleteFunc(s.Long, func(l LongForm) bool { return l.Count < o.MinCount || l.Share < o.MinShare })
		if len(s.Long) > 0 {
			t.entries = append(t.entries, s)
		}
	}
	t.fill()
	return t
}

func (t *AbbreviationTable) fill() {
	t.index = make(map[string]int, len(t.entries))
	for i := range t.entries {
		t.index[t.entries[i].Short] = i
	}
}

// Len is the number of short forms.
func (t *AbbreviationTable) Len() int { return len(t.entries) }

// Entries lists the short forms in order. It is not to be changed.
func (t *AbbreviationTable) Entries() []ShortForm { return t.entries }

// Lookup gives the long forms of short, which may have a plural s, the commonest
// first. Case counts. The slice is shared and not to be changed.
func (t *AbbreviationTable) Lookup(short string) []LongForm {
	if i, ok := t.index[short]; ok {
		return t.entries[i].Long
	}
	if i, ok := t.index[singularShort(short)]; ok {
		return t.entries[i].Long
	}
	return nil
}

// TableOf makes a table of what [AbbreviationTable.Entries] gave. It is an error if
// they are out of order, or one says nothing.
func TableOf(entries []ShortForm) (*AbbreviationTable, error) {
	for i, s := range entries {
		if i > 0 && entries[i-1].Short >= s.Short {
			return nil, fmt.Errorf("short form %d, %q, comes after %q", i+1, s.Short, entries[i-1].Short)
		}
		if len(s.Long) == 0 {
			return nil, fmt.Errorf("short form %d, %q, has no long form", i+1, s.Short)
		}
	}
	t := &AbbreviationTable{entries: entries}
	t.fill()
	return t, nil
}

// poolDefinitions joins the variants of long forms and counts them, in the order
// of short forms.
func poolDefinitions(pairs []corpus.PairCount) []ShortForm {
	shorts := make(map[string]pool)
	for _, p := range pairs {
		if p.Kind != Abbreviation {
			continue
		}
		short, key := singularShort(p.Left), poolKey(p.Right)
		if key == "" {
			continue
		}
		if shorts[short] == nil {
			shorts[short] = make(pool)
		}
		shorts[short].add(key, p.Right, p.Records)
	}
	var forms []ShortForm
	for short, long := range shorts {
		total := 0
		s := ShortForm{Short: short}
		for _, v := range long {
			text, count := v.commonest()
			s.Long = append(s.Long, LongForm{Text: text, Count: count})
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
