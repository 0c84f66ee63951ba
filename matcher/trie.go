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
// them without a look at the table of words. Each node holds a 64-bit signature of the hashes
// of the words that continue it, so that most other words are rejected without a look at the
// table of words or that of edges.
type trie struct {
	words      *tokenSet
	firstWords filter         // hashes of the names' first words
	roots      []int32        // word number -> node of the names that begin with it, or 0
	nodes      []node         // 0 is no node
	edges      map[edge]int32 // the nodes that edges lead to
}

// node is a place in the trie, which a path of words leads to.
type node struct {
	children uint64 // bit childBit(hash) of the word of each outgoing edge
	entry    int32  // index of the name that ends here, or -1
}

// edge leads from a node (upper half) by the number of a word, times 2, plus 1 if the word is joined to the one before.
type edge uint64

func newEdge(from int32, word uint32, joined bool) edge {
	e := edge(from)<<32 | edge(word)<<1
	if joined {
		e |= 1
	}
	return e
}

// word returns the number of the word of an edge, and from the node that it leaves.
func (e edge) word() uint32 { return uint32(e) >> 1 }
func (e edge) from() int32  { return int32(e >> 32) }

// childBit returns the bit of a word's hash in the signature of a node. The bits of the hash are none of those
// that the filter or the first slot of the table of words is taken from.
func childBit(hash uint64) uint64 { return 1 << (hash >> 58) }

// newTrie makes the trie of distinct names. Entry i is names[i]. It returns an error for a name
// that is empty or not in normal form. For keep see [newTokenSet].
func newTrie(names []string, keep uint64) (*trie, error) {
	t := &trie{
		roots: make([]int32, 1),
		nodes: make([]node, 1, 2*len(names)+1),
		edges: make(map[edge]int32, len(names)),
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
				e := newEdge(at, number, token.Joined)
				if at = t.edges[e]; at == 0 {
					at = t.newNode()
					t.edges[e] = at
				}
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
		hashes[i] = t.words.hash([]byte(word))
		if t.roots[i+1] != 0 {
			first = append(first, hashes[i])
		}
	}
	t.firstWords = newFilter(first)
	for e := range t.edges {
		t.nodes[e.from()].children |= childBit(hashes[e.word()-1])
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
