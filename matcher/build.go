package matcher

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"hash"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/vellum"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// name is a name to look for.
type name struct {
	form     string   // normal
	written  []string // as dictionaries write it
	concepts uint32   // number of their list, see index.values
	rule     caseRule
	// For exactCase and ownCase: the cased forms of the name, sorted.
	cased []casedForm
}

// casedForm is a form with case, and the number of the list of its concepts.
type casedForm struct {
	form     string
	concepts uint32
}

// builder builds an index.
type builder struct {
	index
	names      []name
	sum        hash.Hash
	initialSet map[uint64]bool // hashes
}

// conceptsNumber returns the number for a list of concepts in ascending order. Consecutive equal lists get the same
// number.
func (b *builder) conceptsNumber(concepts []int32) uint32 {
	if len(concepts) == 1 {
		return uint32(concepts[0])
	}
	last := int32(b.several.Len() - 1)
	if last < 0 || !slices.Equal(b.several.At(last), concepts) {
		b.several.Append(concepts...)
		last++
	}
	return uint32(b.concepts.Len()) + uint32(last)
}

// keyedName is a name with one of its keys.
type keyedName struct {
	key     string
	isOrder bool // from [normalize.Orders]: names with the key in their own order come first
	name    int32
}

func compareKeys(a, b keyedName) int {
	switch c := strings.Compare(a.key, b.key); {
	case c != 0:
		return c
	case a.isOrder == b.isOrder:
		return cmp.Compare(a.name, b.name)
	case a.isOrder:
		return 1
	}
	return -1
}

// makeKeys returns the keys of all names, sorted: see [normalize.DigraphForm], [normalize.Uninverted] and
// [normalize.Orders]. A code also has a key without the separators between its letters: "kras" for K-ras.
func (b *builder) makeKeys(ctx context.Context) ([]keyedName, error) {
	var all []keyedName
	var adding sync.Mutex
	known := new(wordCache)
	const block = 1 << 12 // number of names processed at a time
	err := parallel.ForErr(ctx, (len(b.names)+block-1)/block, 0, func(i int) error {
		var made []keyedName
		r := reader{of: b.of, known: known, isName: true}
		for j := i * block; j < min((i+1)*block, len(b.names)); j++ {
			n := &b.names[j]
			for _, written := range n.written {
				uninverted := normalize.Uninverted(written)
				if uninverted != "" {
					compareForm := func(n name, form string) int { return strings.Compare(n.form, form) }
					if _, isName := slices.BinarySearchFunc(b.names, normalize.Normal(uninverted), compareForm); isName {
						uninverted = ""
					}
				}
				for _, form := range []string{written, normalize.DigraphForm(written), uninverted} {
					if form == "" {
						continue
					}
					r.read(form)
					key := r.key()
					made = append(made, keyedName{key, false, int32(j)})
					for _, order := range normalize.Orders(strings.Fields(key)) {
						made = append(made, keyedName{strings.Join(order, " "), true, int32(j)})
					}
				}
			}
			if form := normalize.JoinedForm(n.form); form != "" && (n.rule == exactCase || slices.ContainsFunc(n.written, normalize.IsGreekCode)) {
				made = append(made, keyedName{form, false, int32(j)})
			}
		}
		adding.Lock()
		defer adding.Unlock()
		all = append(all, made...) // sorted below
		return parallel.Step(ctx, i*block, len(b.names))
	})
	if err == nil {
		err = parallel.Sort(ctx, all, compareKeys)
	}
	return slices.Compact(all), err
}

