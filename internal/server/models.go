package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// openFolder is an opened model folder. Requests that use it hold a read lock on it.
type openFolder struct {
	*ctxnorm.Model
	use sync.RWMutex
}

// servedModel is a model that answers requests: the model of a folder with a snapshot of its memory.
type servedModel struct {
	*ctxnorm.Model
	folder    *openFolder
	memory    *ctxnorm.Memory // nil for a dictionary alone
	entries   int             // of the memory's log that the model includes, at least
	names     []searchedName  // of the dictionary
	hierarchy *kb.Hierarchy
	top       func() []int32  // the roots of the hierarchy, by name
	types     func() []string // of the concepts, sorted
}

// models holds the model that answers new requests. It closes a folder once neither the current model nor a request
// uses it.
type models struct {
	mu      sync.RWMutex
	current *servedModel
	closed  bool
	closing sync.WaitGroup // goroutines that close folders
}

// acquire returns the current model and a function to call when it is no longer used. If the server is closed, it
// returns a [*Problem].
func (m *models) acquire() (*servedModel, func(), error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.current == nil {
		return nil, nil, problem(http.StatusServiceUnavailable, "the server is stopping")
	}
	m.current.folder.use.RLock() // NB: at once, since a folder is closed only after its model was replaced
	return m.current, m.current.folder.use.RUnlock, nil
}

// replace makes next the current model and reports whether it did. It does not if the server is closed, or if last is
// not nil and no longer the current model. A nil next closes the server to new requests.
func (m *models) replace(last, next *servedModel) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.current
	if m.closed || last != nil && before != last {
		return false
	}
	m.current, m.closed = next, next == nil
	if before != nil && (next == nil || next.folder != before.folder) {
		m.closing.Go(func() {
			before.folder.use.Lock()
			_ = before.folder.Close() // its files were only read
		})
	}
	return true
}

// openModel opens the model folder, answers a first request with it, and makes it current. The request loads everything
// that a model reads lazily from the same folder, even if that is replaced later.
func (s *Server) openModel(ctx context.Context) (_ *servedModel, err error) {
	if s.cfg.Dictionary != nil {
		return s.openDictionary(ctx)
	}
	// Before the folder is read, so that Watch sees changes made meanwhile. Opening the model reports an error.
	manifest, _ := readManifest(s.cfg.Model)
	openEncoder, err := s.openEncoder()
	if err != nil {
		return nil, err
	}
	stored, err := model.Open(s.cfg.Model, openEncoder)
	if err != nil {
		return nil, err
	}
	folder := &openFolder{Model: ctxnorm.NewModel(stored)}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.Close())
		}
	}()
	memory, err := folder.Memory(s.cfg.Memory)
	if err != nil {
		return nil, fmt.Errorf("the memory: %w", err)
	}
	if _, err := folder.Tagger(); err != nil {
		return nil, err
	}
	if _, err := stored.Recognizer(); err != nil && !errors.Is(err, model.ErrNoRecognizer) {
		return nil, err
	}
	s.reloading.Lock() // only now, so that corrections need not wait for all of that
	defer s.reloading.Unlock()
	if _, err := memory.Refresh(); err != nil {
		return nil, err
	}
	m, err := s.serveable(ctx, folder, memory, nil)
	if err == nil {
		s.opened.Store(&manifest)
	}
	return m, err
}

// openDictionary returns the model made from a dictionary, without a folder.
func (s *Server) openDictionary(ctx context.Context) (*servedModel, error) {
	m, err := s.cfg.Dictionary(ctx)
	if err != nil {
		return nil, err
	}
	served, err := s.serveable(ctx, &openFolder{Model: m}, nil, nil)
	if err != nil {
		err = errors.Join(err, m.Close())
	}
	return served, err
}

// serveable makes the model of a folder, with the entries of its memory, current once it has answered a request. It
// builds the indexes that requests would otherwise wait for, and shares those of names with before, unless that is nil
// or has another dictionary. Meanwhile only one request for each core links, or it would hardly get any of their time;
// unless long ones do not end in time, for which others would have to wait.
func (s *Server) serveable(ctx context.Context, folder *openFolder, memory *ctxnorm.Memory, before *servedModel) (_ *servedModel, err error) {
	busy := max(0, int64(s.cfg.Limits.Requests-runtime.GOMAXPROCS(0)))
	waiting, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if s.linking.Acquire(waiting, busy) == nil {
		defer s.linking.Release(busy)
	}
	m := &servedModel{Model: folder.Model, folder: folder, memory: memory}
	if memory != nil {
		m.entries = len(memory.State().All())
		if m.Model, err = memory.Model(ctx); err != nil {
			return nil, err
		}
	}
	stored := m.Stored()
	if dict := stored.Dictionary; before != nil && before.Dictionary() == dict {
		m.hierarchy, m.names, m.top, m.types = before.hierarchy, before.names, before.top, before.types
	} else {
		hierarchy := kb.NewHierarchy(dict)
		m.hierarchy, m.names = hierarchy, namesOf(dict)
		m.top = sync.OnceValue(func() []int32 { return byName(dict, hierarchy.Roots()) })
		m.types = sync.OnceValue(func() []string {
			var types []string
			for _, concept := range dict.All() {
				types = append(types, concept.Types...)
			}
			slices.Sort(types)
			return slices.Compact(types)
		})
	}
	if _, err := stored.BaseVectors(ctx, nil); err != nil {
		return nil, err
	}
	doc, _ := formats.ParseMarked(firstText) // has no errors
	options := s.cfg.Link
	options.Assertion = true
	if _, err := m.Link(ctx, []*ctxnorm.Document{doc}, options); err != nil {
		return nil, fmt.Errorf("%s: %w", s.cfg.Model, err)
	}
	stored.DictionaryIndexes().Lexical()
	if _, err = m.Tagger(); err == nil && !s.models.replace(before, m) {
		err = errServerClosed
	}
	return m, err
}

// byName returns concepts sorted by their preferred names, ignoring case, and then by their identifiers.
func byName(dict *kb.Dictionary, concepts []int32) []int32 {
	names := make(map[int32]string, len(concepts))
	for _, at := range concepts {
		names[at] = strings.ToLower(dict.At(int(at)).PreferredName())
	}
	return slices.SortedFunc(slices.Values(concepts), func(a, b int32) int {
		return cmp.Or(strings.Compare(names[a], names[b]), cmp.Compare(dict.At(int(a)).ID, dict.At(int(b)).ID))
	})
}

// firstText contains a word that may be an ordinary one, a composite mention and an undefined short form. Linking it
// exercises every part of a model.
const firstText = "[ENT] Cold [/ENT], [ENT] breast and ovarian cancer [/ENT], no [ENT] AD [/ENT]."

// openEncoder returns the function that opens the encoders of a model. They encode the queries of concurrent requests
// together.
func (s *Server) openEncoder() (model.OpenEncoder, error) {
	open, err := s.cfg.Open.EncoderOpener()
	if err != nil {
		return nil, err
	}
	return func(dir, weightsSHA256 string) (ctxnorm.Encoder, error) {
		encoder, err := open(dir, weightsSHA256)
		if err != nil || s.cfg.Batching.Size == 1 {
			return encoder, err
		}
		return newBatchingEncoder(encoder, s.cfg.Batching,
			func(queries, _ int) { s.metrics.batches.Observe(float64(queries)) }), nil
	}, nil
}
