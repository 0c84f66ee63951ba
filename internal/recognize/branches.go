package recognize

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// maxRoots bounds the replacements of roots by their children.
const maxRoots = 20

// branches are the top branches of a hierarchy: the concepts without a parent, or the children of the only such
// concept.
type branches struct {
	hierarchy *kb.Hierarchy
	isTop     []bool
	shared    []bool // most concepts of the branch are also in others, so it distinguishes little
}

func newBranches(dict *kb.Dictionary) *branches {
	b := &branches{hierarchy: kb.NewHierarchy(dict), isTop: make([]bool, dict.Len()), shared: make([]bool, dict.Len())}
	below := make([]int, dict.Len())
	placed := 0
	var tops []int32
	for i := range int32(dict.Len()) {
		ancestors := b.hierarchy.Ancestors(i)
		for _, a := range ancestors {
			below[a]++
		}
		if len(ancestors) > 0 || len(b.hierarchy.Children(i)) > 0 {
			placed++
		}
		if len(b.hierarchy.Parents(i)) == 0 && len(b.hierarchy.Children(i)) > 0 {
			tops = append(tops, i)
		}
	}
	// A root with nearly everything below it is replaced by its children.
	for range maxRoots {
		root := slices.IndexFunc(tops, func(top int32) bool { return below[top] > placed*9/10 })
		if root < 0 {
			break
		}
		tops = slices.Concat(tops[:root], tops[root+1:], b.hierarchy.Children(tops[root]))
	}
	for _, top := range tops {
		b.isTop[top] = true
	}
	size, alsoElsewhere := make([]int, dict.Len()), make([]int, dict.Len())
	for i := range int32(dict.Len()) {
		of := b.tops(i)
		for _, top := range of {
			size[top]++
			if len(of) > 1 {
				alsoElsewhere[top]++
			}
		}
	}
	for top := range size {
		b.shared[top] = size[top] > 0 && alsoElsewhere[top]*2 > size[top]
	}
	return b
}

func (b *branches) tops(concept int32) []int32 {
	var tops []int32
	if b.isTop[concept] {
		tops = append(tops, concept)
	}
	for _, a := range b.hierarchy.Ancestors(concept) {
		if b.isTop[a] {
			tops = append(tops, a)
		}
	}
	return tops
}

// of returns the distinct branches of concepts, sorted. It drops shared branches unless there are no others.
func (b *branches) of(concepts []int32) []int32 {
	var tops []int32
	for _, c := range concepts {
		tops = append(tops, b.tops(c)...)
	}
	slices.Sort(tops)
	tops = slices.Compact(tops)
	own := slices.DeleteFunc(slices.Clone(tops), func(top int32) bool { return b.shared[top] })
	if len(own) > 0 {
		return own
	}
	return tops
}
