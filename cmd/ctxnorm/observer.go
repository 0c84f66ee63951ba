package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
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

// withFlag turns an option error of the library into one that names the flag. flags holds
// the flags of options by field.
func withFlag(err error, flags map[string]string) error {
	var (
		option  *ctxnorm.OptionError
		setting *contrastive.FieldError
	)
	switch {
	case errors.As(err, &option) && flags[option.Field] != "":
		named := *option
		named.Field = "--" + flags[option.Field]
		return &named
	case errors.As(err, &setting):
		flag := strings.NewReplacer("_", "-", ".", "-").Replace(setting.Field)
		return fmt.Errorf("--%s is %v, want %s", flag, setting.Value, setting.Want)
	}
	return err
}
