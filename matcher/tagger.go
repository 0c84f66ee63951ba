package matcher

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Tagger finds the names of a dictionary in text. It is safe for concurrent use.
type Tagger struct {
	Parts bool // finds names also where they are part of another one: eclampsia in pre-eclampsia

	index
	file    *safetensors.File                // that the index is in; nil if it is in memory
	known   [1 << 12]atomic.Pointer[mention] // names that were found last, so that their mentions share memory
	scratch sync.Pool                        // of *scratch
}

// mention is what the mentions of a name have in common.
type mention struct {
	key      uint32
	number   uint32 // of the concepts
	name     string
	concepts []kb.ConceptID
}

// scratch is the working memory of one call of Tag.
type scratch struct {
	normalizer normalize.Normalizer
	normal     []byte            // of the text, from normalizer
	tokens     []normalize.Token // of the text, from normalizer
	hashes     []uint64          // by token
	matches    []match           // of keys that begin at the current token
	sentence   sentence          // that isAmongCapitals looked at last
}

// match is a key that ends with a token, or with its word before a sign: HIV of HIV+.
type match struct {
	token int
	end   int // in the normal form
	key   uint32
}

// NewTagger returns a tagger of the names of d that filter keeps. The report counts the
// names that were dropped, by reason.
func NewTagger(d *kb.Dictionary, filter NameFilter) (*Tagger, *FilterReport, error) {
	return NewExtendedTagger(context.Background(), d, d, filter)
}

// NewExtendedTagger is [NewTagger] for a dictionary that has all names of base, and others. Those of base are found as
// by a tagger of base: whether they are acronyms does not depend on the others. It ends early with ctx.
func NewExtendedTagger(ctx context.Context, d, base *kb.Dictionary, filter NameFilter) (*Tagger, *FilterReport, error) {
	b, report, err := filter.apply(ctx, d, base)
	if err != nil {
		return nil, nil, err
	}
	var variants []variant
	if filter.Variants {
		if variants, err = b.findVariants(ctx, filter); err != nil {
			return nil, nil, err
		}
	}
	if err := b.build(ctx, filter, variants); err != nil {
		return nil, nil, err
	}
	return &Tagger{index: b.index}, report, nil
}

// Open maps the file at path that [Tagger.Write] wrote. The caller has compared the file with its checksum: of damage,
// only that of the header is an error, an [*files.DamagedError].
func Open(path string) (*Tagger, error) {
	file, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	t := &Tagger{file: file}
	if err := t.view(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return t, nil
}

// Close releases the file of a tagger that was opened. Nothing may use the tagger after that; its mentions stay.
func (t *Tagger) Close() error {
	if t == nil || t.file == nil {
		return nil
	}
	return t.file.Close()
}

// Write writes the tagger to the file at path. Equal taggers write equal files.
func (t *Tagger) Write(path string) error {
	return safetensors.WriteArrays(path, safetensors.Arrays("", t.fields()))
}

// algorithm is the version of the tagging algorithm. Raise it when a change of
// normalization or matching makes the same file tag other mentions.
const algorithm = 7

// Fingerprint returns a hash of everything that determines the mentions: the names,
// their concepts and case rules, the filter and the version of the algorithm.
func (t *Tagger) Fingerprint() string { return fmt.Sprintf("%d-%x", algorithm, t.content) }

// All returns the names that the tagger looks for, in normal form and in order, each with
// the concepts that have it, sorted.
func (t *Tagger) All() iter.Seq2[string, []kb.ConceptID] {
	return func(yield func(string, []kb.ConceptID) bool) {
		for key := range t.keys {
			if t.keys[key]&isVariant == 0 && !yield(string(t.transducer.key(key)), t.conceptsOf(t.keys[key]&maxConcept)) {
				return
			}
		}
	}
}

// HasWord reports whether a word, in normal form, is in a name that the tagger looks for or in a variant of one.
func (t *Tagger) HasWord(word string) bool { return has(t.words, hashOf([]byte(word))) }

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
	s.normalizer.Normalize(raw)
	s.normal, s.tokens = s.normalizer.Normal(), s.normalizer.Tokens()
	s.hashes, s.sentence = s.hashes[:0], sentence{}
	for i := range s.tokens {
		s.hashes = append(s.hashes, hashOf(bare(s.normal, &s.tokens[i])))
	}
	for i := 0; i < len(s.hashes); i++ {
		if !t.first.filter.has(s.hashes[i]) || !s.walk(&t.index, i) {
			continue
		}
		if mention, last, ok := t.longest(s, raw, i); ok {
			dst = append(dst, mention)
			i = last
		}
	}
	return dst
}

