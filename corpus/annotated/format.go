package annotated

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Format names the layout of a file of documents.
type Format string

// The formats that are read. The package comment shows each.
const (
	PubTator Format = "pubtator"
	BioC     Format = "bioc"
	JSONL    Format = "jsonl"
	Text     Format = "text"
)

// Formats lists the formats that can be asked for by name.
func Formats() []Format { return []Format{PubTator, BioC, JSONL, Text} }

// ParseFormat is the format called name, in any case. The empty name is the
// empty format: by content.
func ParseFormat(name string) (Format, error) {
	format := Format(strings.ToLower(name))
	if format != "" && !slices.Contains(Formats(), format) {
		return "", fmt.Errorf("document format %q: want one of %v", name, Formats())
	}
	return format, nil
}

// detect recognises a format by the first bytes of a file. What is nothing else
// is text.
func detect(head []byte) Format {
	head = bytes.TrimLeft(head, " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	_, _, _, pubtator := cutSection(string(line))
	switch {
	case pubtator:
		return PubTator
	case bytes.HasPrefix(head, []byte("<?xml")), bytes.HasPrefix(head, []byte("<!DOCTYPE")), bytes.HasPrefix(head, []byte("<collection")):
		return BioC
	case bytes.HasPrefix(head, []byte(`{`)):
		return JSONL
	}
	return Text
}
