//go:build unix

package checks

// The states in which a loss of power may leave a folder.
//
// A recording tracks the changes that the program makes below a folder, and what it has flushed to disk (fsync) by
// then. A file has at least its content from its last flush; data written since may be there, be lost, be truncated, or
// be zeros in any sector. A folder has at least its entries from its last flush; each change since may have happened or
// not, in any order, but a renaming is atomic. This is what POSIX promises; file systems in use promise more.

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// sector is the number of bytes that a disk writes atomically.
const sector = 512

// inode is the number of a file or folder. It is not reused while the file is open.
type inode uint64

// entry is a change of a folder entry; 0 stands for no file.
type entry struct {
	folder   inode
	name     string
	old, new inode
}

// event is one change, or one flush.
type event struct {
	moment  int
	entries []entry // that change in one step
	file    inode   // whose content changes
	content []byte
	flushed inode // everything before this event in it is on disk
}

// tree is the state of the recorded folder.
type tree struct {
	root    inode
	entries map[inode]map[string]inode // of each folder
	content map[inode][]byte           // of each file
}

// recording tracks what happens below a folder. Moments are counted from 0, before the first change.
type recording struct {
	path string

	mu      sync.Mutex
	moments int
	start   tree
	now     tree
	events  []event
	flush   inode // flushed to disk since the last moment
	open    []*os.File
	known   map[inode]bool
	err     error
}

// startRecording records the changes that package artifact makes below a folder, until [recording.stop]. Only one
// recording can be active. Concurrent steps count as done when the next one begins.
func startRecording(path string) (*recording, error) {
	r := &recording{path: path, known: make(map[inode]bool)}
	r.start = r.look()
	r.now = r.start
	artifact.Intercept(func(s artifact.Step) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.observe()
		if s.Op == "sync" {
			r.flush = r.inodeOf(s.Path)
		}
		return nil
	})
	return r, r.err
}

// moment returns the number of the present moment. Whatever is on disk now stays there at all later moments.
func (r *recording) moment() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.observe()
	return r.moments - 1
}

// stop ends the recording and returns the number of moments.
func (r *recording) stop() (moments int, err error) {
	artifact.Intercept(nil)
	r.moment()
	for _, f := range r.open {
		r.err = errors.Join(r.err, f.Close())
	}
	return r.moments, r.err
}

// observe adds a moment if something has changed since its last call.
func (r *recording) observe() {
	next, before := r.look(), len(r.events)
	if r.flush != 0 {
		r.events = append(r.events, event{moment: r.moments, flushed: r.flush})
	}
	r.events = append(r.events, changes(r.now, next, r.moments)...)
	r.now, r.flush = next, 0
	if len(r.events) > before || r.moments == 0 {
		r.moments++
	}
}

// look returns the current tree.
func (r *recording) look() tree {
	t := tree{r.number(r.path), make(map[inode]map[string]inode), make(map[inode][]byte)}
	var visit func(path string, of inode)
	visit = func(path string, of inode) {
		list, err := os.ReadDir(path)
		r.fail(err)
		t.entries[of] = make(map[string]inode)
		for _, e := range list {
			at := filepath.Join(path, e.Name())
			number := r.number(at)
			if number == 0 {
				continue // it was removed in the meantime
			}
			t.entries[of][e.Name()] = number
			if e.IsDir() {
				visit(at, number)
			} else if _, ok := t.content[number]; !ok {
				data, err := os.ReadFile(at)
				r.fail(err)
				t.content[number] = data
			}
		}
	}
	visit(r.path, t.root)
	return t
}

// fail stores an error, unless it means that a file is gone.
func (r *recording) fail(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.err = errors.Join(r.err, err)
	}
}

// number returns the inode at a path, and opens it so that its number is not reused.
func (r *recording) number(path string) inode {
	info, err := os.Lstat(path)
	if err != nil {
		r.fail(err)
		return 0
	}
	number := inode(info.Sys().(*syscall.Stat_t).Ino)
	if !r.known[number] {
		f, err := os.Open(path)
		if err != nil {
			r.fail(err)
			return 0
		}
		r.known[number] = true
		r.open = append(r.open, f)
	}
	return number
}

// inodeOf returns the inode that a flush of a path refers to: the temporary file that will take the path, or else the
// file there.
func (r *recording) inodeOf(path string) (found inode) {
	name, err := filepath.Rel(r.path, path)
	if err != nil || strings.HasPrefix(name, "..") {
		return 0
	}
	if name == "." {
		return r.now.root
	}
	folder := r.now.root
	elements := strings.Split(filepath.ToSlash(name), "/")
	last := len(elements) - 1
	for _, element := range elements[:last] {
		folder = r.now.entries[folder][element]
	}
	for other, number := range r.now.entries[folder] {
		if other != elements[last] && artifact.WithoutTemporary(other) == elements[last] &&
			r.now.entries[number] == nil {
			return number
		}
	}
	return r.now.entries[folder][elements[last]]
}

