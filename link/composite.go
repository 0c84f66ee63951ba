package link

import (
	"sync"

	"ctxnorm"
	"ctxnorm/matcher"
)

// compositeSplitter takes composite mentions apart.
type compositeSplitter struct {
	names func() (*matcher.Lexical, error) // made for the first mention that may be composite
}

func newCompositeSplitter(dict *ctxnorm.Dictionary) *compositeSplitter {
	return &compositeSplitter{sync.OnceValues(func() (*matcher.Lexical, error) {
		return matcher.NewLexical(dict, matcher.DefaultLexical())
	})}
}

// split gives the parts of a composite mention, or none. A mention that is as like
// a name of the dictionary as its parts are on average, is left whole: "head and
// neck cancer", "foot and mouth disease".
func (s *compositeSplitter) split(surface string) ([]string, error) {
	parts := matcher.SplitComposite(surface)
	if len(parts) == 0 {
		return nil, nil
	}
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, part := range parts {
		sum += bestNameScore(names, part)
	}
	if sum/float64(len(parts)) <= bestNameScore(names, surface) {
		return nil, nil
	}
	return parts, nil
}

// bestNameScore is how like the surface is to the name that it is most like.
func bestNameScore(names *matcher.Lexical, surface string) float64 {
	hits := names.Search(surface, 1)
	if len(hits) == 0 {
		return 0
	}
	return hits[0].Score
}
