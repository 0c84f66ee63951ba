package basemodel

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// branch is the revision that is requested.
const branch = "main"

// errCacheWrite marks an error of the local disk rather than of the hub.
var errCacheWrite = errors.New("the cache cannot be written")

// cacheError marks an error with errCacheWrite, and returns nil for nil.
func cacheError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errCacheWrite, err)
}

// cache is the folder of one model in the Hugging Face cache.
type cache struct {
	repo string // …/hub/models--org--name
}

// CacheFolder returns the folder of the Hugging Face cache, which may not exist yet.
func CacheFolder() (string, error) {
	root := os.Getenv("HF_HUB_CACHE")
	if home := os.Getenv("HF_HOME"); root == "" && home != "" {
		root = filepath.Join(home, "hub")
	}
	if root == "" {
		home, err := os.UserHomeDir()
		if err != nil && os.Getenv("XDG_CACHE_HOME") == "" {
			return "", fmt.Errorf("cannot locate the Hugging Face cache: %w; set HF_HOME", err)
		}
		userCache := cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache"))
		root = filepath.Join(userCache, "huggingface", "hub")
	}
	return root, nil
}

// openCache returns the cache folder of a model, which may not exist yet.
func openCache(name string) (cache, error) {
	root, err := CacheFolder()
	if err != nil {
		return cache{}, err
	}
	return cache{repo: filepath.Join(root, "models--"+strings.ReplaceAll(name, "/", "--"))}, nil
}

// snapshot returns the snapshot folder of the cached branch, or "" if the model has not
// been downloaded completely.
func (c cache) snapshot() string {
	commit, err := artifact.ReadFile(filepath.Join(c.repo, "refs", branch))
	if err != nil {
		return ""
	}
	dir := c.snapshotDir(strings.TrimSpace(string(commit)))
	if len(missingFiles(dir)) > 0 {
		return ""
	}
	return dir
}

func (c cache) snapshotDir(commit string) string {
	return filepath.Join(c.repo, "snapshots", commit)
}

// hasFile reports whether the snapshot of a commit has a file.
func (c cache) hasFile(commit, file string) bool {
	_, err := os.Stat(filepath.Join(c.snapshotDir(commit), file))
	return err == nil
}

// hasBlob reports whether the content with this ETag has been downloaded, for this
// snapshot or another.
func (c cache) hasBlob(etag string) bool {
	_, err := os.Stat(filepath.Join(c.repo, "blobs", etag))
	return err == nil
}

// linkFile adds a blob to a snapshot as a file.
func (c cache) linkFile(commit, file, etag string) error {
	path := filepath.Join(c.snapshotDir(commit), file)
	err := artifact.MkdirAll(filepath.Dir(path))
	if err == nil {
		err = symlink(filepath.Join("..", "..", "blobs", etag), path)
	}
	return cacheError(err)
}

// symlink makes a symbolic link at path, or atomically replaces the one that is there.
func symlink(target, path string) error {
	if err := os.Symlink(target, path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	temporary := fmt.Sprintf("%s.tmp-%d", path, os.Getpid())
	if err := os.Symlink(target, temporary); err != nil {
		return err
	}
	defer os.Remove(temporary) // after an error of Rename
	return os.Rename(temporary, path)
}

// writeRef makes a commit the current one of the branch.
func (c cache) writeRef(commit string) error {
	path := filepath.Join(c.repo, "refs", branch)
	err := artifact.MkdirAll(filepath.Dir(path))
	if err == nil {
		err = artifact.WriteFile(path, []byte(commit))
	}
	return cacheError(err)
}
