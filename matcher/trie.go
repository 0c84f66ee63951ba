package matcher

// trie holds names as sequences of token numbers. For "type 1", "type 2
// diabetes" and "型2":
//
//	type ─┬─ 1 ●
//	      └─ 2 ── diabetes ●
//	型 ─── +2 ●                   + is joined to what stands before it
//
// Most words of a text begin no name, and a filter of the hashes of those that do
// tells so without a look at the table of words. Edges lie in one open-addressing table. Each node knows 64 hashed bits of the
// edges that leave it, so that most words that do not go on with a name are told
// without a look at that table. 84 k names take 6 MB.
type trie struct {
	words *tokenSet
	begin filter  // of the hashes of the names' first words
	first []int32 // token number -> node of the names' first words, or 0
	nodes []node  // 0 is no node
	edges []edge  // open addressing
	mask  uint32  // len(edges) - 1
	count int     // edges in use
	depth int     // words of the longest name
}

type node struct {
	children uint64 // bit childBit(label) of each edge that leaves it
	name     int32  // the name that ends here, or -1
}

// An edge goes from a node by a label: the token number times 2, plus 1 if the
// word is joined to the one before.
type edge struct {
	from, to int32 // to is 0 in an empty slot
	label    uint32
}

func label(token uint32, joined bool) uint32 {
	l := token << 1
	if joined {
		l |= 1
	}
	return l
}

func childBit(label uint32) uint64 { return 1 << (label * 0x9e3779b1 >> 26) } // Fibonacci hashing to 6 bits

func edgeSlot(from int32, label uint32) uint32 {
	return uint32(fold(uint64(from)<<32|uint64(label), 0x9e3779b97f4a7c15))
}

// newTrie makes the trie of names, which are distinct and in normal form and are
// numbered in their order. keep is for [newTokenSet].
func newTrie(names []string, keep uint64) *trie {
	t := &trie{
		first: make([]int32, 1),
		nodes: make([]node, 1, 2*len(names)+1),
		edges: make([]edge, 16),
		mask:  15,
	}
	numbers := make(map[string]uint32)
	var words []string
	var p passage
	for i, name := range names {
		p.read(name, &lowerCase)
		at := int32(0)
		for j, token := range p.tokens {
			word := token.Normal.Of(name)
			number, ok := numbers[word]
			if !ok {
				words = append(words, word)
				number = uint32(len(words))
				numbers[word] = number
				t.first = append(t.first, 0)
			}
			if j > 0 {
				at = t.add(at, label(number, token.Joined))
				continue
			}
			if t.first[number] == 0 {
				t.first[number] = t.newNode()
			}
			at = t.first[number]
		}
		t.nodes[at].name = int32(i)
		t.depth = max(t.depth, len(p.tokens))
	}
	t.words = newTokenSet(words, keep)
	var begin []uint64 // hashes
	for i, word := range words {
		if t.first[i+1] != 0 {
			begin = append(begin, t.words.hashOf(word))
		}
	}
	t.begin = newFilter(begin)
	return t
}

// root is the node of the names that begin with the word of this hash, or 0.
func (t *trie) root(hash uint64) int32 {
	if !t.begin.has(hash) {
		return 0
	}
	return t.first[t.words.find(hash)]
}

func (t *trie) newNode() int32 {
	t.nodes = append(t.nodes, node{name: -1})
	return int32(len(t.nodes) - 1)
}

// add gives the node that label leads to, a new one if there is none.
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
	t.nodes[from].children |= childBit(label)
	return to
}

func (t *trie) put(e edge) {
	slot := edgeSlot(e.from, e.label) & t.mask
	for t.edges[slot].to != 0 {
		slot = (slot + 1) & t.mask
	}
	t.edges[slot] = e
}

// next is the node that label leads to, or 0.
func (t *trie) next(from int32, label uint32) int32 {
	if t.nodes[from].children&childBit(label) == 0 {
		return 0
	}
	for slot := edgeSlot(from, label) & t.mask; ; slot = (slot + 1) & t.mask {
		e := &t.edges[slot]
		if e.from == from && e.label == label || e.to == 0 {
			return e.to
		}
	}
}
