package memory

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// Export writes the entries that are in force, one a line, for [ReadExport]. A new memory gives them new
// numbers.
func (s *State) Export(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, e := range s.Active() {
		e.Replaces = nil // they are not in force
		if err := encoder.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

// ReadExport reads the entries that [State.Export] wrote, or others in the same form. Numbers count for nothing, and an
// entry without a time is of now. They may be compressed. An error names the line.
func ReadExport(r io.Reader, limits files.Limits) ([]Entry, error) {
	text, err := input.NewReader(r)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	kept := int64(0) // bytes of lines
	limits = limits.WithDefaults()
	err = input.NewLines(text, limits).Each(func(line string, _ int) error {
		if line == "" {
			return nil
		}
		var e Entry // [Log.Add] checks it
		if err := decodeStrictly([]byte(line), &e); err != nil {
			return fmt.Errorf("entry: %w", err)
		}
		entries = append(entries, e)
		kept += int64(len(line))
		return limits.CheckInMemory("a list of entries", kept)
	})
	return entries, err
}
