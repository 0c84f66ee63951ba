package main

import (
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/progress"
)

// bar shows the progress of a run whose length is known with its first news.
type bar struct {
	program     *program
	label, unit string
	mu          sync.Mutex
	shown       *progress.Bar
}

func (p *program) bar(label, unit string) *bar { return &bar{program: p, label: label, unit: unit} }

func (b *bar) set(done, total int64, note string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown == nil {
		b.shown = progress.New(b.program.stderr, b.label, b.unit, total)
	}
	b.shown.Set(done, note)
}

func (b *bar) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown != nil {
		b.shown.Finish()
	}
}
