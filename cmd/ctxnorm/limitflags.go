package main

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// limit is a flag that bounds what an input or a request may take.
type limit struct {
	name  string
	value any // a pointer to an int, an int64 or a [time.Duration]: its default, and what the flag sets
	usage string
}

// inputLimits are flags of all commands: they bound the memory for an input.
func inputLimits(l *ctxnorm.Limits) []limit {
	return []limit{
		{"max-line", &l.Line, "largest `number` of bytes of a line of an input"},
		{"max-record", &l.Record, "largest `number` of bytes of a record of an input: of XML, a stanza of OBO, a row " +
			"of CSV, a concept of XML or JSON"},
		{"max-mentions", &l.Mentions, "largest `number` of mentions of a document"},
		{"max-in-memory", &l.InMemory, "largest `number` of bytes of memory for the dictionaries, a hierarchy, gold " +
			"or a list of documents to leave out"},
	}
}

func registerLimits(flags *pflag.FlagSet, limits []limit) {
	for _, limit := range limits {
		switch value := limit.value.(type) {
		case *int:
			flags.IntVar(value, limit.name, *value, limit.usage)
		case *int64:
			flags.Int64Var(value, limit.name, *value, limit.usage)
		case *time.Duration:
			flags.DurationVar(value, limit.name, *value, limit.usage)
		default:
			panic(fmt.Sprintf("limit %s is a %T", limit.name, limit.value))
		}
	}
}

// checkLimits refuses limits of nothing.
func checkLimits(limits []limit) error {
	for _, limit := range limits {
		value := reflect.ValueOf(limit.value).Elem()
		if value.Int() < 1 {
			want := "at least 1"
			if value.Type() == reflect.TypeFor[time.Duration]() {
				want = "more than 0"
			}
			return fmt.Errorf("--%s is %v, want %s", limit.name, value, want)
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
