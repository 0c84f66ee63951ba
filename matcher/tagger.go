package matcher

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Tagger finds the names of a dictionary in text. It is safe for concurrent use.
type Tagger struct {
	filter      NameFilter
	entries     []nameEntry // in the order of names
	sections    sectionData // of its file; sectionNames is nil unless read from a file
	variants    []variant   // of names, if the filter has them; see variants.go
	trie        *trie       // of the names of entries, then the forms of variants
	fingerprint string
	scratch     sync.Pool              // of *scratch
	initials    func() map[string]bool // of the names, see nameInitials; computed on the first call
}

// nameEntry is a name that the tagger looks for, and its concepts.
type nameEntry struct {
	name     string         // in normal form
	concepts []kb.ConceptID // that have this name, sorted
	rule     caseRule
	forms    []string // for exactCase: the name's cased normal forms, sorted
}

// scratch is the working memory of one call of Tag.
type scratch struct {
	normalizer normalize.Normalizer
	normal     []byte            // of the text, from normalizer
	tokens     []normalize.Token // of the text, from normalizer
	hashes     []uint64          // by token
	matches    []match           // of names that begin at the current token
}

// match is a name or variant that ends with a token.
type match struct {
	token int32
	index int32 // among the names of entries and the forms of variants
}

// NewTagger returns a tagger of the names of d that filter keeps. The report counts the
// names that were dropped, by reason.
func NewTagger(d *kb.Dictionary, filter NameFilter) (*Tagger, *FilterReport, error) {
	return NewExtendedTagger(d, d, filter)
}

// NewExtendedTagger is [NewTagger] for a dictionary that has all names of base, and others. Those of base are found as
// by a tagger of base: whether they are acronyms does not depend on the others.
func NewExtendedTagger(d, base *kb.Dictionary, filter NameFilter) (*Tagger, *FilterReport, error) {
	entries, report := filter.apply(d, base)
	sections, err := encode(filter, entries)
	if err != nil {
		return nil, nil, err
	}
	tagger, err := makeTagger(filter, entries, sections)
	return tagger, report, err
}

// algorithm is the version of the tagging algorithm. Raise it when a change of
// normalization or matching makes the same file tag other mentions.
const algorithm = 5

// makeTagger returns an error if a name is not in normal form.
func makeTagger(filter NameFilter, entries []nameEntry, sections sectionData) (*Tagger, error) {
	t := &Tagger{filter: filter, entries: entries, sections: sections}
	t.initials = sync.OnceValue(func() map[string]bool { return nameInitials(entries) })
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].name
	}
	var group sync.WaitGroup
	group.Go(func() { t.fingerprint = fingerprint(names, sections) }) // the variants follow from these
	forms := slices.Clip(names)
	if filter.Variants {
		t.variants = findVariants(filter, entries)
		for i := range t.variants {
			forms = append(forms, t.variants[i].form)
		}
	}
	var err error
	t.trie, err = newTrie(forms, allBits)
	group.Wait()
	return t, err
}

