package basemodel

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// partialBlob is the content of a file during its download: a temporary file next
// to its final path in the cache. Unless finish succeeds, discard removes it.
type partialBlob struct {
	file    *artifact.File
	want    remoteFile
	size    int64  // number of bytes downloaded
	onWrite func() // called after each write
}

func (c cache) createBlob(want remoteFile) (*partialBlob, error) {
	blobs := filepath.Join(c.repo, "blobs")
	if err := os.MkdirAll(blobs, 0o777); err != nil {
		return nil, fmt.Errorf("%w: %w", errCacheWrite, err)
	}
	file, err := artifact.Create(filepath.Join(blobs, want.etag))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCacheWrite, err)
	}
	return &partialBlob{file: file, want: want}, nil
}

func (b *partialBlob) Write(p []byte) (int, error) {
	n, err := b.file.Write(p)
	b.size += int64(n)
	if err != nil {
		return n, fmt.Errorf("%w: %w", errCacheWrite, err)
	}
	b.onWrite()
	return n, nil
}

// restart discards what has been downloaded.
func (b *partialBlob) restart() error {
	_, err := b.file.Seek(0, io.SeekStart)
	if err == nil {
		err = b.file.Truncate(0)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errCacheWrite, err)
	}
	b.size = 0
	return nil
}

// finish moves the blob to its final path if its size and hash match those announced by
// the hub. Otherwise it returns an error and restarts.
func (b *partialBlob) finish() error {
	if err := b.check(); err != nil {
		return errors.Join(err, b.restart())
	}
	if err := b.file.Commit(); err != nil {
		return fmt.Errorf("%w: %w", errCacheWrite, err)
	}
	return nil
}

// check compares the size and the hash with those announced by the hub. An ETag of 64
// digits, which all large files have, is the SHA-256 of the content.
func (b *partialBlob) check() error {
	if b.want.size >= 0 && b.size != b.want.size {
		return fmt.Errorf("%s: got %d bytes, want %d", b.want.url, b.size, b.want.size)
	}
	if len(b.want.etag) != hex.EncodedLen(sha256.Size) {
		return nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(b.file, 0, b.size)); err != nil {
		return fmt.Errorf("%w: %w", errCacheWrite, err)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != b.want.etag {
		return fmt.Errorf("%s: the content has the SHA-256 %s, want %s", b.want.url, sum, b.want.etag)
	}
	return nil
}

// discard removes an unfinished blob. After finish it has no effect.
func (b *partialBlob) discard() { b.file.Discard() }
