package kb

import (
	"slices"
)

// Hierarchy is a directed graph of broader and narrower nodes, numbered from 0: the
// concepts of a dictionary by their positions. A node may have several parents. The graph
// may have cycles: searches visit a node once and never return to their start. A Hierarchy
// does not change, so it is safe for concurrent use.
type Hierarchy struct {
	parents   [][]int32
	children  [][]int32
	ancestors [][]int32 // nearest first, each once
	edges     int
}

// NewHierarchy returns the hierarchy of the dictionary's concepts. It leaves out parents
// that are not in the dictionary.
func NewHierarchy(dict *Dictionary) *Hierarchy {
	parents := make([][]int32, dict.Len())
	for i := range parents {
		parents[i] = ConceptPositions(dict, dict.At(i).Parents)
	}
	return HierarchyOf(parents)
}

// HierarchyOf returns the hierarchy of the nodes 0 to len(parents)-1, given the parents
// of each. It ignores a node that is its own parent.
func HierarchyOf(parents [][]int32) *Hierarchy {
	n := len(parents)
	h := &Hierarchy{parents: make([][]int32, n), children: make([][]int32, n), ancestors: make([][]int32, n)}
	for i := range n {
		for _, parent := range parents[i] {
			if parent != int32(i) {
				h.parents[i] = append(h.parents[i], parent)
				h.children[parent] = append(h.children[parent], int32(i))
				h.edges++
			}
		}
	}
	for i := range n {
		h.ancestors[i] = reach(int32(i), h.parents, n)
	}
	return h
}

// Flat returns a hierarchy of the same nodes without any edge.
func (h *Hierarchy) Flat() *Hierarchy { return HierarchyOf(make([][]int32, len(h.parents))) }

// Empty reports whether the hierarchy has no edge.
func (h *Hierarchy) Empty() bool { return h.edges == 0 }

// Parents returns the parents of a node in the order of the dictionary's Parents. The
// slice must not be modified.
func (h *Hierarchy) Parents(node int32) []int32 { return h.parents[node] }

// Children returns the children of a node in ascending order. The slice must not be
// modified.
func (h *Hierarchy) Children(node int32) []int32 { return h.children[node] }

// Roots returns the nodes without parents, in ascending order.
func (h *Hierarchy) Roots() []int32 {
	var roots []int32
	for i, parents := range h.parents {
		if len(parents) == 0 {
			roots = append(roots, int32(i))
		}
	}
	return roots
}

// Ancestors returns all nodes above a node, nearest first and each once, without the
// node itself. The slice must not be modified.
func (h *Hierarchy) Ancestors(node int32) []int32 { return h.ancestors[node] }

// Descendants returns the nodes at most steps below a node, nearest first and each once,
// without the node itself.
func (h *Hierarchy) Descendants(node int32, steps int) []int32 {
	return reach(node, h.children, steps)
}

// reach returns the nodes at most steps edges from a node, nearest first, without the
// node itself: a breadth-first search.
func reach(from int32, edges [][]int32, steps int) []int32 {
	var found []int32
	frontier := []int32{from}
	for range steps {
		var next []int32
		for _, at := range frontier {
			for _, to := range edges[at] {
				if to != from && !slices.Contains(found, to) {
					found = append(found, to)
					next = append(next, to)
				}
			}
		}
		if len(next) == 0 {
			break
		}
		frontier = next
	}
	return found
}

// HasHierarchy reports whether any concept of the dictionary has a parent in it, other
// than itself. It is cheaper than building a [Hierarchy].
func HasHierarchy(dict *Dictionary) bool {
	for i := range dict.Len() {
		for _, parent := range ConceptPositions(dict, dict.At(i).Parents) {
			if parent != int32(i) {
				return true
			}
		}
	}
	return false
}

// ConceptPositions returns the positions in the dictionary of the concepts that it has,
// in the order of ids.
func ConceptPositions(dict *Dictionary, ids []ConceptID) []int32 {
	var positions []int32
	for _, id := range ids {
		if i, ok := dict.Index(id); ok {
			positions = append(positions, int32(i))
		}
	}
	return positions
}
