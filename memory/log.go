package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Dir returns the folder of a model's memory, which is beside the model folder.
func Dir(model string) string { return filepath.Clean(model) + ".memory" }

const logName = "log.jsonl"

// formatVersion is the version of the log.
//
//	1  the first
const formatVersion = 1

// header is the first line of a log.
type header struct {
	Format int    `json:"format"`
	Kind   string `json:"kind"`
}

const logKind = "ctxnorm memory"

// Log is the log of a model's memory. It is safe for concurrent use.
type Log struct {
	// Dictionary is the dictionary of the model without the memory.
	Dictionary *kb.Dictionary

	dir     string
	writing chan struct{} // has an element while entries are added
	checker *checker      // of the entries at the last addition; nil after an error
	mu      sync.Mutex    // guards the fields below
	state   *State
	read    int64 // number of bytes of the file that state includes
}

// Open reads the log in a folder, which need not exist: see [Dir]. dict is the dictionary of the model.
func Open(dir string, dict *kb.Dictionary) (*Log, error) {
	l := &Log{Dictionary: dict, dir: dir, writing: make(chan struct{}, 1), state: new(State)}
	_, err := l.Refresh()
	return l, err
}

func (l *Log) path() string { return filepath.Join(l.dir, logName) }

// State returns the content of the log as of the last read.
func (l *Log) State() *State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Refresh reads entries that other processes added, and reports whether there were any. An error leaves the state
// unchanged.
func (l *Log) Refresh() (changed bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	data, err := artifact.ReadFrom(l.path(), l.read)
	if errors.Is(err, fs.ErrNotExist) && l.read == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	state, n, err := parse(data, l.state, l.read)
	if err != nil {
		return false, artifact.WithPath(l.path(), err)
	}
	l.read += int64(n)
	if changed = len(state.entries) > len(l.state.entries); changed {
		l.state = state
	}
	return changed, nil
}

// CheckWritable returns an error if entries cannot be added because the folder, or the folder in which it would be
// created, is not writable. It leaves nothing behind.
func (l *Log) CheckWritable() error {
	_, existing := artifact.Missing(l.dir)
	f, err := artifact.Create(filepath.Join(existing, logName))
	if err == nil {
		f.Discard()
	}
	return err
}

// Check reads the log in a folder, and returns its path and the number of intact lines at its start, or 0 if there is
// no log. If the next line is damaged, the error is a [*files.DamagedError].
func Check(dir string) (path string, lines int, err error) {
	path = filepath.Join(dir, logName)
	data, err := artifact.ReadFrom(path, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return path, 0, nil
	}
	if err != nil {
		return path, 0, err
	}
	_, read, err := parse(data, new(State), 0)
	return path, bytes.Count(data[:read], []byte("\n")), artifact.WithPath(path, err)
}

// parse returns the state after the complete lines of data, which begins at an offset of the log, and the length of
// these lines. Bytes after the last line feed do not count. If a line is damaged, the results are those for the lines
// before it.
func parse(data []byte, state *State, offset int64) (*State, int, error) {
	state = state.clone()
	read := 0
	for line := range bytes.Lines(data) {
		at := offset + int64(read)
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err := parseLine(line, state, at == 0); err != nil {
			number := min(at, 1) + int64(len(state.entries)) + 1 // the header is line 1
			return state, read, artifact.DamagedAt("", at, "line %d: %v", number, err)
		}
		read += len(line)
	}
	if offset == 0 && read == 0 { // the header is written together with the file
		return state, 0, artifact.DamagedAt("", 0, "line 1: has no header")
	}
	return state, read, nil
}

// parseLine adds a line to the state.
func parseLine(line []byte, state *State, first bool) error {
	object, ok := artifact.CheckLine(line)
	if !ok {
		return errors.New("is not as it was written: its checksum is another")
	}
	if first {
		var h header
		if err := decodeStrictly(object, &h); err != nil || h.Kind != logKind {
			return errors.New("is not the header of a memory")
		}
		if h.Format != formatVersion {
			return fmt.Errorf("has format %d, and this version of ctxnorm reads %d", h.Format, formatVersion)
		}
		return nil
	}
	var e Entry
	if err := decodeStrictly(object, &e); err != nil {
		return err
	}
	if err := state.checkNext(&e); err != nil {
		return err
	}
	state.push(e)
	return nil
}

// decodeStrictly decodes an object and rejects unknown members.
func decodeStrictly(object []byte, v any) error {
	if err := input.DecodeJSON(object, v, json.RejectUnknownMembers(true)); err != nil {
		return input.JSONError(err)
	}
	return nil
}

