package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/memory"
)

// remembering restricts an operation to models that have a memory.
func remembering[I, O any](answer operation[I, O]) operation[I, O] {
	return func(ctx context.Context, m *servedModel, in *I) (*O, error) {
		if m.memory == nil {
			return nil, problem(http.StatusForbidden, "a dictionary without a model takes no corrections")
		}
		return answer(ctx, m, in)
	}
}

type memoryInput struct {
	All    bool `query:"all" doc:"List also entries that are not in force: those undone, and those that undo"`
	Limit  int  `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"The largest number of entries to return"`
	Offset int  `query:"offset" default:"0" minimum:"0" maximum:"1000000000" doc:"The number of entries to skip"`
}

// memoryPage is one page of the entries of the memory, latest first.
type memoryPage struct {
	Entries    []listedEntry `json:"entries" doc:"The entries, the latest first"`
	Count      int           `json:"count" doc:"The number of entries on all pages"`
	NextOffset *int          `json:"next_offset,omitempty" doc:"The offset of the next page; absent on the last"`
}

// listedEntry is an entry in a list.
type listedEntry struct {
	memory.Entry
	InForce bool `json:"in_force" doc:"Whether the entry is neither undone nor one that undoes"`
}

// MarshalJSON writes the members of the embedded entry, followed by in_force.
func (e listedEntry) MarshalJSON() ([]byte, error) {
	object, err := e.Entry.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(object[:len(object)-1], `,"in_force":%t}`, e.InForce), nil
}

// listMemory answers GET /v1/memory.
func (s *Server) listMemory(_ context.Context, m *servedModel, in *memoryInput) (*memoryPage, error) {
	state := m.memory.State()
	entries := state.Active()
	if in.All {
		entries = slices.Clone(state.All())
	}
	page := memoryPage{Entries: []listedEntry{}, Count: len(entries)}
	slices.Reverse(entries)
	entries, page.NextOffset = pageOf(entries, in.Offset, in.Limit)
	for _, e := range entries {
		page.Entries = append(page.Entries, listedEntry{e, state.InForce(e.Number)})
	}
	return &page, nil
}

// pageOf returns one page of a list and the offset of the next page, or nil if it is the last.
func pageOf[T any](all []T, offset, limit int) (page []T, next *int) {
	start := min(offset, len(all))
	end := min(start+limit, len(all))
	if end < len(all) {
		next = &end
	}
	return all[start:end], next
}

// newEntry is an entry to be added by a request.
type newEntry memory.Entry

// TransformSchema implements [huma.SchemaTransformer].
func (*newEntry) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return entrySchema(s, "number", "at")
}

// importedEntry is an entry of an export. Its number is ignored.
type importedEntry memory.Entry

// TransformSchema implements [huma.SchemaTransformer].
func (*importedEntry) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["number"].Description = "The number in the other memory, which counts for nothing"
	s.Properties["at"].Description = "When it was added; by default now"
	return entrySchema(s)
}

// entrySchema turns the schema of a stored entry into that of an entry to be added, and drops the named members.
func entrySchema(s *huma.Schema, without ...string) *huma.Schema {
	for _, name := range append(without, "undoes", "replaces") {
		delete(s.Properties, name)
	}
	s.Required = []string{"kind"}
	kind := s.Properties["kind"]
	kind.Enum = slices.DeleteFunc(kind.Enum, func(kind any) bool { return kind == string(memory.KindUndo) })
	s.PrecomputeMessages()
	return s
}

// ReplaceParam decides what happens to entries that a new one contradicts.
type ReplaceParam struct {
	Replace bool `query:"replace" doc:"Undo entries that say otherwise of the same wording in the same document or sentence; by default they are an error"`
}

type addInput struct {
	ReplaceParam
	Body newEntry
}

// addMemory answers POST /v1/memory.
func (s *Server) addMemory(ctx context.Context, m *servedModel, in *addInput) (*memory.Entry, error) {
	return s.changeMemory(ctx, m, func() (memory.Entry, error) { return m.memory.Add(ctx, memory.Entry(in.Body), in.Replace) })
}

type undoInput struct {
	Number int    `path:"number" minimum:"1" doc:"The number of the entry"`
	By     string `query:"by" doc:"Who undoes it"`
}

// undoMemory answers DELETE /v1/memory/{number}.
func (s *Server) undoMemory(ctx context.Context, m *servedModel, in *undoInput) (*memory.Entry, error) {
	return s.changeMemory(ctx, m, func() (memory.Entry, error) { return m.memory.Undo(ctx, in.Number, in.By) })
}

// changeMemory makes a change, and answers once the next request will see it.
func (s *Server) changeMemory(ctx context.Context, m *servedModel, change func() (memory.Entry, error)) (*memory.Entry, error) {
	e, err := change()
	if err != nil {
		return nil, s.memoryProblem(err, "")
	}
	return &e, s.use(ctx, m)
}

