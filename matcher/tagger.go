package matcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Tagger finds the names of a dictionary in text. It is safe for concurrent use.
type Tagger struct {
	Parts bool // also find names inside another one, and verbs: eclampsia in pre-eclampsia

	index
	file    *safetensors.File // contains the index; nil if it is in memory
	read    wordCache         // words of texts
	scratch sync.Pool         // of *scratch
}

// scratch is the working memory for one call of Tag.
type scratch struct {
	reader
	steps    []step
	branches int      // of the current walk
	isOrder  bool     // of its first step
	matches  []match  // keys that begin at the current token, see follow
	sentence sentence // the last one that isAmongCapitals used
}

// match is a key that ends with a token, or with its word before a sign: HIV in HIV+.
type match struct {
	token   int
	end     int // in the normal form
	key     uint32
	isOrder bool // see step.isOrder
}

// NewTagger returns a tagger for the names of d that filter keeps. The report counts the dropped names by reason.
func NewTagger(d *kb.Dictionary, filter NameFilter) (*Tagger, *FilterReport, error) {
	return NewExtendedTagger(context.Background(), d, d, filter)
}

// NewExtendedTagger is [NewTagger] for a dictionary that contains all names of base and more. The names of base are
// found as by a tagger of base alone: whether they are acronyms does not depend on the other names. It stops early when
// ctx is done.
func NewExtendedTagger(ctx context.Context, d, base *kb.Dictionary, filter NameFilter) (*Tagger, *FilterReport, error) {
	b, report, err := filter.apply(ctx, d, base)
	if err != nil {
		return nil, nil, err
	}
	if err := b.build(ctx, filter); err != nil {
		return nil, nil, err
	}
	return &Tagger{index: b.index}, report, nil
}

// Open maps the file at path that [Tagger.Write] wrote. The caller must have verified its checksum: Open only detects
// damage to the header, which is a [*files.DamagedError].
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

// Close releases the file of an opened tagger. The tagger must not be used after that; its mentions stay valid.
func (t *Tagger) Close() error {
	if t == nil || t.file == nil {
		return nil
	}
	return t.file.Close()
}

// Write writes the tagger to the file at path. Equal taggers write identical files.
func (t *Tagger) Write(path string) error {
	return safetensors.WriteArrays(path, safetensors.Arrays("", t.fields()))
}

// algorithm is the version of the tagging algorithm. Raise it when a change of normalization or matching makes the same
// file produce other mentions.
const algorithm = 12

// Fingerprint returns a hash of everything that determines the mentions: the names, their concepts and case rules, the
// filter and the version of the algorithm.
func (t *Tagger) Fingerprint() string { return fmt.Sprintf("%d-%x", algorithm, t.content) }

// All returns the names that the tagger looks for, in normal form and sorted, each with its concepts, sorted.
func (t *Tagger) All() iter.Seq2[string, []kb.ConceptID] {
	return func(yield func(string, []kb.ConceptID) bool) {
		for name, value := range t.values {
			if !yield(t.forms.At(name), t.conceptsOf(value&maxConcept)) {
				return
			}
		}
	}
}

// HasWord reports whether a word in normal form may occur in a name that the tagger looks for.
func (t *Tagger) HasWord(word string) bool {
	return word != "" && slices.ContainsFunc(normalize.Readings(nil, word, t.of), func(reading string) bool {
		for piece := range pieces(reading) {
			if !has(t.words, hashOf(piece)) {
				return false
			}
		}
		return true
	})
}

// Tag appends the mentions of dictionary names in a text to dst, in order. At each word it takes the longest name that
// begins there and continues after that name, so mentions do not overlap. Mention.Name is the name in normal form.
// Mention.Concepts are all concepts with that name, sorted.
//
// INVARIANT: m.Of(raw) may be read as m.Name for every mention m.
func (t *Tagger) Tag(dst []text.Mention, raw string) []text.Mention {
	s, _ := t.scratch.Get().(*scratch)
	if s == nil {
		s = &scratch{reader: reader{index: &t.index, of: t.of, known: &t.read}}
	}
	defer t.scratch.Put(s)
	s.read(raw)
	s.sentence = sentence{}
	for i := 0; i < len(s.tokens); i++ {
		if !s.mayBegin(i) {
			continue
		}
		s.matches, s.branches = s.matches[:0], 0
		s.follow(i, i, s.index.start(), "")
		slices.SortStableFunc(s.matches, func(a, b match) int { return cmp.Compare(a.end, b.end) })
		if mention, last, ok := t.longest(s, i); ok {
			dst = append(dst, mention)
			i = last
		}
	}
	return dst
}

