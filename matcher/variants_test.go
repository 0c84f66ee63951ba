package matcher

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// TestManyVariants compares the variants of more names than are made at once with those that a dull rule chooses: of
// each name in turn, the first variant of a form whose names all have the same concepts, and that is no name.
func TestManyVariants(t *testing.T) {
	const names = 3 * 6000
	b := &builder{names: make([]name, names)}
	for i := range names / 2 {
		b.concepts.Append(fmt.Sprint("D", i))
	}
	for i := range b.names {
		number := i % (names / 3) // so that one number is a tumor, a tumour and tumors, of different concepts
		word := []string{"beta tumors", "tumor", "tumour"}[i*3/names]
		b.names[i] = name{form: fmt.Sprintf("%s of organ %05d", word, number), concepts: uint32(i % (names / 2))}
	}
	byForm := make(map[string][]variant)
	isName := make(map[string]bool)
	for i := range b.names {
		isName[b.names[i].form] = true
		for _, v := range b.names[i].variants(i, nil) {
			byForm[v.form] = append(byForm[v.form], v)
		}
	}
	forms := slices.Sorted(maps.Keys(byForm))
	var want []variant
	for _, form := range forms {
		all := byForm[form]
		differ := slices.ContainsFunc(all, func(v variant) bool { return b.names[v.name].concepts != b.names[all[0].name].concepts })
		if !isName[form] && !differ {
			want = append(want, all[0])
		}
	}
	got, err := b.findVariants(t.Context(), NameFilter{})
	if err != nil || !slices.Equal(got, want) {
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
