package matcher

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

// TestManyVariants compares the variants of more names than are made at once with those that a dull rule chooses: of
// each name in turn, the first variant of a form whose names all have the same concepts, and that is no name.
func TestManyVariants(t *testing.T) {
	const names = 3 * 6000
	entries := make([]nameEntry, names)
	for i := range entries {
		concept := kb.ConceptID(fmt.Sprint("D", i%(names/2)))
		number := i % (names / 3) // so that one number is a tumor, a tumour and tumors, of different concepts
		word := []string{"tumor", "tumour", "beta tumors"}[i*3/names]
		entries[i] = nameEntry{name: fmt.Sprintf("%s of organ %d", word, number), concepts: []kb.ConceptID{concept}}
	}
	byForm := make(map[string][]variant)
	var forms []string
	isName := make(map[string]bool)
	for i := range entries {
		isName[entries[i].name] = true
		for _, v := range entries[i].variants(int32(i), nil) {
			if byForm[v.form] == nil {
				forms = append(forms, v.form)
			}
			byForm[v.form] = append(byForm[v.form], v)
		}
	}
	var want []variant
	for _, form := range forms {
		all := byForm[form]
		differ := slices.ContainsFunc(all, func(v variant) bool {
			return !slices.Equal(entries[v.entry].concepts, entries[all[0].entry].concepts)
		})
		if !isName[form] && !differ {
			want = append(want, all[0])
		}
	}
	got := findVariants(NameFilter{}, entries)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %d variants, want %d", len(got), len(want))
	}
	if len(want) < names/4 || len(want) == len(forms) {
		t.Errorf("%d of %d forms are wanted: the test shows too little", len(want), len(forms))
	}
}

func TestNoVariants(t *testing.T) {
	filter := DefaultNameFilter()
	filter.Variants = false
	tagger := newTestTagger(t, dictionary("D1: Liver cancer"), filter)
	if got := tagger.Tag(nil, "liver cancers"); got != nil {
		t.Errorf("got %v without variants", got)
	}
}
