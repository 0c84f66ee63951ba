package link

import (
	"slices"

	"ctxnorm"
)

// tree is the dictionary's hierarchy by positions of concepts. A concept may have
// several parents; a cycle in the dictionary is cut where it closes.
type tree struct {
	parents  [][]int32
	children [][]int32
	above    [][]int32 // all ancestors, each once, nearest first
	edges    int
}

// newTree reads the parents of the dictionary's concepts. Parents that are not in
// the dictionary are left out.
func newTree(dict *ctxnorm.Dictionary) *tree {
	n := dict.Len()
	t := &tree{parents: make([][]int32, n), children: make([][]int32, n), above: make([][]int32, n)}
	for i := range n {
		for _, id := range dict.At(i).Parents {
			if parent, ok := dict.Index(id); ok && parent != i {
				t.parents[i] = append(t.parents[i], int32(parent))
				t.children[parent] = append(t.children[parent], int32(i))
				t.edges++
			}
		}
	}
	for i := range n {
		t.above[i] = reach(int32(i), t.parents, n)
	}
	return t
}

// flat is the same concepts without a hierarchy.
func (t *tree) flat() *tree {
	n := len(t.parents)
	return &tree{parents: make([][]int32, n), children: make([][]int32, n), above: make([][]int32, n)}
}

// empty reports whether the dictionary has no tree.
func (t *tree) empty() bool { return t.edges == 0 }

// below lists the descendants within so many steps, nearest first.
func (t *tree) below(concept int32, steps int) []int32 { return reach(concept, t.children, steps) }

// reach lists what can be reached from a concept in at most so many steps, nearest
// first, without the concept itself.
func reach(from int32, next [][]int32, steps int) []int32 {
	var found []int32
	edge := []int32{from}
	for range steps {
		var further []int32
		for _, at := range edge {
			for _, to := range next[at] {
				if to != from && !slices.Contains(found, to) {
					found = append(found, to)
					further = append(further, to)
				}
			}
		}
		if len(further) == 0 {
			break
		}
		edge = further
	}
	return found
}
