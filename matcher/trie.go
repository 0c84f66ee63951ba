package matcher

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// trie holds names as sequences of word numbers. For "type 1", "type 2 diabetes" and
// "型2":
//
//	type ─┬─ 1 ●
//	      └─ 2 ── diabetes ●
//	型 ─── +2 ●                   + is joined to the word before it
//
// Most words of a text begin no name; a filter of the hashes of first words rejects
// them without a look at the table of words. The edges lie in one open-addressing
// table. Each node holds a 64-bit signature of the hashes of the words that continue it, so
// that most other words are rejected without a look at the table of words or that of
// edges. 84 k names take 6 MB.
type trie struct {
	words      *tokenSet
	firstWords filter  // hashes of the names' first words
	roots      []int32 // word number -> node of the names that begin with it, or 0
	nodes      []node  // 0 is no node
	edges      []edge  // open addressing
	mask       uint32  // len(edges) - 1
	count      int     // edges in use
}

// node is a place in the trie, which a path of words leads to.
type node struct {
	children uint64 // bit childBit(hash) of the word of each outgoing edge
	entry    int32  // index of the name that ends here, or -1
}

// edge leads from a node by a label: the word number times 2, plus 1 if the word is
// joined to the one before.
type edge struct {
	from, to int32 // to is 0 in an empty slot
	label    uint32
}

func edgeLabel(word uint32, joined bool) uint32 {
	label := word << 1
	if joined {
		label |= 1
	}
	return label
}

// childBit returns the bit of a word's hash in the signature of a node. The bits of the hash are none of those
// that the filter or the first slot of the table of words is taken from.
func childBit(hash uint64) uint64 { return 1 << (hash >> 58) }

func edgeSlot(from int32, label uint32) uint32 {
	return uint32(mixHash(uint64(from)<<32|uint64(label), 0x9e3779b97f4a7c15))
}

// newTrie makes the trie of distinct names. Entry i is names[i]. It returns an error for a name
// that is empty or not in normal form. For keep see [newTokenSet].
func newTrie(names []string, keep uint64) (*trie, error) {
	t := &trie{
		roots: make([]int32, 1),
		nodes: make([]node, 1, 2*len(names)+1),
		edges: make([]edge, 16),
		mask:  15,
	}
	numbers := make(map[string]uint32)
	var words []string
	var n normalize.Normalizer
	for i, name := range names {
		if n.Normalize(name); string(n.Normal()) != name || name == "" {
			return nil, fmt.Errorf("name %d, %q, is not in normal form", i, name)
		}
		at := int32(0)
		for j, token := range n.Tokens() {
			word := token.Normal.Of(name)
			number, ok := numbers[word]
			if !ok {
				words = append(words, word)
				number = uint32(len(words))
				numbers[word] = number
				t.roots = append(t.roots, 0)
			}
			if j > 0 {
				at = t.add(at, edgeLabel(number, token.Joined))
				continue
			}
			if t.roots[number] == 0 {
				t.roots[number] = t.newNode()
			}
			at = t.roots[number]
		}
		t.nodes[at].entry = int32(i)
	}
	t.words = newTokenSet(words, keep)
	hashes := make([]uint64, len(words))
	var first []uint64
	for i, word := range words {
		hashes[i] = t.words.hashOf(word)
		if t.roots[i+1] != 0 {
			first = append(first, hashes[i])
		}
	}
	t.firstWords = newFilter(first)
	for _, e := range t.edges {
		if e.to != 0 {
			t.nodes[e.from].children |= childBit(hashes[e.label>>1-1])
		}
	}
	return t, nil
}

// root returns the node of the names that begin with the word of this hash, or 0.
func (t *trie) root(hash uint64) int32 {
	if !t.firstWords.has(hash) {
		return 0
	}
	return t.roots[t.words.find(hash)]
}

func (t *trie) newNode() int32 {
	t.nodes = append(t.nodes, node{entry: -1})
	return int32(len(t.nodes) - 1)
}

// add returns the node that label leads to, a new one if there is none.
func (t *trie) add(from int32, label uint32) int32 {
	if to := t.next(from, label); to != 0 {
		return to
	}
	t.count++
	if 2*t.count > len(t.edges) { // at most half full
		old := t.edges
		t.edges = make([]edge, 2*len(old))
		t.mask = uint32(len(t.edges) - 1)
		for _, e := range old {
			if e.to != 0 {
				t.put(e)
			}
		}
	}
	to := t.newNode()
	t.put(edge{from: from, to: to, label: label})
	return to
}

func (t *trie) put(e edge) {
	slot := edgeSlot(e.from, e.label) & t.mask
	for t.edges[slot].to != 0 {
		slot = (slot + 1) & t.mask
	}
	t.edges[slot] = e
}

// next returns the node that label leads to, or 0.
func (t *trie) next(from int32, label uint32) int32 {
	for slot := edgeSlot(from, label) & t.mask; ; slot = (slot + 1) & t.mask {
		e := &t.edges[slot]
		if e.from == from && e.label == label || e.to == 0 {
			return e.to
		}
	}
}
