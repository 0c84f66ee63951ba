package kbfile

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// JoinReport counts the concepts given to [Join].
type JoinReport struct {
	Joined int `json:"joined"` // concepts that the dictionary had
	Added  int `json:"added"`  // concepts that it had not
	Names  int `json:"names"`  // names that were added
}

// Join returns the dictionary d with the concepts of another. A concept of the other
// belongs to the concept of d with its identifier, as [WithParents] matches identifiers:
// also an alternative one, and also without the namespace. The preferred name of d is
// kept; a concept that had none takes that of the other.
func Join(d, other *kb.Dictionary) (*kb.Dictionary, JoinReport) {
	var report JoinReport
	matcher := newIDMatcher(d)
	b := new(kb.Builder).AddAll(d, nil).AddAll(other, func(c *kb.Concept) bool {
		own := c.ID
		if at, known := matcher.index(own); known {
			c.ID = d.At(at).ID
			report.Joined++
		} else {
			report.Added++
		}
		c.AltIDs = append([]kb.ConceptID{own}, c.AltIDs...)
		c.Parents = slices.Clone(c.Parents)
		for i, parent := range c.Parents {
			if at, known := matcher.index(parent); known {
				c.Parents[i] = d.At(at).ID
			}
		}
		return true
	})
	joined := b.Dictionary()
	report.Names = joined.CountNames() - d.CountNames()
	return joined, report
}
