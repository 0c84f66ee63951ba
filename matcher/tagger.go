package matcher

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"ctxnorm"
)

// Tagger finds the names of a dictionary in text. It is safe for concurrent use.
type Tagger struct {
	clean       Clean
	postings    []posting            // in the order of names
	sections    [sectionCount][]byte // of its file; without names where it was not read from one
	trie        *trie
	fingerprint string
	scratch     sync.Pool // of *tagging
}

// tagging is what one call of Tag works with.
type tagging struct {
	passage
	hashes []uint64 // of the words
	ends   []ending // names that begin at the word at hand
}

// ending is a name that ends with the word at token.
type ending struct{ token, name int32 }

// NewTagger makes a tagger of the names of d that clean leaves, and reports
// what was left out.
func NewTagger(d *ctxnorm.Dictionary, clean Clean) (*Tagger, *CleanReport, error) {
	postings, report := clean.apply(d)
	sections, err := encode(clean, postings)
	if err != nil {
		return nil, nil, err
	}
	return makeTagger(clean, postings, sections), report, nil
}

// algorithm is the version of what is tagged where: to be raised when
// normalisation or matching change for the same file.
const algorithm = 1

func makeTagger(clean Clean, postings []posting, sections [sectionCount][]byte) *Tagger {
	t := &Tagger{clean: clean, postings: postings, sections: sections}
	names := make([]string, len(postings))
	for i := range postings {
		names[i] = postings[i].name
	}
	var trie sync.WaitGroup
	trie.Go(func() { t.trie = newTrie(names, allBits) }) // as long as what follows
	defer trie.Wait()
	h := sha256.New()
	fmt.Fprintf(h, "%d\n%q\n", algorithm, names)
	for s := range sectionNames { // without names: another version of vellum may write them otherwise
		fmt.Fprintf(h, "%d\n", len(sections[s]))
		h.Write(sections[s])
	}
	t.fingerprint = hex.EncodeToString(h.Sum(nil))
	return t
}

// Names is the number of distinct names that the tagger knows.
func (t *Tagger) Names() int { return len(t.postings) }

// Options is the cleaning that the tagger was made with.
func (t *Tagger) Options() Clean { return t.clean }

// Fingerprint changes with what is tagged: it is a hash of the names, their
// concepts and case rules, the options and the version of the algorithm.
func (t *Tagger) Fingerprint() string { return t.fingerprint }

// Tag appends the mentions of dictionary names in text, in their order. At each
// word the longest name that begins there is taken, and the search goes on after
// it, so mentions do not overlap. Mention.Name is the name in normal form and
// Mention.Concepts all that own it, sorted; it is shared and not to be changed.
//
// INVARIANT: Normal(m.Of(text)) == m.Name for every mention m.
func (t *Tagger) Tag(dst []ctxnorm.Mention, text string) []ctxnorm.Mention {
	s, _ := t.scratch.Get().(*tagging)
	if s == nil {
		s = new(tagging)
	}
	defer t.scratch.Put(s)
	t.hash(s, text)
	for i := 0; i < len(s.hashes); i++ {
		root := t.trie.root(s.hashes[i])
		if root == 0 {
			continue
		}
		if mention, last, ok := t.longest(s, text, i, root); ok {
			dst = append(dst, mention)
			i = last
		}
	}
	return dst
}

// hash splits text into words and hashes them.
func (t *Tagger) hash(s *tagging, text string) {
	s.read(text, &lowerCase)
	buf := s.normal[:cap(s.normal)]
	s.hashes = slices.Grow(s.hashes[:0], len(s.tokens))[:len(s.tokens)]
	for i := range s.tokens {
		at := &s.tokens[i].Normal
		s.hashes[i] = t.trie.words.hash(buf, at.Start, at.End)
	}
}

// longest finds the longest name that begins at word i, whose node is at, and
// the last word of it.
//
// The way through the trie is right up to the first word that was taken for
// another (see [tokenSet]), and past that word no name of the dictionary can
// begin at i. So of the names on the way those whose bytes are not equal are no
// names here, and the longest of the others is the one.
func (t *Tagger) longest(s *tagging, text string, i int, at int32) (m ctxnorm.Mention, last int, ok bool) {
	s.ends = s.ends[:0]
	for j := i; ; {
		if name := t.trie.nodes[at].name; name >= 0 {
			s.ends = append(s.ends, ending{int32(j), name})
		}
		if j++; j == len(s.hashes) {
			break
		}
		word := t.trie.words.find(s.hashes[j])
		if word == 0 {
			break
		}
		if at = t.trie.next(at, label(word, s.tokens[j].Joined)); at == 0 {
			break
		}
	}
	for k := len(s.ends) - 1; k >= 0; k-- {
		j := int(s.ends[k].token)
		p := &t.postings[s.ends[k].name]
		span := ctxnorm.Span{Start: s.tokens[i].Raw.Start, End: s.tokens[j].Raw.End}
		if string(s.normal[s.tokens[i].Normal.Start:s.tokens[j].Normal.End]) == p.name && p.allows(span.Of(text)) {
			return ctxnorm.Mention{Span: span, Name: p.name, Concepts: p.concepts}, j, true
		}
	}
	return m, i, false
}
