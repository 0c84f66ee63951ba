package artifact

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// randomFile writes a file of random bytes and returns its path and content.
func randomFile(t *testing.T, size int) (string, []byte) {
	t.Helper()
	content := make([]byte, size)
	rng := rand.New(rand.NewPCG(uint64(size), 1))
	for i := range content {
		content[i] = byte(rng.Uint32())
	}
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, string(content))
	return path, content
}

// TestBlocks compares the checksums of blocks with those of the slices of the content,
// however it is written.
func TestBlocks(t *testing.T) {
	for _, size := range []int{0, 1, blockSize - 1, blockSize, blockSize + 1, 3*blockSize + 5} {
		path, content := randomFile(t, size)
		var want strings.Builder
		for start := 0; start < size; start += blockSize {
			fmt.Fprintf(&want, "%08x", crc32.Checksum(content[start:min(start+blockSize, size)], castagnoli))
		}
		d := NewDigester()
		rng := rand.New(rand.NewPCG(1, 2))
		for rest := content; len(rest) > 0; {
			n := min(len(rest), 1+rng.IntN(blockSize/2))
			_, _ = d.Write(rest[:n])
			if early := d.Digest(); early.Size > 0 && early.Blocks == "" {
				t.Fatalf("%d bytes: no checksum after %d", size, early.Size)
			}
			rest = rest[n:]
		}
		if got := d.Digest().Blocks; got != want.String() {
			t.Errorf("%d bytes: blocks are %s, want %s", size, got, want.String())
		}
		if got, err := DigestBlocks(path); err != nil || got != (Digest{Size: int64(size), Blocks: want.String()}) {
			t.Errorf("%d bytes: DigestBlocks returns %v, %v", size, got, err)
		}
		if err := d.Digest().CheckBlocks(t.Context(), path); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestCheckBlocks flips bits of every block: the error names the block.
func TestCheckBlocks(t *testing.T) {
	path, content := randomFile(t, 2*blockSize+77)
	digest, err := DigestFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, blockSize - 1, blockSize, 2 * blockSize, len(content) - 1} {
		content[at] ^= 4
		write(t, path, string(content))
		err := digest.CheckBlocks(t.Context(), path)
		var damaged *files.DamagedError
		if !errors.As(err, &damaged) || damaged.Path != path || damaged.Offset != int64(at/blockSize*blockSize) {
			t.Errorf("byte %d: error is %v, want one of the block", at, err)
		}
		content[at] ^= 4
	}
	write(t, path, string(content))
	if err := digest.CheckBlocks(t.Context(), path); err != nil {
		t.Error(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := digest.CheckBlocks(canceled, path); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	for name, d := range map[string]Digest{
		"size is -1":         {Size: -1, Blocks: "00"},
		"has 0 digits":       {Size: digest.Size, SHA256: digest.SHA256},
		"has 16 digits":      {Size: digest.Size, SHA256: digest.SHA256, Blocks: digest.Blocks[8:]},
		"invalid byte":       {Size: digest.Size, Blocks: "xx" + digest.Blocks[2:]},
		"has 2097229 bytes":  {Size: digest.Size - 1, Blocks: digest.Blocks},
		"the manifest is da": {Size: digest.Size, SHA256: digest.SHA256, Blocks: "00" + digest.Blocks[2:]},
	} {
		err := d.CheckBlocks(t.Context(), path)
		if strings.HasPrefix(name, "the manifest") {
			err = d.Check(path)
		}
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want an error with %q", err, name)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := digest.CheckBlocks(t.Context(), path); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("missing file: %v", err)
	}
}
