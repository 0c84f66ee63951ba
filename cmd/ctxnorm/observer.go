package main

import (
	"errors"
	"strings"
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

// observer prints what the library reports: messages, and a bar for each task, one after
// the other. finish ends the last bar.
func (p *program) observer() (o ctxnorm.Observer, finish func()) {
	var current *bar
	finish = func() {
		if current != nil {
			current.finish()
			current = nil
		}
	}
	o.Log = func(message string) {
		finish()
		p.logf("%s", message)
	}
	o.Progress = func(at ctxnorm.Progress) {
		if current == nil || current.label != at.Task {
			finish()
			unit := at.Unit
			if unit == "bytes" {
				unit = progress.Bytes
			}
			current = p.bar(at.Task, unit)
		}
		current.set(at.Done, at.Total, at.Note)
	}
	return o, finish
}

// withFlag says an option error of the library as one of the flag that sets the option.
func withFlag(err error, flags map[string]string) error {
	var option *ctxnorm.OptionError
	if !errors.As(err, &option) {
		return err
	}
	flag, ok := flags[option.Field]
	if !ok {
		flag = strings.ToLower(option.Field)
	}
	return &flagValueError{flag, option}
}

// flagValueError is an option error that names the flag.
type flagValueError struct {
	flag   string
	option *ctxnorm.OptionError
}

func (e *flagValueError) Error() string {
	named := *e.option
	named.Field = "--" + e.flag
	return named.Error()
}

func (e *flagValueError) Unwrap() error { return e.option }