// fingerprint returns the hash of [Tagger.Fingerprint].
func fingerprint(names []string, sections sectionData) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n[", algorithm)
	for i, name := range names { // as %q prints all of names, which makes one string of them
		if i > 0 {
			h.Write([]byte{' '})
		}
		fmt.Fprintf(h, "%q", name)
	}
	h.Write([]byte("]\n"))
	for s := range sectionNames { // not the names: another version of vellum may encode them differently
		fmt.Fprintf(h, "%d\n", len(sections[s]))
		h.Write(sections[s])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// All returns the names that the tagger looks for, in normal form and in order, each with
// the concepts that have it, sorted. The slice of concepts must not be changed.
func (t *Tagger) All() iter.Seq2[string, []kb.ConceptID] {
	return func(yield func(string, []kb.ConceptID) bool) {
		for i := range t.entries {
			if !yield(t.entries[i].name, t.entries[i].concepts) {
				return
			}
		}
	}
}

// HasWord reports whether a word, in normal form, is in a name that the tagger looks for or in a variant of one.
func (t *Tagger) HasWord(word string) bool {
	return t.trie.words.find(t.trie.words.hash([]byte(word))) != 0
}

// Fingerprint returns a hash of everything that determines the mentions: the names,
// their concepts and case rules, the filter and the version of the algorithm.
func (t *Tagger) Fingerprint() string { return t.fingerprint }

// Tag appends the mentions of dictionary names in a text to dst, in order. At each
// word it takes the longest name that begins there and continues after that name, so
// mentions do not overlap. Mention.Name is the name in normal form. Mention.Concepts
// are all concepts that have the name, sorted; the slice is shared and must not be
// changed.
//
// INVARIANT: normalize.Normal(m.Of(raw)) is m.Name or a variant of it for every mention m.
func (t *Tagger) Tag(dst []text.Mention, raw string) []text.Mention {
	s, _ := t.scratch.Get().(*scratch)
	if s == nil {
		s = new(scratch)
	}
	defer t.scratch.Put(s)
	t.hash(s, raw)
	for i := 0; i < len(s.hashes); i++ {
		root := t.trie.root(s.hashes[i])
		if root == 0 {
			continue
		}
		if mention, last, ok := t.longest(s, raw, i, root); ok {
			dst = append(dst, mention)
			i = last
		}
	}
	return dst
}

// hash splits a text into words and hashes them.
func (t *Tagger) hash(s *scratch, raw string) {
	s.normalizer.Normalize(raw)
	s.normal, s.tokens = s.normalizer.Normal(), s.normalizer.Tokens()
	s.hashes = slices.Grow(s.hashes[:0], len(s.tokens))[:len(s.tokens)]
	for i := range s.tokens {
		at := &s.tokens[i].Normal
		s.hashes[i] = t.trie.words.hash(s.normal[at.Start:at.End])
	}
}

// longest returns the longest name that begins at word i, whose trie node is node,
// and the index of the name's last word.
//
// The path through the trie is right up to the first word that was mistaken for
// another (see [tokenSet]). Past that word no name of the dictionary can begin at i.
// So the entries on the path whose bytes differ from the text are false matches, and
// the longest of the others is the result.
func (t *Tagger) longest(s *scratch, raw string, i int, node int32) (m text.Mention, last int, ok bool) {
	s.matches = s.matches[:0]
	for j := i; ; {
		n := &t.trie.nodes[node]
		if n.entry >= 0 {
			s.matches = append(s.matches, match{int32(j), n.entry})
		}
		if j++; j == len(s.hashes) || n.children&childBit(s.hashes[j]) == 0 {
			break
		}
		word := t.trie.words.find(s.hashes[j])
		if word == 0 {
			break
		}
		if node = t.trie.edges[newEdge(node, word, s.tokens[j].Joined)]; node == 0 {
			break
		}
	}
	for _, match := range slices.Backward(s.matches) {
		j := int(match.token)
		e, form, v := t.at(match.index)
		span := text.Span{Start: s.tokens[i].Raw.Start, End: s.tokens[j].Raw.End}
		if string(s.normal[s.tokens[i].Normal.Start:s.tokens[j].Normal.End]) != form {
			continue
		}
		if splitsWord(raw, span) || crossesBoundary(raw, s.tokens[i:j+1]) {
			continue
		}
		if v == nil && e.allows(span.Of(raw)) || v != nil && v.allows(raw, span, s.tokens[i:j+1]) {
			return text.Mention{Span: span, Name: e.name, Concepts: e.concepts}, j, true
		}
	}
	return m, i, false
}

// crossesBoundary reports whether the words of a match belong to two sentences or cells, or one of them to a bracket
// that the match has half of: "polyposis coli. Familial", "lung\tcancer", "liver failure (acute on chronic". A period
// behind a word of at most three letters may be that of an abbreviation ("St. Anthony's fire"). Brackets without
// spaces belong to formulas.
func crossesBoundary(raw string, words []normalize.Token) bool {
	depth, spaced := 0, false
	for k := 1; k < len(words); k++ {
		gap := raw[words[k-1].Raw.End:words[k].Raw.Start]
		if gap == " " || gap == "-" || gap == "" {
			continue
		}
		isSpaced, hasBracket := false, false
		for i := 0; i < len(gap); i++ {
			ends := i+1 < len(gap) && (gap[i+1] == ' ' || gap[i+1] == '\n')
			switch gap[i] {
			case ';', '\t':
				return true
			case '?', '!':
				if ends {
					return true
				}
			case '.':
				if ends && words[k-1].Raw.Len() > 3 {
					return true
				}
			case '\n':
				if strings.HasPrefix(gap[i:], "\n\n") {
					return true
				}
				isSpaced = true
			case ' ':
				isSpaced = true
			case '(', '[':
				depth++
				hasBracket = true
			case ')', ']':
				depth--
				hasBracket = true
			}
		}
		spaced = spaced || isSpaced && hasBracket
		if depth < 0 && spaced {
			return true
		}
	}
	return depth != 0 && spaced
}

// at returns the entry of an index of the trie, and the form that the text must have. The variant is
// nil if the form is the name itself.
func (t *Tagger) at(index int32) (e *nameEntry, form string, v *variant) {
	if int(index) < len(t.entries) {
		e = &t.entries[index]
		return e, e.name, nil
	}
	v = &t.variants[int(index)-len(t.entries)]
	return &t.entries[v.entry], v.form, v
}
