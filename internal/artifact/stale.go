package artifact

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Temporary names are
//
//	NAME.tmp-HOST-PID-NUMBER        a file or folder under construction
//	NAME.tmp-HOST-PID-NUMBER.old    the folder that it replaces
//
// where a long NAME is shortened, see [ShortenName]. They distinguish
// files left by a killed process from those that a running one is writing.
const (
	temporaryMark = ".tmp-"
	oldSuffix     = ".old"

	maxTemporaryBase = 150 // bytes of NAME: a host has up to 64, and the whole name must fit into 255
)

// MaxName is the maximum length of a file name in common file systems, in bytes.
const MaxName = 255

// ShortenName returns a name of at most limit bytes: name itself, or its beginning and a checksum of the whole name.
func ShortenName(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	sum := fmt.Sprintf("~%08x", crc32.ChecksumIEEE([]byte(name)))
	return strings.ToValidUTF8(name[:limit-len(sum)], "") + sum
}

// hostName is the name of this machine, with characters replaced that are special in paths.
var hostName = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
})

var temporaryCount atomic.Int64

// inUse holds the temporary names of this process, by the last element of their paths. The pid alone is not enough,
// because an earlier process may have had the same one, as is common in containers.
var inUse sync.Map

// temporaryName returns a name for a temporary sibling of path that this process has not used before. The caller calls
// releaseName once nothing with that name exists any more.
func temporaryName(path string) string {
	path = filepath.Join(filepath.Dir(path), ShortenName(filepath.Base(path), maxTemporaryBase))
	name := fmt.Sprintf("%s%s%s-%d-%d", path, temporaryMark, hostName(), os.Getpid(), temporaryCount.Add(1))
	inUse.Store(filepath.Base(name), true)
	return name
}

func releaseName(name string) { inUse.Delete(filepath.Base(name)) }

// RemoveStale removes the temporary files and folders beside path that [Create] and [CreateFolder] made for it in
// processes of this machine that no longer run. It keeps names of any other form, of other machines and of running
// processes. If there is nothing at path, it restores the old content of a folder (".old").
//
// NB: containers that share a folder and a host name but not their processes would remove each other's temporary files.
// They need different host names.
func RemoveStale(path string) error {
	path, err := targetOf(path)
	if err != nil {
		return err
	}
	dir, base := filepath.Dir(path), filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ignoreMissing(err)
	}
	var errs []error
	for _, entry := range entries {
		pid, isOld, ok := parseTemporary(base, entry.Name())
		if !ok || isInUse(pid, entry.Name()) {
			continue
		}
		stale := filepath.Join(dir, entry.Name())
		if isOld {
			if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, rename(stale, path))
				continue
			}
		}
		errs = append(errs, removeAll(stale))
	}
	return errors.Join(errs...)
}

// isInUse reports whether the process pid, which made the temporary file or folder of that name, may still need it: it
// is running, or that cannot be determined.
func isInUse(pid int, name string) bool {
	if pid == os.Getpid() {
		_, ok := inUse.Load(strings.TrimSuffix(name, oldSuffix))
		return ok
	}
	process, err := os.FindProcess(pid)
	if err != nil { // only on Windows
		const errorInvalidParameter = syscall.Errno(87) // of OpenProcess: no such process
		return !errors.Is(err, errorInvalidParameter)
	}
	defer process.Release()
	return !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// parseTemporary parses the name of a temporary sibling of the file or folder called base. It returns the process that
// made it, and whether it contains old content. ok is false for any other name.
func parseTemporary(base, name string) (pid int, isOld, ok bool) {
	rest, ok := strings.CutPrefix(name, ShortenName(base, maxTemporaryBase)+temporaryMark+hostName()+"-")
	if !ok {
		return 0, false, false
	}
	rest, isOld = strings.CutSuffix(rest, oldSuffix)
	process, number, ok := strings.Cut(rest, "-")
	if !ok || !isNumber(process) || !isNumber(number) {
		return 0, false, false
	}
	pid, err := strconv.Atoi(process)
	return pid, isOld, err == nil && pid > 0
}

// isNumber reports whether s is a positive number as formatted by fmt.
func isNumber(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && n > 0 && strconv.FormatInt(n, 10) == s
}

// Prune removes the least recently used folders beside kept (see [Touch]) until the rest, which includes kept, takes at
// most limit bytes. It also removes what killed processes left of them, and their locks. It returns the size of kept.
// It ignores names of a different length than kept, and skips what cannot be removed.
func Prune(kept string, limit uint64) (size uint64) {
	sizes, used := make(map[string]uint64), make(map[string]time.Time)
	dir := filepath.Dir(kept)
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		name, _, isBelow := strings.Cut(strings.TrimPrefix(path, dir+string(filepath.Separator)), string(filepath.Separator))
		info, failed := os.Stat(path)
		switch place := filepath.Join(dir, WithoutTemporary(strings.TrimSuffix(name, lockSuffix))); {
		case err != nil || failed != nil || len(place) != len(kept): // unrelated
		case strings.HasSuffix(name, lockSuffix):
			if lock, err := LockFolder(context.Background(), place, nil); err == nil {
				lock.Release()
			}
		case place != filepath.Join(dir, name):
			_ = RemoveStale(place)
		case isBelow:
			sizes[place] += uint64(info.Size())
		default:
			used[place] = info.ModTime()
		}
		return nil
	})
	total := sizes[kept]
	delete(used, kept)
	for _, place := range slices.SortedFunc(maps.Keys(used), func(a, b string) int { return used[b].Compare(used[a]) }) {
		if total += sizes[place]; total > limit {
			_ = RemoveFolder(place)
		}
	}
	return sizes[kept]
}
