package matcher

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// variant is another way to write a name.
type variant struct {
	form        string    // normal
	cased       casedForm // for a name of exactCase
	name        uint32    // among those of the builder
	index       uint32    // among the variants of the name
	hyphen, gap uint32    // see normalize.Variant
}

// isJoiner reports whether r may stand between the words of one name where the name has no gap.
func isJoiner(r rune) bool {
	return r == ' ' || r == '\u3000' || unicode.Is(unicode.Pd, r) || r == '−' || r == '・' || r == '･'
}

// findVariants returns the variants of the names, sorted by their forms. A form that is a name itself, that filter drops,
// or that is a variant of names with other concepts is left out: nobody knows which of them a text means. Of names with
// the same concepts the first has it, which may have it in several cases.
//
// Ordinary words that are no diseases have no variants ("leads" is no form of the metal). Acronyms, whose plural
// would be another acronym in capitals, have the plural with a small s, Greek letters, and words that are joined or
// apart.
func (b *builder) findVariants(ctx context.Context, filter NameFilter) ([]variant, error) {
	drop := normalSet(filter.Drop)
	of := normalize.LanguageOf(func(yield func(string) bool) {
		for i := range b.names {
			if parallel.Step(ctx, i, len(b.names)) != nil || !yield(b.names[i].form) {
				return
			}
		}
	})
	leftOut := func(v variant) bool {
		return len(v.form) < minWord && v.cased.form == "" || drop[v.form] || max(v.hyphen, v.gap) > maxJoint ||
			filter.CommonWords && (english.CommonWords[v.form] || english.GeneralTerms[v.form] || isOrdinaryName(v.form))
	}
	var all []variant
	var adding sync.Mutex
	const block = 1 << 12 // names whose variants are made at a time
	err := parallel.ForErr(ctx, (len(b.names)+block-1)/block, 0, func(i int) error {
		var made []variant
		for j := i * block; j < min((i+1)*block, len(b.names)); j++ {
			made = append(made, slices.DeleteFunc(b.names[j].variants(j, of), leftOut)...)
		}
		adding.Lock()
		defer adding.Unlock()
		all = append(all, made...) // sorted below
		return parallel.Step(ctx, i*block, len(b.names))
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(v, w variant) int {
		return cmp.Or(strings.Compare(v.form, w.form), cmp.Compare(v.name, w.name), cmp.Compare(v.index, w.index))
	})
	return b.choose(all), nil
}

// choose returns those of sorted variants that are looked for, see findVariants, in the same memory.
func (b *builder) choose(all []variant) []variant {
	chosen, names := all[:0], b.names
	for i, j := 0, 0; i < len(all); i = j {
		first, differ := all[i], false
		for j = i + 1; j < len(all) && all[j].form == first.form; j++ {
			differ = differ || !b.sameConcepts(all[j].name, first.name)
		}
		for len(names) > 0 && names[0].form < first.form {
			names = names[1:]
		}
		if differ || len(names) > 0 && names[0].form == first.form {
			continue
		}
		chosen = append(chosen, first)
		for _, v := range all[i+1 : j] {
			if v.name == first.name && v.cased.form != "" {
				chosen = append(chosen, v)
			}
		}
	}
	return chosen
}

// sameConcepts reports whether two names have the same concepts.
func (b *builder) sameConcepts(i, j uint32) bool {
	n, m := b.names[i].concepts, b.names[j].concepts
	return n == m || min(n, m) >= uint32(b.concepts.Len()) && slices.Equal(b.listOf(n), b.listOf(m))
}

// variants returns all variants of a name, by the rules of the language of its dictionary. index is that of the name.
func (n *name) variants(index int, of *language.Language) (all []variant) {
	add := func(form string, cased casedForm, hyphen, gap int) {
		all = append(all, variant{form, cased, uint32(index), uint32(len(all)), uint32(hyphen), uint32(gap)})
	}
	switch n.rule {
	case anyCase, ownCase:
		if isOrdinaryName(n.form) {
			return nil
		}
		for _, v := range append(normalize.Variants(n.form), normalize.InflectedVariants(n.form, of)...) {
			add(v.Form, casedForm{}, v.Hyphen, v.Gap)
		}
		if n.digraphs != "" {
			add(n.digraphs, casedForm{}, 0, 0)
			for _, v := range normalize.InflectedVariants(n.digraphs, of) {
				add(v.Form, casedForm{}, v.Hyphen, v.Gap)
			}
		}
	case exactCase:
		for _, cased := range n.cased {
			if plural := cased.form + "s"; normalize.SingularShortForm(plural) == cased.form {
				add(strings.ToLower(plural), casedForm{plural, cased.concepts}, 0, 0)
			}
			for _, v := range append(normalize.JoinedVariants(cased.form, true), normalize.GreekVariants(cased.form)...) {
				add(strings.ToLower(v.Form), casedForm{v.Form, cased.concepts}, v.Hyphen, v.Gap)
			}
		}
	}
	return all
}
