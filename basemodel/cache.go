package basemodel

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
)

// branch is the revision that is asked for.
const branch = "main"

// errDisk marks a failure of this machine rather than of the hub.
var errDisk = errors.New("the cache cannot be written")

// cache is the part of the Hugging Face cache that belongs to one model.
type cache struct {
	repo string // …/hub/models--org--name
}

func openCache(name string) (cache, error) {
	root := os.Getenv("HF_HUB_CACHE")
	if home := os.Getenv("HF_HOME"); root == "" && home != "" {
		root = filepath.Join(home, "hub")
	}
	if root == "" {
		home, err := os.UserHomeDir()
		if err != nil && os.Getenv("XDG_CACHE_HOME") == "" {
			return cache{}, fmt.Errorf("no place for the Hugging Face cache: %w; set HF_HOME", err)
		}
		userCache := cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache"))
		root = filepath.Join(userCache, "huggingface", "hub")
	}
	return cache{repo: filepath.Join(root, "models--"+strings.ReplaceAll(name, "/", "--"))}, nil
}

// snapshot is the folder of the cached branch, empty where the model has not been
// fetched or not wholly.
func (c cache) snapshot() string {
	commit, err := os.ReadFile(filepath.Join(c.repo, "refs", branch))
	if err != nil {
		return ""
	}
	dir := c.snapshotOf(strings.TrimSpace(string(commit)))
	if len(lacking(dir)) > 0 {
		return ""
	}
	return dir
}

func (c cache) snapshotOf(commit string) string {
	return filepath.Join(c.repo, "snapshots", commit)
}

// has reports whether the snapshot holds a file.
func (c cache) has(commit, file string) bool {
	_, err := os.Stat(filepath.Join(c.snapshotOf(commit), file))
	return err == nil
}

// hasBlob reports whether the content with this etag has been fetched, for this
// snapshot or an older one.
func (c cache) hasBlob(etag string) bool {
	_, err := os.Stat(filepath.Join(c.repo, "blobs", etag))
	return err == nil
}

// link enters a blob into a snapshot.
func (c cache) link(commit, file, etag string) error {
	path := filepath.Join(c.snapshotOf(commit), file)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = renameio.Symlink(filepath.Join("..", "..", "blobs", etag), path)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	return nil
}

// setBranch makes a snapshot the one that the branch stands for.
func (c cache) setBranch(commit string) error {
	path := filepath.Join(c.repo, "refs", branch)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = renameio.WriteFile(path, []byte(commit), 0o644)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	return nil
}
