package corpus

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// Merge merges the corpora in the folders srcs into one in dst, which may be one of them, and returns its manifest. The
// result is byte-identical to a build from all their input files. Merge replaces and locks the folder dst like [Build];
// waiting is [Options.Waiting].
//
// Merge fails if that is impossible:
//
//   - the corpora differ in the settings (dictionary, tagger, pair extractor,
//     SentencesPerName, seed, excluded PMIDs);
//   - an input file has different names in two corpora;
//   - one corpus supersedes or deletes records of another corpus, which has no
//     further sentences to replace theirs: a [*ConflictError].
func Merge(ctx context.Context, dst string, srcs []string, waiting func(*files.LockedError)) (*Manifest, error) {
	if len(srcs) == 0 {
		return nil, errors.New("no corpora to merge")
	}
	lock, err := artifact.LockFolder(ctx, dst, waiting)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	if err := CheckTarget(dst); err != nil {
		return nil, err
	}
	var settings Settings
	var sources []*source
	names := make(map[string]string) // of input files, by SHA-256
	for i, dir := range srcs {
		c, err := Open(dir)
		if err != nil {
			return nil, err
		}
		own := c.manifest.Settings
		if i == 0 {
			settings = own
		}
		if differ := settings.differences(&own); len(differ) > 0 {
			return nil, fmt.Errorf("%s and %s differ in %s", srcs[0], dir, strings.Join(differ, ", "))
		}
		settings.Dictionary.File = min(settings.Dictionary.File, own.Dictionary.File)
		for _, in := range c.manifest.Inputs {
			// The name of a file decides which records it supersedes.
			if have, ok := names[in.SHA256]; ok && have != in.Name {
				return nil, fmt.Errorf("%s: input file %s is called %s in another corpus", dir, in.Name, have)
			}
			names[in.SHA256] = in.Name
		}
		sources = append(sources, c.source())
	}
	r, err := newReducer(ctx, settings, sources, files.Unlimited, func(int64) {})
	if err != nil {
		return nil, err
	}
	sampled, undersampled, err := r.sample(ctx)
	if err != nil {
		return nil, err
	}
	if len(undersampled) > 0 {
		return nil, &ConflictError{PMIDs: len(r.latest), Names: undersampled}
	}
	return r.write(ctx, dst, sampled)
}

// ConflictError reports that corpora cannot be merged exactly. One corpus has other versions of another's records, or
// deletes them. This removes sentences from the sample of a name, and the corpora do not hold the next sentences in
// line. A build from all the input files is exact.
type ConflictError struct {
	PMIDs int      // number of PMIDs with several records, or deleted
	Names []string // names that lose sentences, in order
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%d PMIDs have several records or are deleted, so %d names (first: %q) would lose sentences "+
		"that cannot be replaced",
		e.PMIDs, len(e.Names), e.Names[0])
}