// build builds the index of the names, which must be sorted.
func (b *builder) build(ctx context.Context, filter NameFilter) error {
	settings, err := json.Marshal(filter)
	if err != nil {
		return err
	}
	b.sum = sha256.New()
	b.sum.Write(settings)
	b.initialSet = make(map[uint64]bool)
	if b.of = normalize.LanguageOf(func(yield func(string) bool) {
		for i := 0; i < len(b.names) && ctx.Err() == nil; i++ {
			if !yield(b.names[i].form) {
				return
			}
		}
	}); b.of != nil {
		b.language = []byte(b.of.Name)
	}
	for i := range b.names {
		if err := parallel.Step(ctx, i, len(b.names)); err != nil {
			return err
		}
		b.addName(&b.names[i], filter.Variants)
	}
	keys, err := b.makeKeys(ctx)
	if err != nil {
		return err
	}
	if err := b.addKeys(ctx, keys); err != nil {
		return err
	}
	b.notVariants = hashesOf(filter.Drop)
	if filter.CommonWords {
		for _, words := range []map[string]bool{english.CommonWords, english.GeneralTerms, english.OrdinaryWords} {
			b.notVariants = append(b.notVariants, hashesOf(slices.Collect(maps.Keys(words)))...)
		}
	}
	slices.Sort(b.notVariants)
	b.initials = slices.Sorted(maps.Keys(b.initialSet))
	b.content = b.sum.Sum(nil)
	return nil
}

// addKeys adds the words of the keys, and the keys as sequences of word numbers.
func (b *builder) addKeys(ctx context.Context, keys []keyedName) error {
	words := make(map[uint64]bool)
	for i := 0; i < len(keys) && ctx.Err() == nil; i++ {
		for piece := range pieces(keys[i].key) {
			words[hashOf(piece)] = true
		}
	}
	b.words = slices.Sorted(maps.Keys(words))
	for i := range keys {
		if err := parallel.Step(ctx, i, len(keys)); err != nil {
			return err
		}
		keys[i].key, _ = b.encode(pieces(keys[i].key))
	}
	if err := parallel.Sort(ctx, keys, compareKeys); err != nil {
		return err
	}
	var transducer bytes.Buffer
	// A larger registry makes the transducer a tenth smaller but takes twice the time, because it does not fit into the
	// CPU cache.
	fst, err := vellum.New(&transducer, &vellum.BuilderOpts{Encoder: 1, RegistryTableSize: 1000, RegistryMRUSize: 2})
	if err != nil {
		return err
	}
	for i, j := 0, 0; i < len(keys); i = j {
		var names []int32
		for ; j < len(keys) && keys[j].key == keys[i].key; j++ {
			if keys[j].isOrder == keys[i].isOrder {
				names = append(names, keys[j].name)
			}
		}
		if err := cmp.Or(ctx.Err(), fst.Insert([]byte(keys[i].key), uint64(b.named.Len()))); err != nil {
			return err
		}
		b.named.Append(names...)
	}
	err = fst.Close()
	b.keys = transducer.Bytes()
	return err
}

// addName adds a name, and its cased forms, if it has any.
//
// Ordinary words that are not diseases are only found unchanged ("leads" is not a form of the metal), and so are short
// words and acronyms that lost their case.
func (b *builder) addName(n *name, variants bool) {
	number, value := uint32(b.forms.Len()), uint32(n.rule)<<ruleShift|n.concepts
	if !variants || n.rule == capitals || n.rule != exactCase && (len(n.form) < minWord ||
		english.OrdinaryWords[n.form] && !names.DiseaseNouns[n.form]) {
		value |= onlyAsIs
	}
	b.values = append(b.values, value)
	b.forms.Append(n.form)
	for _, c := range n.cased {
		b.casedNames, b.casedConcepts = append(b.casedNames, number), append(b.casedConcepts, c.concepts)
		b.cased.Append(c.form)
	}
	content := append(append([]byte{}, n.form...), '\n', byte(n.rule))
	for _, cased := range append(slices.Clip(n.cased), casedForm{"", n.concepts}) {
		content = append(append(content, cased.form...), '\n')
		for _, concept := range b.listOf(cased.concepts) {
			content = append(append(content, '\n'), b.concepts.Bytes(int(concept))...)
		}
	}
	b.sum.Write(append(content, 0))
	for _, initials := range initialsOf(n.form) {
		b.initialSet[hashOf(initials)] = true
	}
}

// hashesOf returns the hashes of the normal forms of names.
func hashesOf(names []string) (hashes []uint64) {
	for _, name := range names {
		hashes = append(hashes, hashOf(normalize.Normal(name)))
	}
	return hashes
}
