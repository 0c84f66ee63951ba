package corpus

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Merge joins the corpora in the folders srcs to one in dst, which may be one of
// them. It is, to the byte, what a build over all their input files would give,
// or an error:
//
//   - the corpora were made with other dictionaries, taggers, samples or lists of
//     excluded PMIDs;
//   - one supersedes or deletes records of another, and no longer has the
//     sentences that would take their place: a [*ConflictError].
func Merge(ctx context.Context, dst string, srcs []string) (*Manifest, error) {
	if len(srcs) == 0 {
		return nil, errors.New("no corpora to merge")
	}
	var settings Settings
	var sources []*source
	names := make(map[string]string) // of input files, by hash
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
			// The name decides which records it supersedes.
			if have, ok := names[in.SHA256]; ok && have != in.Name {
				return nil, fmt.Errorf("%s: input file %s has the content of %s in another corpus", dir, in.Name, have)
			}
			names[in.SHA256] = in.Name
		}
		sources = append(sources, c.source())
	}
	c, err := combine(ctx, settings, sources)
	if err != nil {
		return nil, err
	}
	done := func(piece) {}
	drawn, short, err := c.sample(ctx, done)
	if err != nil {
		return nil, err
	}
	if len(short) > 0 {
		return nil, &ConflictError{PMIDs: len(c.winners), Names: short}
	}
	return c.write(ctx, dst, drawn, done)
}
