package kb

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// Hierarchy is a directed graph of broader and narrower nodes, numbered from 0: the positions of a dictionary's
// concepts. A node may have several parents. The graph may have cycles: searches visit a node only once and never
// return to their start. A Hierarchy does not change, so it is safe for concurrent use.
type Hierarchy struct {
	nodes                        int
	parents, children, ancestors safetensors.Lists // of each node; empty if there are no edges
}

// NewHierarchy returns the hierarchy of the dictionary's concepts. It ignores parents that are not in the dictionary.
func NewHierarchy(dict *Dictionary) *Hierarchy {
	if dict.parents.Len() == 0 { // no need to look at each concept
		return &Hierarchy{nodes: dict.Len()}
	}
	return newHierarchy(dict.Len(), dict.parentsOf)
}

// newHierarchy returns the hierarchy of nodes, given a function that appends the parents of a node. It ignores a node
// among its own parents.
func newHierarchy(nodes int, parentsOf func(dst []int32, node int) []int32) *Hierarchy {
	h := &Hierarchy{nodes: nodes}
	var own []int32
	for i := range nodes {
		own = slices.DeleteFunc(parentsOf(own[:0], i), func(parent int32) bool { return parent == int32(i) })
		h.parents.Append(own...)
	}
	if len(h.parents.Values()) == 0 {
		return h.Flat()
	}
	h.children = h.parents.Inverted(nodes)
	reachedFrom := make([]int, nodes) // for each node, the last node from which it was reached, counted from 1
	for i := range nodes {
		h.ancestors.Append(reach(int32(i), &h.parents, nodes, func(found []int32, to int32) bool {
			isNew := reachedFrom[to] != i+1 && len(found) < maxAncestors
			if isNew {
				reachedFrom[to] = i + 1
			}
			return isNew
		})...)
	}
	return h
}

// maxAncestors bounds the memory of a hierarchy: relations between UMLS concepts have cycles, and a file may be a
// chain.
const maxAncestors = 1000

// Flat returns a hierarchy of the same nodes without edges.
func (h *Hierarchy) Flat() *Hierarchy { return &Hierarchy{nodes: h.nodes} }

// Empty reports whether the hierarchy has no edges.
func (h *Hierarchy) Empty() bool { return h.parents.Len() == 0 }

// Parents returns the parents of a node in the order of the dictionary's Parents. The slice must not be modified.
func (h *Hierarchy) Parents(node int32) []int32 { return listOf(&h.parents, int(node)) }

// Children returns the children of a node in ascending order. The slice must not be modified.
func (h *Hierarchy) Children(node int32) []int32 { return listOf(&h.children, int(node)) }

// Roots returns nodes from which all others can be reached, in ascending order: nodes without parents, and one node of
// each cycle that is not below other nodes.
func (h *Hierarchy) Roots() []int32 {
	var roots, starts []int32
	reached := make([]bool, h.nodes)
	for i := range int32(h.nodes) {
		if len(h.Parents(i)) == 0 {
			roots = append(roots, i)
			h.markBelow(i, reached)
		}
	}
	covered := slices.Clone(reached)
	for i := range int32(h.nodes) {
		if !reached[i] {
			starts = append(starts, i)
			h.markBelow(i, reached)
		}
	}
	for _, i := range slices.Backward(starts) { // a start is never below an earlier one
		if !covered[i] {
			roots = append(roots, i)
			h.markBelow(i, covered)
		}
	}
	slices.Sort(roots)
	return roots
}

// markBelow marks a node and its unmarked descendants.
func (h *Hierarchy) markBelow(node int32, marked []bool) {
	marked[node] = true
	reach(node, &h.children, h.nodes, func(_ []int32, to int32) bool {
		isNew := !marked[to]
		marked[to] = true
		return isNew
	})
}

// Ancestors returns the nodes above a node, without duplicates or the node itself, nearest first. It returns at most
// the nearest 1,000. The slice must not be modified.
func (h *Hierarchy) Ancestors(node int32) []int32 { return listOf(&h.ancestors, int(node)) }

// Descendants returns the nodes at most steps below a node, without duplicates or the node itself, nearest first.
func (h *Hierarchy) Descendants(node int32, steps int) []int32 {
	reached := make(map[int32]bool)
	return reach(node, &h.children, steps, func(_ []int32, to int32) bool {
		isNew := !reached[to]
		reached[to] = true
		return isNew
	})
}

// reach returns the nodes at most steps edges from a node, without the node itself, nearest first. It is a
// breadth-first search in which isNew decides whether to add a node to those found.
func reach(from int32, edges *safetensors.Lists, steps int, isNew func(found []int32, to int32) bool) []int32 {
	var found []int32
	frontier := []int32{from}
	for range steps {
		before := len(found)
		for _, at := range frontier {
			for _, to := range listOf(edges, int(at)) {
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

// HasHierarchy reports whether any concept has a parent in the dictionary other than itself. It is cheaper than
// building a [Hierarchy].
func HasHierarchy(dict *Dictionary) bool {
	var own []int32
	for i := range dict.Len() {
		own = dict.parentsOf(own[:0], i)
		if slices.ContainsFunc(own, func(parent int32) bool { return parent != int32(i) }) {
			return true
		}
	}
	return false
}

// ConceptPositions returns the positions of those ids that are in the dictionary, in the order of ids.
func ConceptPositions(dict *Dictionary, ids []ConceptID) []int32 {
	var positions []int32
	for _, id := range ids {
		if i, ok := dict.Index(id); ok {
			positions = append(positions, int32(i))
		}
	}
	return positions
}
