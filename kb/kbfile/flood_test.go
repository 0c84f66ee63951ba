package kbfile

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// flood is a file of a head and of a unit repeated, up to 256 MiB. It counts what is read.
type flood struct {
	head, unit string
	read       int
}

const floodSize = 256 << 20

func (f *flood) Read(p []byte) (int, error) {
	if f.read > floodSize {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) {
		if at := f.read + n; at < len(f.head) {
			n += copy(p[n:], f.head[at:])
		} else {
			n += copy(p[n:], f.unit[(at-len(f.head))%len(f.unit):])
		}
	}
	f.read += n
	return n, nil
}

// TestFloods reads files that do not end. Each reader ends with an error that names the line
// and the flag of the limit, after it has read little more than the limit.
func TestFloods(t *testing.T) {
	limits := input.Limits{Line: 1 << 18, Record: 1 << 18, InMemory: 1 << 20}
	tests := []struct {
		name       string
		head, unit string
		format     Format
		flag       string
	}{
		{"TSV, equal rows", "id\tname\n", "C1\tasthma\n", "", "max-in-memory"},
		{"TSV, comments", "", "# id\tname\n", TSV, "max-record"},
		{"CSV, a quoted cell", "id,name\nC1,\"", "x", "", "max-record"},
		{"CSV, cells", "C1,a", ",b", CSV, "max-record"},
		{"CSV, equal rows", "id,name\n", "C1,asthma\n", "", "max-in-memory"},
		{"CSV, long rows", "id,name\n", "C1,a," + strings.Repeat("x", 1<<17) + "\n", "", "max-in-memory"},
		{"OBO, a stanza", "format-version: 1.2\n[Term]\nid: A:1\nname: a\n", "synonym: \"b\" EXACT []\n", "", "max-record"},
		{"OBO, a continued line", "format-version: 1.2\n[Term]\nid: A:1\nname: a", "b\\\n", "", "max-record"},
		{"OBO, stanzas", "format-version: 1.2\n", "[Term]\nid: A:1\nname: a\n\n", "", "max-in-memory"},
		{"BioSyn, equal rows", "", "C1||asthma\n", "", "max-in-memory"},
		{"MRCONSO, rows of a concept", "", "C0000001|ENG|P|L001|PF|S001|Y|A001||M001|D00|MSH|MH|D00|asthma|0|N|256|\n", "", "max-record"},
		{"JSON lines, equal rows", "", "[\"asthma\", [\"C1\"]]\n", "", "max-in-memory"},
		{"JSON lines, equal objects", "", "{\"id\": \"C1\", \"name\": \"asthma\"}\n", "", "max-in-memory"},
		{"JSON, a value", `{"C1": ["`, "x", JSON, "max-record"},
		{"JSON, members", "{", `"C1": ["asthma"],`, JSON, "max-in-memory"},
		{"JSON, blanks", "{", " ", JSON, "max-record"},
		{"JSON, line ends", "{", "\n", JSON, "max-record"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			source := &flood{head: test.head, unit: test.unit}
			_, _, err := read(bufio.NewReaderSize(source, 64<<10), "d.txt", Options{Format: test.format, Limits: limits})
			var limit *input.LimitError
			if !errors.As(err, &limit) || limit.Flag != test.flag {
				t.Fatalf("error %v, want one of --%s", err, test.flag)
			}
			if text := err.Error(); !strings.HasPrefix(text, "d.txt: ") || !strings.Contains(text, "line ") || !strings.Contains(text, "--"+test.flag) {
				t.Errorf("error %q, want one that names the file, the line and the flag", text)
			}
			if source.read > 4<<20 {
				t.Errorf("%d MiB were read, want at most 4", source.read>>20)
			}
		})
	}
}

// TestLongLinesAreSkipped reads a line beyond the limit, which is not kept, and the rows
// after it.
func TestLongLinesAreSkipped(t *testing.T) {
	text := "id\tname\nC1\t" + strings.Repeat("x", 200) + "\nC2\tasthma\n"
	d, report, err := read(bufio.NewReader(strings.NewReader(text)), "d.tsv", Options{Limits: input.Limits{Line: 100}})
	if err != nil || d.Len() != 1 || report.BadRows != 1 {
		t.Fatalf("%v, %+v, want one concept and one malformed row", err, report)
	}
	if got := report.Errors[0].Error(); got != "d.tsv:2: want a line of at most 100 bytes (--max-line), got 204" {
		t.Errorf("error %q", got)
	}
}

// TestFloodsOfOtherFiles checks the hierarchy and the map of ids.
func TestFloodsOfOtherFiles(t *testing.T) {
	limits := input.Limits{InMemory: 1 << 16}
	write := func(content string) string {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	_, parents := ReadParents(write(strings.Repeat("EX:001\tEX:002\n", 10_000)), limits)
	_, trees := ReadParents(write("MESH_ID\tTreeNumbers\n"+strings.Repeat("D1\tC18.452\n", 10_000)), limits)
	_, ids := ReadConceptMap(write("{"+strings.Repeat(`"C1": ["D1"],`, 10_000)+`"C2": []}`), limits)
	for what, err := range map[string]error{"parents": parents, "tree numbers": trees, "ids": ids} {
		var limit *input.LimitError
		if !errors.As(err, &limit) || limit.Flag != "max-in-memory" {
			t.Errorf("%s: error %v, want one of --max-in-memory", what, err)
		}
	}
}
