package kbfile

import "github.com/ctxnorm/ctxnorm/kb"

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
	inD := func(id kb.ConceptID) kb.ConceptID {
		if i, ok := matcher.index(id); ok {
			return d.At(i).ID
		}
		return id
	}
	concepts := make([]kb.Concept, 0, d.Len()+other.Len())
	for i := range d.Len() {
		concepts = append(concepts, *d.At(i))
	}
	for i := range other.Len() {
		c := *other.At(i)
		if _, ok := matcher.index(c.ID); ok {
			report.Joined++
		} else {
			report.Added++
		}
		own := c.ID
		c.ID = inD(own)
		c.AltIDs = append([]kb.ConceptID{own}, c.AltIDs...)
		c.Parents = make([]kb.ConceptID, 0, len(other.At(i).Parents))
		for _, parent := range other.At(i).Parents {
			c.Parents = append(c.Parents, inD(parent))
		}
		concepts = append(concepts, c)
	}
	joined := kb.NewDictionary(concepts)
	report.Names = joined.CountNames() - d.CountNames()
	return joined, report
}
