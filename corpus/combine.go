package corpus

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// combination draws the sample of a corpus from its sources' samples.
type combination struct {
	settings Settings
	sources  []*source
	union    *union
	*judgement
}

func combine(ctx context.Context, settings Settings, sources []*source) (*combination, error) {
	u := newUnion(sources)
	j, err := u.judge(ctx)
	if err != nil {
		return nil, err
	}
	return &combination{settings, sources, u, j}, nil
}

// wholeCorpus stands for the number of a record in its file where a source is a
// corpus, which no longer knows it.
const wholeCorpus = -1

// counting reports of the records of a source whether they count.
func (c *combination) counting(s *source) func(pmid string, record int32) bool {
	files := make(map[int32]bool)
	for _, in := range s.inputs {
		files[c.union.index[in.SHA256]] = true
	}
	return func(pmid string, record int32) bool {
		winner, contested := c.winners[pmid]
		// The winner of all files wins among those of a corpus too, so what the
		// corpus has is of the winner if its file is one of them.
		return !contested || files[winner.file] && (record == wholeCorpus || winner.record == record)
	}
}

// eachPiece calls f with the pieces of all sources, as many at once as there are cores,
// and done after each.
func (c *combination) eachPiece(ctx context.Context, done func(piece), f func(*source, piece) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range c.sources {
		for _, p := range s.pieces {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := f(s, p); err != nil {
					return err
				}
				done(p)
				return nil
			})
		}
	}
	return group.Wait()
}
