package measure

import (
	"flag"
	"fmt"
	"strings"
)

// Size is how much there is of something in a full and in a quick run.
type Size struct {
	Name        string // of its flag
	Value       *int
	Full, Quick int
	Usage       string
}

// NewSize is a size with all that it has.
func NewSize(name string, value *int, full, quick int, usage string) Size {
	return Size{name, value, full, quick, usage}
}

// Sizes are all of a program.
type Sizes []Size

// Register makes flags of them, which begin as those of a full run.
func (s Sizes) Register(flags *flag.FlagSet) {
	for _, size := range s {
		flags.IntVar(size.Value, size.Name, size.Full, size.Usage)
	}
}

// Shrink makes a quick run of them, but for the flags that were given.
func (s Sizes) Shrink(flags *flag.FlagSet) {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, size := range s {
		if !given[size.Name] {
			*size.Value = size.Quick
		}
	}
}

// String lists them: "docs 40000, files 8".
func (s Sizes) String() string {
	text := make([]string, len(s))
	for i, size := range s {
		text[i] = fmt.Sprintf("%s %d", size.Name, *size.Value)
	}
	return strings.Join(text, ", ")
}
