package basemodel

import (
	"fmt"
	"strings"
)

// NotFoundError says that a base model cannot be had, and where it was looked for.
type NotFoundError struct {
	Name    string   // what was asked for: a folder or a name on the hub
	Tried   []string // where it was looked for and what was found there, in order
	Offline bool     // no server was to be asked
	Err     error    // why the hub did not give it; nil where it was not asked
}

func (e *NotFoundError) add(format string, args ...any) {
	e.Tried = append(e.Tried, fmt.Sprintf(format, args...))
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("base model %q cannot be had: %s", e.Name, strings.Join(e.Tried, "; "))
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// Hint says what to do next, for the command line to print below the error.
func (e *NotFoundError) Hint() string {
	hint := fmt.Sprintf("name a model that is on this machine with --base-model DIR or %s=DIR: a folder with %s",
		Variable, wantedFiles())
	if e.Offline {
		return hint + "; to fetch it from the hub, unset HF_HUB_OFFLINE"
	}
	return hint + "; or copy the cache of a machine that has fetched it, and set HF_HOME to it and HF_HUB_OFFLINE=1"
}