// mayBegin reports whether a name may begin at word i, judging by that word and the next.
func (s *scratch) mayBegin(i int) bool {
	w := s.words[i]
	switch {
	case w.isName || w.isUnspaced || s.joinsNext(i):
		return true
	case i+1 == len(s.tokens):
		return false
	}
	next := s.words[i+1]
	if !w.begins {
		return w.goesOn && next.isComplement
	}
	return next.isUnspaced || next.isComplement || next.goesOn || s.joinsNext(i+1)
}

// longest returns the longest name among the matches, which begin at word i and are sorted by their ends, and the index
// of its last word.
func (t *Tagger) longest(s *scratch, i int) (m text.Mention, last int, ok bool) {
	for len(s.matches) > 0 {
		longest := s.matches[len(s.matches)-1]
		from := slices.IndexFunc(s.matches, func(m match) bool { return m.end == longest.end })
		keys := s.matches[from:]
		s.matches = s.matches[:from]
		words := s.tokens[i : longest.token+1]
		last := words[len(words)-1]
		span := text.Span{Start: words[0].Raw.Start, End: last.Raw.End}
		if longest.end < last.Normal.End {
			span.End = last.Raw.Start + len(strings.TrimRightFunc(last.Raw.Of(s.raw), normalize.IsNoWordRune))
		}
		if splitsWord(s.raw, span) || crossesBoundary(s.raw, words) || !t.Parts && s.isCut(i, longest.token) {
			continue
		}
		if name, concepts, ok := t.choose(keys, span.Of(s.raw), s.normal[words[0].Normal.Start:longest.end]); ok {
			form := t.forms.At(int(name))
			if !t.Parts && s.isOtherWord(i, span, form, t.rule(name)) {
				continue
			}
			return text.Mention{Span: span, Name: form, Concepts: t.conceptsOf(concepts)}, longest.token, true
		}
	}
	return m, i, false
}

// maxBranches is the maximum number of additional steps that a walk follows.
const maxBranches = 64

// follow takes each step from word i that continues a key, and adds the matches for keys that end there. The walk began
// at the word start, p is the place after the key so far, and last is its last form.
func (s *scratch) follow(start, i int, p place, last string) {
	at := len(s.steps)
	s.steps = s.reader.steps(s.steps, i, i == start)
	for k := at; k < len(s.steps) && s.branches < maxBranches; k++ {
		step, text, on := &s.steps[k], s.steps[k].text, p
		switch {
		case i == start:
			on = step.place
		case text == "":
			text = last
		default:
			on = s.after(p, i, last, step)
		}
		if on.state == noState || i == start && text == "" {
			continue
		}
		if k > at {
			s.branches++
		}
		if i == start {
			s.isOrder = step.isOrder
		}
		if step.end != noEnd && s.index.keys.ends(on.state) {
			token := &s.tokens[step.next-1]
			end := token.Normal.End
			if step.end == isLast {
				end = token.Normal.Start + len(bare(s.normal, token))
			}
			s.matches = append(s.matches, match{step.next - 1, end, uint32(on.rank), s.isOrder})
		}
		// After a key, the long vowel mark is read as nothing.
		mayGoOn := step.next < len(s.tokens) && (s.index.keys.goesOn(on.state) || s.words[step.next].isUnspaced)
		if mayGoOn && step.end != isLast {
			s.follow(start, step.next, on, text)
		}
	}
	s.steps = s.steps[:at]
}

// after returns the place that a step from word i leads to, from p after the form last.
func (s *scratch) after(p place, i int, last string, step *step) place {
	isSpace, isUnspaced := s.separates(i, last, step.text), isBesideUnspaced(last, step.text)
	switch {
	case isSpace && isUnspaced:
		space, known := s.index.encode(slices.Values([]string{" "}))
		if p = s.index.after(p, space); !known {
			return place{state: noState}
		}
	case !isSpace && !isUnspaced:
		return place{state: noState} // together they are one word
	}
	return s.index.after(p, step.key)
}

// bare returns a token of a normal form without the sign at its end.
func bare(normal []byte, token *normalize.Token) []byte {
	word := normal[token.Normal.Start:token.Normal.End]
	return word[:normalize.BareLength(word)]
}

// crossesBoundary reports whether the words of a match belong to two sentences or cells, or the match contains only one
// of a pair of brackets: "polyposis coli. Familial", "lung\tcancer", "liver failure (acute on chronic". A period after
// a word of at most three letters may belong to an abbreviation ("St. Anthony's fire"). Brackets without spaces belong
// to formulas.
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