// Add adds an entry, and returns it with its number and time. The entry is on disk when Add returns.
//
// If an entry with the same content is in force, Add returns that entry instead of adding one. The error is an
// [*EntryError] for a wrong field; a [*ConflictError] if a correction disagrees with others and replace is not set
// (otherwise, the others are undone); and a [*files.LockedError] if another process is still writing after a few
// seconds.
func (l *Log) Add(ctx context.Context, e Entry, replace bool) (Entry, error) {
	e.At = time.Time{}
	said, _, err := l.Import(ctx, []Entry{e}, replace)
	if wrong, ok := errors.AsType[*ImportError](err); ok {
		err = wrong.Err
	}
	if err != nil {
		return Entry{}, err
	}
	return said[0], nil
}

// Undo adds an entry that undoes another, and returns it. The error is [ErrNoEntry] if no entry with this number is in
// force, and [ErrNeeded] if others need the concept that it adds.
func (l *Log) Undo(ctx context.Context, number int, by string) (Entry, error) {
	if err := CheckAuthor(by); err != nil {
		return Entry{}, err
	}
	e := Entry{At: now(), By: by, Kind: KindUndo, Undoes: number}
	err := l.add(ctx, func(state *State) ([]Entry, error) {
		e.Number = len(state.entries) + 1
		return []Entry{e}, state.checkUndo(number)
	})
	return e, err
}

// ImportError is the error for one of the entries to import.
type ImportError struct {
	Index int // of the entry, from 0
	Line  int // line of the entry in its file; 0 if unknown
	Err   error
}

func (e *ImportError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("entry %d: %v", e.Index+1, e.Err)
}

func (e *ImportError) Unwrap() error { return e.Err }

// Import adds entries of another memory, all or none, with their times and authors. It returns each as it is in the
// log, with its number there, and those that were new. The error is an [*ImportError] if [Log.Add] would refuse an
// entry.
func (l *Log) Import(ctx context.Context, entries []Entry, replace bool) (said, added []Entry, err error) {
	err = l.add(ctx, func(state *State) ([]Entry, error) {
		c := cmp.Or(l.checker, newChecker(l.Dictionary))
		l.checker = c
		for _, e := range state.entries[len(c.state.entries):] {
			c.push(e)
		}
		for i, given := range entries {
			e, same, err := c.check(given, replace)
			switch {
			case err != nil:
				return nil, &ImportError{i, given.Line, err}
			case same > 0:
				e = c.state.entries[same-1]
			default:
				if e.At = e.At.UTC(); e.At.IsZero() {
					e.At = now()
				}
				e = c.push(e)
				added = append(added, e)
			}
			said = append(said, e)
		}
		return added, nil
	})
	return said, added, err
}

// now returns the time of a new entry, truncated to seconds.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// add appends the entries that choose returns for the state of the log, all or none.
func (l *Log) add(ctx context.Context, choose func(*State) ([]Entry, error)) (err error) {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	lock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	defer func() {
		if err != nil {
			l.checker = nil // it may have entries that the log lacks
		}
	}()
	if _, err := l.Refresh(); err != nil {
		return err
	}
	entries, err := choose(l.State())
	if err != nil || len(entries) == 0 {
		return err
	}
	var lines []byte
	for i := range entries {
		if lines, err = artifact.AppendCheckedLine(lines, &entries[i]); err != nil {
			return err
		}
	}
	if err = l.append(lines); err == nil {
		_, err = l.Refresh()
	}
	return err
}

// lock locks the log, waiting for a process that is writing. The lock file is in the log's folder, which may be the
// only writable one.
func (l *Log) lock(ctx context.Context) (*artifact.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return artifact.LockFolder(ctx, l.path(), func(*files.LockedError) {})
}

// append replaces the file by one with additional lines, so that either all or none are there. If necessary, it creates
// the folder, and the file with its header.
func (l *Log) append(lines []byte) error {
	log, err := artifact.ReadFile(l.path())
	if errors.Is(err, fs.ErrNotExist) {
		if err = artifact.MkdirAll(l.dir); err == nil {
			log, err = artifact.AppendCheckedLine(nil, header{formatVersion, logKind})
		}
	} else if err == nil {
		log = log[:bytes.LastIndexByte(log, '\n')+1]
	}
	if err != nil {
		return err
	}
	_ = artifact.RemoveStale(l.path()) // stale files that cannot be removed do no harm
	return artifact.WriteFile(l.path(), append(log, lines...))
}
