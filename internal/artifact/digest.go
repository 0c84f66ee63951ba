package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Digest identifies the content of a file.
type Digest struct {
	Size   int64  `json:"size"`             // bytes
	SHA256 string `json:"sha256,omitempty"` // hexadecimal; empty in the result of [Checksum]
	// CRC32C is the CRC-32C of the file in eight hexadecimal digits. It takes a tenth of the time of a SHA-256.
	CRC32C string `json:"crc32c,omitempty"`
}

// DigestFile returns the digest of the file at path.
func DigestFile(path string) (Digest, error) { return NewDigester().of(path) }

// Checksum returns the digest of the file at path without its SHA-256. It is for files that live only minutes.
func Checksum(path string) (Digest, error) { return (&Digester{crc: crc32.New(castagnoli)}).of(path) }

// of returns the digest of a file.
func (d *Digester) of(path string) (Digest, error) {
	f, err := os.Open(path)
	if err != nil {
		return Digest{}, err
	}
	defer f.Close()
	_, err = io.CopyBuffer(d, struct{ io.Reader }{f}, make([]byte, 1<<16))
	return d.Digest(), err
}

// Digester computes the digest of the data written to it.
type Digester struct {
	sha  hash.Hash // nil if not wanted
	crc  hash.Hash32
	size int64
}

// NewDigester returns an empty Digester.
func NewDigester() *Digester { return &Digester{sha: sha256.New(), crc: crc32.New(castagnoli)} }

// Write implements [io.Writer]. It never fails.
func (d *Digester) Write(p []byte) (int, error) {
	d.size += int64(len(p))
	if d.sha != nil {
		_, _ = d.sha.Write(p)
	}
	return d.crc.Write(p)
}

// Digest returns the digest of the data written so far.
func (d *Digester) Digest() Digest {
	digest := Digest{Size: d.size, CRC32C: fmt.Sprintf("%08x", d.crc.Sum32())}
	if d.sha != nil {
		digest.SHA256 = hex.EncodeToString(d.sha.Sum(nil))
	}
	return digest
}

// checkSize compares the size of the file at path with d, without reading the file. It returns a [*files.DamagedError]
// if the file is missing or has a different size.
func (d Digest) checkSize(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Damaged(path, "is missing")
	}
	if err != nil {
		return err
	}
	if info.Size() != d.Size {
		return Damaged(path, "has %d bytes, want %d", info.Size(), d.Size)
	}
	return nil
}

// CheckSum is [Digest.Check] without the SHA-256.
func (d Digest) CheckSum(path string) error {
	d.SHA256 = ""
	return d.check(path, Checksum)
}

// Check compares the file at path with d. It returns a [*files.DamagedError] if the file is missing or differs, or if d
// has no SHA-256.
func (d Digest) Check(path string) error { return d.check(path, DigestFile) }

func (d Digest) check(path string, read func(path string) (Digest, error)) error {
	if err := d.checkSize(path); err != nil {
		return err
	}
	switch got, err := read(path); {
	case err != nil:
		return err
	case got.Size != d.Size:
		return Damaged(path, "has %d bytes, want %d", got.Size, d.Size)
	case got.SHA256 != d.SHA256:
		return Damaged(path, "is damaged: its SHA-256 is %s, want %s", got.SHA256, d.SHA256)
	case got.CRC32C != d.CRC32C && (d.CRC32C != "" || d.SHA256 == ""): // the manifest of a corpus lists no CRC-32C
		return Damaged(path, "is damaged: its CRC-32C is %s, want %s", got.CRC32C, d.CRC32C)
	}
	return nil
}

// Digests maps the slash-separated paths of files below a folder to their digests, as listed in a manifest.
type Digests map[string]Digest

// DigestFolder returns the digests of all files below dir except the one called except, the manifest that will list
// them.
func DigestFolder(dir, except string) (Digests, error) {
	names, err := listFiles(dir)
	if err != nil {
		return nil, err
	}
	digests := make(Digests, len(names))
	for _, name := range names {
		if name == except {
			continue
		}
		if digests[name], err = DigestFile(pathIn(dir, name)); err != nil {
			return nil, err
		}
	}
	return digests, nil
}

// Names returns the names of the files, sorted.
func (d Digests) Names() []string { return slices.Sorted(maps.Keys(d)) }

// CheckSizes compares the sizes of the listed files with those below dir, without reading any. It returns the error for
// the first file, by name, that is missing or has a different size.
func (d Digests) CheckSizes(dir string) error {
	for _, name := range d.Names() {
		if err := d[name].checkSize(pathIn(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// Check compares the listed files with those below dir. It returns a joined error: first for all files that are missing
// or differ, then for all that are not listed. It skips the file called manifest.
func (d Digests) Check(dir, manifest string) error {
	var errs []error
	for _, name := range d.Names() {
		if err := d[name].Check(pathIn(dir, name)); err != nil {
			errs = append(errs, err)
		}
	}
	names, err := listFiles(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, listed := d[name]; !listed && name != manifest {
			errs = append(errs, Damaged(pathIn(dir, name), "is not listed in %s", manifest))
		}
	}
	return errors.Join(errs...)
}

func pathIn(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// listFiles returns the paths of all files below dir, which is a folder or a link to one. The paths are relative to
// dir, slash-separated and sorted.
func listFiles(dir string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	slices.Sort(names)
	return names, err
}
