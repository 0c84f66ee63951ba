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
	ancestors [][]int32 // nearest first, each once, at most maxAncestors
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
	reachedFrom := make([]int, n) // the last node that each was reached from, counted from 1
	for i := range n {
		h.ancestors[i] = reach(int32(i), h.parents, n, func(found []int32, to int32) bool {
			isNew := reachedFrom[to] != i+1 && len(found) < maxAncestors
			if isNew {
				reachedFrom[to] = i + 1
			}
			return isNew
		})
	}
	return h
}

// maxAncestors bounds the memory of a hierarchy: relations between concepts of the UMLS have cycles, and a file may be
// a chain.
const maxAncestors = 1000

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

// Roots returns nodes from which all others can be reached, in ascending order: those without
// parents, and one of each cycle that is below no other node.
func (h *Hierarchy) Roots() []int32 {
	var roots, starts []int32
	reached := make([]bool, len(h.parents))
	for i, parents := range h.parents {
		if len(parents) == 0 {
			roots = append(roots, int32(i))
			h.markBelow(int32(i), reached)
		}
	}
	covered := slices.Clone(reached)
	for i := range h.parents {
		if !reached[i] {
			starts = append(starts, int32(i))
			h.markBelow(int32(i), reached)
		}
	}
	for _, i := range slices.Backward(starts) { // none is below an earlier one
		if !covered[i] {
			roots = append(roots, i)
			h.markBelow(i, covered)
		}
	}
	slices.Sort(roots)
	return roots
}

// markBelow marks a node and those below it that are not marked.
func (h *Hierarchy) markBelow(node int32, marked []bool) {
	marked[node] = true
	for waiting := []int32{node}; len(waiting) > 0; {
		last := len(waiting) - 1
		children := h.children[waiting[last]]
		waiting = waiting[:last]
		for _, child := range children {
			if !marked[child] {
				marked[child] = true
				waiting = append(waiting, child)
			}
		}
	}
}

// Ancestors returns the nodes above a node, nearest first and each once, without the node
// itself: all, or the nearest 1,000. The slice must not be modified.
func (h *Hierarchy) Ancestors(node int32) []int32 { return h.ancestors[node] }

// Descendants returns the nodes at most steps below a node, nearest first and each once,
// without the node itself.
func (h *Hierarchy) Descendants(node int32, steps int) []int32 {
	const few = 32 // nodes, in which a search is faster than a map
	var reached map[int32]bool
	return reach(node, h.children, steps, func(found []int32, to int32) bool {
		if len(found) < few {
			return !slices.Contains(found, to)
		}
		if reached == nil {
			reached = make(map[int32]bool)
			for _, node := range found {
				reached[node] = true
			}
		}
		isNew := !reached[to]
		reached[to] = true
		return isNew
	})
}

// reach returns the nodes at most steps edges from a node, nearest first, without the node
// itself: a breadth-first search. isNew reports whether a node is to be added to those found.
func reach(from int32, edges [][]int32, steps int, isNew func(found []int32, to int32) bool) []int32 {
	var found []int32
	frontier := []int32{from}
	for range steps {
		before := len(found)
		for _, at := range frontier {
			for _, to := range edges[at] {
				if to != from && isNew(found, to) {
					found = append(found, to)
				}
			}
		}
		if len(found) == before {
			break
		}
		frontier = found[before:]
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
