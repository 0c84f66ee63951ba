package model

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
)

// How an opened model is verified. A file that is parsed is compared with the manifest before
// that. Vectors are mapped, so their files, and the graphs over them, are compared in the
// background while the rest is read and the first queries are encoded; verifiedEncoder waits
// for them, and nothing is compared with a vector of the model before it is encoded:
//
//	Open ─┬─ check, then parse: concepts, mined/, contexts.parquet, encoder/, calibration.json
//	      └─ background: *.npy, *.hnsw ────────────────┐
//	Link ──── resolve, encode the queries ──── wait ───┴── search, rank, answer
//
// The tagger is checked when it is read. training/ is not: no answer depends on it.

// verification compares files of a model with its manifest in the background.
type verification struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when err is set
	err    error
}

// checkFile compares a file of the model in dir with the manifest.
func (m *Manifest) checkFile(ctx context.Context, dir, name string) error {
	digest, listed := m.Files[name]
	if !listed {
		return artifact.Damaged(pathIn(dir, manifestFile), "does not list %s", name)
	}
	return digest.CheckBlocks(ctx, pathIn(dir, name))
}

// checkFile compares a file of the model with the manifest, before it is read.
func (m *Model) checkFile(name string) error {
	return m.Manifest.checkFile(context.Background(), m.Dir, name)
}

// checkFolder compares the files in a folder of the model in dir with the manifest.
func (m *Manifest) checkFolder(ctx context.Context, dir, folder string) error {
	for _, name := range m.Files.Names() {
		if strings.HasPrefix(name, folder+"/") {
			if err := m.checkFile(ctx, dir, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyVectors begins to compare the files that are mapped, and the graphs over them, with
// the manifest.
func (m *Model) verifyVectors() {
	names := slices.DeleteFunc(m.Manifest.Files.Names(), func(name string) bool {
		extension := path.Ext(name)
		// openSpace compares it
		return extension != vectorExtension && extension != graphExtension || name == latentVectors
	})
	ctx, cancel := context.WithCancel(context.Background())
	v := &verification{cancel: cancel, done: make(chan struct{})}
	m.verification = v
	go func() {
		defer close(v.done)
		v.err = parallel.ForErr(ctx, len(names), 0, func(i int) error {
			return m.Manifest.checkFile(ctx, m.Dir, names[i])
		})
	}()
}

// Verified waits until all vectors and graphs of the model have been compared with the
// manifest. It returns an [*files.DamagedError] if one differs, and ctx's error if ctx is
// done first. The encoder of an opened model calls it: only who reads vectors without
// encoding a query has to.
func (m *Model) Verified(ctx context.Context) error {
	if m.verification == nil { // the model is being built, or was opened without its vectors
		return nil
	}
	select {
	case <-m.verification.done:
		return m.verification.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop ends the verification and waits until it no longer reads.
func (v *verification) stop() error {
	v.cancel()
	<-v.done
	return nil
}

// preferDamage returns the damage that the checksums show, or else err: that of a reader
// says less.
func (m *Model) preferDamage(err error) error {
	if damaged, ok := errors.AsType[*files.DamagedError](m.Verified(context.Background())); ok {
		return damaged
	}
	return err
}

// verifiedEncoder is the encoder of an opened model. It returns vectors only after those of
// the model were verified.
type verifiedEncoder struct {
	text.Encoder
	verified func(context.Context) error
}

// Encode implements [text.Encoder].
func (e *verifiedEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	if err := e.Encoder.Encode(ctx, dst, queries); err != nil {
		return err
	}
	return e.verified(ctx)
}