// bare returns a token of a normal form without a sign behind it.
func bare(normal []byte, token *normalize.Token) []byte {
	word := normal[token.Normal.Start:token.Normal.End]
	return word[:normalize.BareLength(word)]
}

// longest returns the longest name that begins at word i, and the index of the name's last word.
func (t *Tagger) longest(s *scratch, raw string, i int) (m text.Mention, last int, ok bool) {
	for _, match := range slices.Backward(s.matches) {
		words := s.tokens[i : match.token+1]
		last := words[len(words)-1]
		span := text.Span{Start: words[0].Raw.Start, End: last.Raw.End}
		if match.end < last.Normal.End {
			span.End = last.Raw.Start + len(strings.TrimRightFunc(last.Raw.Of(raw), isNoWordRune))
		}
		if splitsWord(raw, span) || crossesBoundary(raw, words) || !t.Parts && s.isCut(raw, i, match.token) {
			continue
		}
		if name, concepts, ok := t.allows(match.key, raw, span, words); ok {
			known := t.mentionOf(name, match.key, concepts, s.normal[words[0].Normal.Start:match.end])
			rule := t.rule(name)
			if (rule == capitals || rule == exactCase) && isEnglish(known.name) && s.isAmongCapitals(raw, i) {
				continue
			}
			return text.Mention{Span: span, Name: known.name, Concepts: known.concepts}, match.token, true
		}
	}
	return m, i, false
}

// walk sets the matches of the keys that begin at word i, and reports whether there are any. Behind the word it follows
// the bytes of the text's normal form, and looks where a word ends whether a key does.
func (s *scratch) walk(x *index, i int) bool {
	s.matches = s.matches[:0]
	slot := x.first.slot(s.hashes[i])
	if slot[slotHash] == 0 {
		return false
	}
	state, sum := int(slot[slotPlace]&stateMask), int(slot[slotPlace]>>sumShift)
	token := &s.tokens[i]
	at := token.Normal.Start + len(bare(s.normal, token))
	if slot[slotPlace]&endsHere != 0 {
		s.matches = append(s.matches, match{i, at, uint32(sum)})
	}
	isPair := i+1 < len(s.hashes) && x.first.pairs.has(pairHash(s.hashes[i], s.hashes[i+1]))
	if at == token.Normal.End && !isPair {
		return len(s.matches) > 0
	}
	for ; i < len(s.tokens); i++ {
		token := &s.tokens[i]
		for _, end := range [2]int{token.Normal.Start + len(bare(s.normal, token)), token.Normal.End} {
			from := at
			for ; at < end; at++ {
				to, output := x.transducer.next(state, s.normal[at])
				if to == noState {
					return len(s.matches) > 0
				}
				state, sum = to, sum+output
			}
			if at > from && x.transducer.ends(state) {
				s.matches = append(s.matches, match{i, end, uint32(sum)})
			}
		}
	}
	return len(s.matches) > 0
}

func isNoWordRune(r rune) bool { return !normalize.IsWordRune(r) }

// mentionOf returns what the mentions of a name have in common. It was found as a key, itself or a variant, of this form.
func (t *Tagger) mentionOf(name, key, concepts uint32, form []byte) *mention {
	slot := &t.known[name%uint32(len(t.known))]
	m := slot.Load()
	if m == nil || m.key != name || m.number != concepts {
		if key != name {
			form = t.transducer.key(int(name))
		}
		m = &mention{name, concepts, string(form), t.conceptsOf(concepts)}
		slot.Store(m)
	}
	return m
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
