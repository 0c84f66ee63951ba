package formats

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// TestFloods reads documents that do not end. Each reader ends, or skips the document, with
// an error that names the place and the flag of the limit, and reads little more than it.
func TestFloods(t *testing.T) {
	limits := input.Limits{Line: 1 << 18, Record: 1 << 18, Mentions: 100}
	const size = 2 << 20 // bytes of a flood
	const bioc = "<?xml version='1.0'?><collection><document><id>1</id>"
	tests := []struct {
		name, head, unit, flag string
		final                  bool // the error is not of a record
	}{
		{"BioC, text", bioc + "<passage><offset>0</offset><text>", "asthma ", "max-record", true},
		{"BioC, passages", bioc, "<passage><offset>0</offset><text>a</text></passage>", "max-record", true},
		{"BioC, infons", bioc, "<infon key='a'>b</infon>", "max-record", true},
		{"BioC, comment", "<?xml version='1.0'?><collection><!--", "x", "max-record", true},
		{"BioC, attribute", "<?xml version='1.0'?><collection a='", "x", "max-record", true},
		{"BioC, open tags", "<?xml version='1.0'?><collection>", "<a>", "max-record", true},
		{"BioC, open tags of a document", bioc, "<a>", "max-record", true},
		{"BioC, DOCTYPE", "<!DOCTYPE x [", "<!ENTITY a 'b'>", "max-record", true},
		{"PubTator, mentions", "1|t|asthma\n", "1\t0\t6\tasthma\tDisease\tD1\n", "max-mentions", true},
		{"PubTator, bad lines", "1|t|asthma\n", "1\t0\t\n", "max-mentions", true},
		{"PubTator, abstracts", "1|t|asthma\n", "1|a|x\n", "max-record", true},
		{"PubTator, relations", "1|t|asthma\n", "1\tCID\tD1\tD2\n", "max-record", true},
		{"PubTator, title", "1|t|", "asthma ", "max-line", false},
		{"JSONL, line", `{"text":"`, "x", "max-line", false},
		{"JSONL, mentions", `{"text":"asthma","mentions":[`, `{"start":0,"end":6},`, "max-line", false},
		{"text", "", "asthma ", "max-line", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			source := &countingReader{r: strings.NewReader(test.head + strings.Repeat(test.unit, size/len(test.unit)))}
			_, err := NewReader(source, "f.txt", Options{Limits: limits}).Next()
			if err == nil || !strings.HasPrefix(err.Error(), "f.txt:") || !strings.Contains(err.Error(), "(--"+test.flag+")") {
				t.Fatalf("error %v, want one that names the file and --%s", err, test.flag)
			}
			var record *RecordError
			if final := !errors.As(err, &record); final != test.final {
				t.Errorf("the error is final: %v, want %v", final, test.final)
			}
			if test.final && source.n > 1<<20 {
				t.Errorf("%d bytes were read, want at most 1 MiB", source.n)
			}
		})
	}
}

func TestMentionLimit(t *testing.T) {
	limits := input.Limits{Mentions: 2}
	mention := `{"start":0,"end":6}`
	marked := "[ENT] a [/ENT] "
	annotation := `<annotation><location offset="0" length="6"/><text>asthma</text></annotation>`
	for name, file := range map[string]string{
		"JSONL": `{"text":"asthma","mentions":[` + mention + "," + mention + "," + mention + "]}\n",
		"text":  strings.Repeat(marked, 3) + "\n",
		"BioC":  "<collection><document><id>1</id><passage><offset>0</offset><text>asthma</text>" + strings.Repeat(annotation, 3) + "</passage></document></collection>",
	} {
		_, err := NewReader(strings.NewReader(file), "f", Options{Limits: limits}).Next()
		var record *RecordError
		if !errors.As(err, &record) || !strings.Contains(err.Error(), "want a document of at most 2 mentions (--max-mentions)") {
			t.Errorf("%s: error %v, want one of the record that names --max-mentions", name, err)
		}
	}
}

// countingReader counts the bytes read.
type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}
