package main

import (
	"io"
	"log/slog"
	"sync"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/progress"
)

// bar returns a bar on standard error, or nil with --quiet.
func (p *program) bar(task, unit string) *progress.Bar {
	if p.quiet {
		return nil
	}
	var on io.Writer // nil if it is no terminal
	if file := terminal(p.stderr); file != nil && p.logFormat != jsonLog {
		on = file
	}
	return progress.New(on, func(message string, at progress.Status) {
		p.log(slog.LevelInfo, message, "", "task", at.Task, "done", at.Done, "total", at.Total, "unit", at.Unit, "per_second",
			at.PerSecond, "note", at.Note, "finished", at.Finished)
	}, task, unit)
}

// reporter prints what the library reports: a bar for each task, one after the other, and
// messages. A message that arrives while a bar runs is printed when the bar has ended.
type reporter struct {
	program  *program
	mu       sync.Mutex
	bar      *progress.Bar
	last     ctxnorm.Progress // what bar shows; zero if none runs
	held     []func()         // print messages that wait for the end of bar
	finished bool
}

// observer returns an observer that prints, and a function that ends its last bar: what is reported afterwards, by work
// that was interrupted, is dropped.
func (p *program) observer() (o ctxnorm.Observer, finish func()) {
	r := &reporter{program: p}
	return ctxnorm.Observer{
			Progress: r.progress,
			Log:      func(message string) { r.afterBar(func() { p.logf("%s", message) }) },
			Error:    func(err error) { r.afterBar(func() { p.logError(err, "") }) },
		}, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.end()
			r.finished = true
		}
}

func (r *reporter) progress(at ctxnorm.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return
	}
	// A base model is fetched file by file, each with a total of its own.
	if r.last.Task != at.Task || r.last.Total != at.Total {
		r.end()
		unit := at.Unit
		if unit == "bytes" {
			unit = progress.Bytes
		}
		r.bar = r.program.bar(at.Task, unit)
	}
	r.bar.Set(at.Done, at.Total, at.Note)
	r.last = at
}

// afterBar calls print now, or when the bar that runs has ended.
func (r *reporter) afterBar(print func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return
	}
	r.held = append(r.held, print)
	if r.last.Done >= r.last.Total {
		r.end()
	}
}

// end ends the bar and prints the messages that waited for it.
func (r *reporter) end() {
	r.bar.Finish()
	for _, print := range r.held {
		print()
	}
	r.bar, r.last, r.held = nil, ctxnorm.Progress{}, nil
}