// changes returns the events between two trees.
func changes(before, after tree, moment int) (events []event) {
	var entries []entry
	folders := maps.Clone(before.entries)
	maps.Copy(folders, after.entries)
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		names := maps.Clone(before.entries[folder])
		if names == nil {
			names = make(map[string]inode)
		}
		maps.Copy(names, after.entries[folder])
		for _, name := range slices.Sorted(maps.Keys(names)) {
			e := entry{folder, name, before.entries[folder][name], after.entries[folder][name]}
			if _, stays := after.entries[folder]; e.old != e.new && (stays || e.new != 0) {
				entries = append(entries, e)
			}
		}
	}
	for len(entries) > 0 { // entries between which one inode moves are a renaming or an exchange
		group := entries[:1:1]
		rest := entries[1:]
		for grown := true; grown; {
			grown = false
			var others []entry
			for _, e := range rest {
				if slices.ContainsFunc(group, func(g entry) bool {
					return g.old != 0 && g.old == e.new || e.old != 0 && e.old == g.new
				}) {
					group, grown = append(group, e), true
				} else {
					others = append(others, e)
				}
			}
			rest = others
		}
		events = append(events, event{moment: moment, entries: group})
		entries = rest
	}
	for _, file := range slices.Sorted(maps.Keys(after.content)) {
		if old, ok := before.content[file]; !bytes.Equal(old, after.content[file]) || !ok {
			events = append(events, event{moment: moment, file: file, content: after.content[file]})
		}
	}
	return events
}

// restore writes to the empty folder dir a possible state after power was lost at a moment. The first way keeps only
// what was flushed, the second everything except unflushed content; the others are random.
func (r *recording) restore(dir string, moment, way int, random *rand.Rand) error {
	disk := tree{r.start.root, make(map[inode]map[string]inode), nil}
	for folder, names := range r.start.entries {
		disk.entries[folder] = maps.Clone(names)
	}
	versions := make(map[inode][][]byte) // of each file, starting with the one on disk
	for file, content := range r.start.content {
		versions[file] = [][]byte{content}
	}
	var pending [][]entry
	for _, e := range r.events {
		switch {
		case e.moment > moment:
		case e.entries != nil:
			pending = append(pending, e.entries)
		case e.file != 0:
			if versions[e.file] == nil {
				versions[e.file] = [][]byte{nil}
			}
			versions[e.file] = append(versions[e.file], e.content)
		case versions[e.flushed] != nil:
			versions[e.flushed] = versions[e.flushed][len(versions[e.flushed])-1:]
		default:
			pending = slices.DeleteFunc(pending, func(entries []entry) bool {
				touched := slices.ContainsFunc(entries, func(c entry) bool { return c.folder == e.flushed })
				if touched {
					disk.apply(entries)
				}
				return touched
			})
		}
	}
	until := random.IntN(len(pending) + 1)
	for i, entries := range pending {
		switch keep := []bool{false, true, i < until, random.IntN(2) == 0}; {
		case way < 2 && keep[way], way >= 2 && keep[2+way%2]:
			disk.apply(entries)
		}
	}
	disk.content = make(map[inode][]byte)
	for _, file := range slices.Sorted(maps.Keys(versions)) {
		disk.content[file] = versions[file][0]
		if way >= 2 {
			disk.content[file] = torn(versions[file][0], versions[file][random.IntN(len(versions[file]))], random)
		}
	}
	return disk.write(dir, disk.root)
}

// apply makes the changes of entries in one step.
func (t *tree) apply(entries []entry) {
	for _, e := range entries {
		if t.entries[e.folder] == nil {
			t.entries[e.folder] = make(map[string]inode)
		}
		switch {
		case e.new != 0:
			t.entries[e.folder][e.name] = e.new
		case t.entries[e.folder][e.name] == e.old:
			delete(t.entries[e.folder], e.name)
		}
	}
}

// torn returns possible content on disk for a file whose content there was old and then changed to new.
func torn(old, new []byte, random *rand.Rand) []byte {
	mixed := bytes.Clone(new)
	switch random.IntN(3) {
	case 0: // all of it
	case 1: // the beginning
		if bytes.HasPrefix(new, old) {
			mixed = mixed[:len(old)+random.IntN(len(new)-len(old)+1)]
		}
	case 2: // some sectors; the others are unchanged or zeros
		for at := 0; at < len(mixed); at += sector {
			if end := min(at+sector, len(mixed)); random.IntN(2) == 0 {
				kept := copy(mixed[at:end], old[min(at, len(old)):])
				clear(mixed[at+kept : end])
			}
		}
	}
	return mixed
}

// write writes the tree below a folder to dir.
func (t *tree) write(dir string, folder inode) error {
	for name, number := range t.entries[folder] {
		path := filepath.Join(dir, name)
		content, isFile := t.content[number]
		err := error(nil)
		if isFile {
			err = os.WriteFile(path, content, 0o666)
		} else if err = os.Mkdir(path, 0o777); err == nil {
			err = t.write(path, number)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
