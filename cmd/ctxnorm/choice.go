package main

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"
)

// choice is the value of a flag that has one of several values, or none. Completion and errors list them.
type choice struct {
	value  *string
	values []string
}

// registerChoice adds a flag that is one of values. Its default is what value points to.
func registerChoice(flags *pflag.FlagSet, value *string, name string, values []string, usage string) {
	flags.Var(&choice{value, values}, name, usage)
}

// Set implements [pflag.Value]. An empty value is refused where those of all flags are: see [program.checkValues].
func (c *choice) Set(s string) error {
	if s != "" && !slices.Contains(c.values, s) {
		return fmt.Errorf("want %s", english.WordSeries(c.values, "or"))
	}
	*c.value = s
	return nil
}

// String implements [pflag.Value].
func (c *choice) String() string {
	if c.value == nil { // pflag asks a zero value
		return ""
	}
	return *c.value
}

// Type implements [pflag.Value]. Help shows the type as what the flag takes.
func (c *choice) Type() string { return "string" }
