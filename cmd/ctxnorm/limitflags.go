package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// limitFlag is a flag of all commands that bounds the memory for an input.
type limitFlag struct {
	name, usage string
	value       func(*ctxnorm.Limits) *int64
}

var limitFlags = []limitFlag{
	{"max-line", "largest `number` of bytes of a line of an input", func(l *ctxnorm.Limits) *int64 { return &l.Line }},
	{"max-record", "largest `number` of bytes of a record of an input: of XML, a stanza of OBO, a row of CSV, a concept of XML or JSON", func(l *ctxnorm.Limits) *int64 { return &l.Record }},
	{"max-mentions", "largest `number` of mentions of a document", func(l *ctxnorm.Limits) *int64 { return &l.Mentions }},
	{"max-in-memory", "largest `number` of bytes of memory for the dictionaries, a hierarchy, gold or a list of PMIDs", func(l *ctxnorm.Limits) *int64 { return &l.InMemory }},
}

// registerLimits registers the flags of limits, which have the defaults of the library.
func registerLimits(flags *pflag.FlagSet, limits *ctxnorm.Limits) {
	*limits = files.DefaultLimits
	for _, f := range limitFlags {
		flags.Int64Var(f.value(limits), f.name, *f.value(limits), f.usage)
	}
}

func checkLimits(limits *ctxnorm.Limits) error {
	for _, f := range limitFlags {
		if n := *f.value(limits); n < 1 {
			return fmt.Errorf("--%s is %d, want at least 1", f.name, n)
		}
	}
	return nil
}

// readLines reads a set of lines, without blank ones.
func (p *program) readLines(path string) (map[string]bool, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	set := make(map[string]bool)
	kept := int64(0) // bytes
	err = input.NewLines(file.Reader, p.limits).Each(func(text string, line int) error {
		text = strings.TrimSpace(text)
		if text == "" || set[text] {
			return nil
		}
		set[text] = true
		kept += setEntrySize + int64(len(text))
		return p.limits.CheckInMemory("a list", kept)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", input.Name(path), err)
	}
	return set, nil
}

// setEntrySize is the memory of an entry of a set of strings, in bytes: the string's header,
// a flag, and as much again of free places.
const setEntrySize = 34
