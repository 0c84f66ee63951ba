package basemodel

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// partialBlob is the content of a file while it is fetched: a hidden file beside
// its place in the cache, gone after discard unless finish came first.
type partialBlob struct {
	file  *renameio.PendingFile
	want  remoteFile
	size  int64  // bytes that have come
	wrote func() // called when some have
}

func (c cache) createBlob(want remoteFile) (*partialBlob, error) {
	blobs := filepath.Join(c.repo, "blobs")
	if err := os.MkdirAll(blobs, 0o755); err != nil {
		return nil, fmt.Errorf("%w: %w", errDisk, err)
	}
	file, err := renameio.NewPendingFile(filepath.Join(blobs, want.etag),
		renameio.WithTempDir(blobs), renameio.WithPermissions(0o644))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDisk, err)
	}
	return &partialBlob{file: file, want: want}, nil
}

func (b *partialBlob) Write(p []byte) (int, error) {
	n, err := b.file.Write(p)
	b.size += int64(n)
	if err != nil {
		return n, fmt.Errorf("%w: %w", errDisk, err)
	}
	b.wrote()
	return n, nil
}

// restart forgets what has come.
func (b *partialBlob) restart() error {
	_, err := b.file.Seek(0, io.SeekStart)
	if err == nil {
		err = b.file.Truncate(0)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	b.size = 0
	return nil
}

// finish puts the blob in its place where its content is what the hub promised,
// and otherwise starts again.
func (b *partialBlob) finish() error {
	if err := b.check(); err != nil {
		return errors.Join(err, b.restart())
	}
	if err := b.file.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	return nil
}

// check holds size and hash against the hub's word. An etag of 64 digits, that of
// every large file, is the SHA-256 of the content.
func (b *partialBlob) check() error {
	if b.want.size >= 0 && b.size != b.want.size {
		return fmt.Errorf("%s: %d bytes came, want %d", b.want.url, b.size, b.want.size)
	}
	if len(b.want.etag) != hex.EncodedLen(sha256.Size) {
		return nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(b.file, 0, b.size)); err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != b.want.etag {
		return fmt.Errorf("%s: what came has the SHA-256 %s, want %s", b.want.url, sum, b.want.etag)
	}
	return nil
}

// discard removes what is unfinished; after finish it does nothing.
func (b *partialBlob) discard() { _ = b.file.Cleanup() }