// memoryExport holds the entries that move from one memory to another.
type memoryExport struct {
	Entries []memory.Entry `json:"entries" doc:"The entries in force, in the order of their numbers"`
}

// exportMemory answers GET /v1/memory/export.
func (s *Server) exportMemory(_ context.Context, m *servedModel, _ *struct{}) (*memoryExport, error) {
	export := memoryExport{append([]memory.Entry{}, m.memory.State().Active()...)}
	for i := range export.Entries {
		export.Entries[i].Replaces = nil // those entries are not in force
	}
	return &export, nil
}

type importInput struct {
	ReplaceParam
	Body struct {
		Entries []importedEntry `json:"entries" doc:"The entries, as /v1/memory/export returns them. They get new numbers, and keep their times"`
	}
}

type importResult struct {
	Added   int   `json:"added" doc:"The number of entries that were added"`
	Skipped int   `json:"skipped" doc:"The number of those that were there already"`
	Numbers []int `json:"numbers" doc:"The number that each entry has in the memory"`
}

// importMemory answers POST /v1/memory/import.
func (s *Server) importMemory(ctx context.Context, m *servedModel, in *importInput) (*importResult, error) {
	entries := make([]memory.Entry, len(in.Body.Entries))
	for i := range entries {
		entries[i] = memory.Entry(in.Body.Entries[i])
	}
	said, added, err := m.memory.Import(ctx, entries, in.Replace)
	if err != nil {
		at := ""
		if wrong, ok := errors.AsType[*memory.ImportError](err); ok {
			at, err = "/entries/"+strconv.Itoa(wrong.Index), wrong.Err
		}
		return nil, s.memoryProblem(err, at)
	}
	result := importResult{Added: len(added), Skipped: len(said) - len(added), Numbers: []int{}}
	for i := range said {
		result.Numbers = append(result.Numbers, said[i].Number)
	}
	return &result, s.use(ctx, m)
}

// memoryProblem returns the problem for an error of the memory. at is a JSON pointer to the entry in the body. It
// returns unknown errors unchanged.
func (s *Server) memoryProblem(err error, at string) error {
	if wrong, ok := errors.AsType[*memory.EntryError](err); ok {
		return unprocessable(Fault{Detail: wrong.Error(), Pointer: at + "/" + wrong.Field})
	}
	if conflict, ok := errors.AsType[*memory.ConflictError](err); ok {
		return withFaults(http.StatusConflict, Fault{Detail: conflict.Error(), Pointer: at})
	}
	if locked, ok := errors.AsType[*ctxnorm.LockedError](err); ok {
		s.cfg.Errorf("%v", locked)
		return problem(http.StatusServiceUnavailable, "another process is writing the memory")
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		s.cfg.Errorf("%v", err)
		return problem(http.StatusInsufficientStorage, "the disk is full; nothing was added")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EROFS):
		s.cfg.Errorf("%v", err)
		return problem(http.StatusForbidden, "the server cannot write what curators say; its log says why")
	case errors.Is(err, memory.ErrNoEntry):
		return problem(http.StatusNotFound, "%v", err)
	case errors.Is(err, memory.ErrNeeded):
		return problem(http.StatusConflict, "%v", err)
	}
	return err
}

// use makes the server take up the entries that m's log has, before the request that stored one is answered, even if its
// client is gone or its time is over.
func (s *Server) use(ctx context.Context, m *servedModel) error {
	ctx = context.WithoutCancel(ctx)
	if err := s.remember(ctx, len(m.memory.State().All())); err != nil { // Follow tries again
		return s.problemOf(ctx, fmt.Errorf("the memory has the entry, which is not used yet: %w", err))
	}
	return nil
}

// remember replaces the current model with one that includes all entries of the memory, unless it includes them or the
// first n: of many requests that wait for each other, most find theirs included.
func (s *Server) remember(ctx context.Context, n int) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	m, release, err := s.models.acquire()
	if err != nil {
		return err
	}
	defer release()
	if m.memory == nil || m.entries >= n {
		return nil
	}
	if _, err := m.memory.Refresh(); err != nil || m.entries >= len(m.memory.State().All()) {
		return err
	}
	_, err = s.serveable(ctx, m.folder, m.memory, m)
	return err
}

// Follow updates the model at each interval until ctx is done: with entries that other processes added to the memory,
// and with entries that could not be used when they were added.
func (s *Server) Follow(ctx context.Context, interval time.Duration) {
	var failed error // last error; each is logged once
	every(ctx, interval, func() {
		err := noPanic(func() error { return s.remember(ctx, math.MaxInt) })
		if err != nil && ctx.Err() == nil && err.Error() != fmt.Sprint(failed) {
			s.cfg.Errorf("the memory: %v", err)
		}
		failed = err
	})
}
