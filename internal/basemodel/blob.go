package basemodel

import (
	"crypto/sha1" // git's hash
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// maxUnstatedSize is the length of the longest file whose size the hub does not state, in
// bytes: 128 MiB, ten times the largest tokenizer. Of weights every hub states the size.
const maxUnstatedSize = 128 << 20

// errWrongContent marks content that is not what the hub announced. Another attempt would
// get the same content.
var errWrongContent = errors.New("not the announced content")

// partialBlob is the content of a file during its download: a temporary file next
// to its final path in the cache. Unless finish succeeds, discard removes it.
type partialBlob struct {
	file    *artifact.File
	want    remoteFile
	size    int64  // number of bytes downloaded
	limit   int64  // size that the file must not exceed
	resumed bool   // the content is from several transfers
	onWrite func() // called after each write
}

func (c cache) createBlob(want remoteFile) (*partialBlob, error) {
	blobs := filepath.Join(c.repo, "blobs")
	if err := artifact.MkdirAll(blobs); err != nil {
		return nil, cacheError(err)
	}
	file, err := artifact.Create(filepath.Join(blobs, want.etag))
	if err != nil {
		return nil, cacheError(err)
	}
	b := &partialBlob{file: file, want: want, limit: want.size}
	if want.size < 0 {
		b.limit = maxUnstatedSize
	}
	return b, nil
}

// expect is called before each transfer with the length that the server states for it, -1
// if it states none. A transfer that would exceed the limit is an error.
func (b *partialBlob) expect(length int64) error {
	if length > b.limit-b.size {
		return b.errTooLong(fmt.Sprintf("%d bytes", b.size+length))
	}
	return nil
}

func (b *partialBlob) errTooLong(got string) error {
	if b.want.size < 0 {
		return fmt.Errorf("%s: %w: the hub states no size, and the file has %s, want at most %d", b.want,
			errWrongContent, got, b.limit)
	}
	return fmt.Errorf("%s: %w: got %s, want %d", b.want, errWrongContent, got, b.limit)
}

// Write appends to the content. It writes nothing beyond the limit.
func (b *partialBlob) Write(p []byte) (int, error) {
	if int64(len(p)) > b.limit-b.size {
		return 0, b.errTooLong("more bytes")
	}
	n, err := b.file.Write(p)
	b.size += int64(n)
	if err != nil {
		return n, cacheError(err)
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
		return cacheError(err)
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
	return cacheError(b.file.Commit())
}

// check compares the size and the hash with those announced by the hub. Another hash of
// content that came in one transfer is final: another attempt would get the same.
func (b *partialBlob) check() error {
	if b.want.size >= 0 && b.size != b.want.size {
		return fmt.Errorf("%s: got %d bytes, want %d", b.want, b.size, b.want.size)
	}
	var prefixes []string
	var newHash func() hash.Hash
	switch len(b.want.etag) {
	case hex.EncodedLen(sha256.Size): // of all large files
		newHash, prefixes = sha256.New, []string{""}
	case hex.EncodedLen(sha1.Size): // git's hash of the files that git keeps; some mirrors state the SHA-1
		newHash, prefixes = sha1.New, []string{fmt.Sprintf("blob %d\x00", b.size), ""}
	default:
		return nil
	}
	for _, prefix := range prefixes {
		h := newHash()
		io.WriteString(h, prefix) // hashes return no error
		if _, err := io.Copy(h, io.NewSectionReader(b.file, 0, b.size)); err != nil {
			return cacheError(err)
		}
		if hex.EncodeToString(h.Sum(nil)) == b.want.etag {
			return nil
		}
	}
	if b.resumed {
		return fmt.Errorf("%s: the content does not have the announced hash %s", b.want, b.want.etag)
	}
	return fmt.Errorf("%s: %w: its hash is not %s", b.want, errWrongContent, b.want.etag)
}

// discard removes an unfinished blob. After finish it has no effect.
func (b *partialBlob) discard() { b.file.Discard() }
