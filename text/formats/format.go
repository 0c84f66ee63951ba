package formats

import (
	"fmt"
	"slices"
	"strings"
)

// Format is the name of a format of annotated documents.
type Format string

// The supported formats. The package comment has an example of each.
const (
	PubTator Format = "pubtator"
	BioC     Format = "bioc"
	JSONL    Format = "jsonl"
	Text     Format = "text"
)

// Formats returns all supported formats.
func Formats() []Format { return []Format{PubTator, BioC, JSONL, Text} }

// ParseFormat returns the format called name, ignoring case. The empty name stands for
// the empty format, which is detected from the content.
func ParseFormat(name string) (Format, error) {
	format := Format(strings.ToLower(name))
	if format != "" && !slices.Contains(Formats(), format) {
		return "", fmt.Errorf("document format %q: want one of %v", name, Formats())
	}
	return format, nil
}

// readable returns the formats that a [Reader] reads.
func readable() []Format { return Formats() }
