package input

import (
	"bufio"
	"bytes"
	"strings"
)

// foreign holds the first bytes of files that are often given in place of a text, of which "?" is any, and what these
// are called.
var foreign = []struct{ magic, name string }{
	{"%PDF", "PDF"},
	{"%!PS", "PostScript"},
	{"\x89PNG", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"II*\x00", "a TIFF image"},
	{"MM\x00*", "a TIFF image"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"Rar!\x1a", "a RAR archive"},
	{"PAR1", "Parquet"},
	{"{\\rtf", "RTF"},
	{"\x04\x22\x4d\x18", "lz4, want gzip or the unpacked file"},
	{"\x1f\x9d", "compress (.Z), want gzip or the unpacked file"},
	{"SQLite format", "SQLite"},
	{"\\documentclass", "LaTeX"},
	{"WEBVTT", "subtitles"},
	{"RT Journal Article", "RefWorks: export RIS instead"},
	{"\x1e{", "a JSON text sequence (RFC 7464): want an object a line"},
	{"WARC/", "WARC, pages of the web"},
	{"MSH|^~\\&", "HL7 version 2: take the texts out of its segments"},
	{"ISA*00*", "X12, messages of insurers"},
	{strings.Repeat("?", 257) + "ustar", "a tar archive, want the unpacked files"}, // POSIX.1-1988
	{"#FORMAT=WebAnno TSV", "WebAnno TSV: export CoNLL 2002 instead"},
}

// ForeignKind returns what a file is whose text begins with head, if programs other than those for text read it, or "".
func ForeignKind(head []byte) string {
	r := bufio.NewReaderSize(bytes.NewReader(head), 512)
	if kind := Compression(r); kind != "" {
		return kind + " within compressed data, want it compressed once"
	}
	for _, f := range foreign {
		if hasPrefix(r, f.magic) {
			return f.name
		}
	}
	return ""
}
