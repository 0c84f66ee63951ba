package main

import (
	"sync"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/progress"
)

// bar shows the progress of a run whose length is known with the first report.
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
		b.shown = b.program.newBar(b.label, b.unit, total)
	}
	if b.shown != nil {
		b.shown.Set(done, note)
	}
}

func (b *bar) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown != nil {
		b.shown.Finish()
	}
}

// reporter prints what the library reports: a bar for each task, one after the other, and
// messages. A message that arrives while a bar runs is printed when the bar has ended.
type reporter struct {
	program *program
	mu      sync.Mutex
	bar     *bar             // nil if none runs
	last    ctxnorm.Progress // what bar shows
	held    []func()         // print messages that wait for the end of bar
}

// observer returns an observer that prints, and a function that ends its last bar.
func (p *program) observer() (o ctxnorm.Observer, finish func()) {
	r := &reporter{program: p}
	return ctxnorm.Observer{Progress: r.progress, Log: r.log, Error: r.logError}, r.finish
}

func (r *reporter) progress(at ctxnorm.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A base model is fetched file by file, each with a total of its own.
	if r.bar != nil && (r.last.Task != at.Task || r.last.Total != at.Total) {
		r.end()
	}
	if r.bar == nil {
		unit := at.Unit
		if unit == "bytes" {
			unit = progress.Bytes
		}
		r.bar = r.program.bar(at.Task, unit)
	}
	r.bar.set(at.Done, at.Total, at.Note)
	r.last = at
}

func (r *reporter) log(message string) {
	r.afterBar(func() { r.program.logf("%s", message) })
}

func (r *reporter) logError(err error) {
	r.afterBar(func() { r.program.logError(err, "") })
}

// afterBar calls print now, or when the bar that runs has ended.
func (r *reporter) afterBar(print func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bar != nil && r.last.Done < r.last.Total {
		r.held = append(r.held, print)
		return
	}
	r.end()
	print()
}

func (r *reporter) finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
}

// end ends the bar and prints the messages that waited for it.
func (r *reporter) end() {
	if r.bar != nil {
		r.bar.finish()
		r.bar = nil
	}
	for _, print := range r.held {
		print()
	}
	r.held = nil
}
