package ctxnorm

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/memory"
)

// Memory holds the corrections of curators to a model. It is a log beside the model folder, so that a retrained model
// keeps it. It is safe for concurrent use, also by several processes, one of which writes at a time.
//
// An entry takes effect without training: [Memory.Model] returns a model with its name as a name, its context as an
// exemplar, and its concept as a concept. A mention with exactly the phrase of a context or a NIL example, in the same
// document or sentence, is always linked as that entry says.
type Memory struct {
	*memory.Log
	base    *model.Model // the log uses its dictionary
	encoder Encoder      // caches the vectors of entries; nil without an encoder

	mu      sync.Mutex
	current *Model        // for the state below
	state   *memory.State // nil before the first
	// named is the model with the latest names and concepts from the memory, but without its contexts; nil before the
	// first. It is kept because a change of names takes longer than one of contexts.
	named     *Model
	concepts  []kb.Concept // concepts added to named
	settled   *Model       // named with the contexts up to settledAt, to which later ones are added; nil before the first
	settledAt *memory.State
}

// Memory opens the memory of a model that was opened from a folder. The model must stay open while the memory is used.
// The log is in the folder dir, or beside the model folder if dir is empty. The memory need not be closed.
func (m *Model) Memory(dir string) (*Memory, error) {
	if m.base == nil || m.base.Dir == "" {
		return nil, errors.New("only a model that was opened from a folder has a memory, not a dictionary or a filtered model")
	}
	log, err := memory.Open(cmp.Or(dir, memory.Dir(m.base.Dir)), m.base.Dictionary)
	if err != nil {
		return nil, err
	}
	mem := &Memory{Log: log, base: m.base}
	if v := m.base.Vectors; v != nil {
		mem.encoder = model.Memoize(v.Encoder)
	}
	return mem, nil
}

// Model returns the model with the current entries of the memory. It need not be closed, and does not change with the
// memory: call Model again. As long as the memory is unchanged, it returns the same model.
func (m *Memory) Model(ctx context.Context) (*Model, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	state := m.State()
	if m.current != nil && state == m.state {
		return m.current, nil
	}
	concepts := state.Additions(m.base.Dictionary, len(state.All())).Concepts
	if m.named == nil || !reflect.DeepEqual(m.concepts, concepts) {
		stored, err := m.base.Extend(ctx, model.Additions{Concepts: concepts, Encoder: m.encoder})
		if err != nil {
			return nil, err
		}
		m.named, m.concepts, m.settled = NewModel(stored), concepts, nil
	}
	before, from := m.named, 0
	if m.settled != nil && state.Keeps(m.settledAt) {
		before, from = m.settled, len(m.settledAt.All())
	}
	additions := state.Additions(m.base.Dictionary, from)
	stored, err := before.stored.Extend(ctx, model.Additions{Contexts: additions.Contexts, NoMentions: additions.NoMentions,
		Encoder: m.encoder})
	if err != nil {
		return nil, err
	}
	extended := NewModel(stored)
	extended.base, extended.owner, extended.names = m.base, false, m.named.names
	extended.corrections, extended.entries = before.corrections.With(additions.Corrections, additions.Single), state.Active()
	const manyLater = 64 // entries that are not settled
	if len(state.All())-from >= manyLater {
		m.settled, m.settledAt = &Model{stored: stored, corrections: extended.corrections}, state
	}
	m.current, m.state = extended, state
	return extended, nil
}

// withMemory returns the model with the entries of the memory beside its folder. Closing it closes m.
func (m *Model) withMemory(ctx context.Context) (*Model, error) {
	mem, err := m.Memory("")
	if err != nil || len(mem.State().Active()) == 0 {
		return m, err
	}
	extended, err := mem.Model(ctx)
	if err == nil {
		extended.owner = true
	}
	return extended, err
}
