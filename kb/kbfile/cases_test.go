package kbfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// readCase is a file NAME of testdata/cases/*.txtar and the expected result NAME.want: a first line with a question
// mark and options, then the concepts as [Write] writes them, malformed rows, the error and the report. A file whose
// name ends in .quoted is a Go string. The files of files.txtar are in testdata.
type readCase struct {
	name, text, want string
	opts             Options
}

func readCases(t testing.TB) (cases []*readCase) {
	archives, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		must.Succeed(t, err)
		for i, file := range archive.Files {
			name, isWant := strings.CutSuffix(file.Name, ".want")
			if !isWant {
				continue
			}
			c := &readCase{name: filepath.Base(path) + "/" + name, want: string(file.Data)}
			if filepath.Base(path) == "files.txtar" {
				text := must.Get(os.ReadFile(filepath.Join("testdata", name)))
				c.text = string(text)
			} else if c.text = string(archive.Files[i-1].Data); strings.HasSuffix(name, ".quoted") {
				if c.text, err = strconv.Unquote(strings.TrimSpace(c.text)); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			c.setOptions(t)
			cases = append(cases, c)
		}
	}
	return cases
}

// setOptions sets the options from the first line of the expected result.
func (c *readCase) setOptions(t testing.TB) {
	options, rest, _ := strings.Cut(c.want, "\n")
	options, has := strings.CutPrefix(options, "? ")
	if !has {
		return
	}
	c.want = rest
	for option := range strings.SplitSeq(options, "; ") {
		key, value, _ := strings.Cut(option, ": ")
		switch key {
		case "format":
			c.opts.Format = Format(value)
		case "language":
			c.opts.Language = value
		case "encoding":
			c.opts.Encoding = value
		case "parents": // only these are read, as by [ReadParents]
			c.opts.edgesOnly = true
		case "separator":
			c.opts.Separator = value
		case "column":
			c.opts.Columns = append(c.opts.Columns, value)
		default:
			t.Fatalf("%s: option %q", c.name, key)
		}
	}
}

// dictionary reads the dictionary of a case.
func (c *readCase) dictionary(opts Options) (*kb.Dictionary, *Report, error) {
	r := must.Get(input.NewReader(strings.NewReader(c.text)))
	return read(must.Get(input.Decode(r, opts.Encoding)), "FILE", opts)
}

// yield returns the result of reading a file: see readCase.
func yield(t *testing.T, d *kb.Dictionary, report *Report, err error) string {
	var b strings.Builder
	if err == nil {
		must.Succeed(t, write(&b, d))
	}
	for _, bad := range report.Errors {
		b.WriteString("malformed " + bad.Error() + "\n")
	}
	if err != nil {
		b.WriteString("error " + strings.ReplaceAll(err.Error(), "\n", `\n`) + "\n")
		return b.String()
	}
	var members map[string]any
	must.Succeed(t, json.Unmarshal(must.Get(json.Marshal(report)), &members))
	var roles []string
	for _, column := range report.Columns {
		roles = append(roles, column.Role+column.Separator)
	}
	for name, value := range members {
		if value == 0. || name == "delimiter" || name == "columns" {
			delete(members, name)
		}
	}
	if roles != nil {
		members["columns"] = strings.Join(roles, ",")
	}
	return b.String() + string(must.Get(json.Marshal(members))) + "\n"
}

// TestCases reads the cases, also with the detected format given, and up to the first malformed row.
func TestCases(t *testing.T) {
	tested := make(map[string]bool)
	for _, c := range readCases(t) {
		t.Run(c.name, func(t *testing.T) {
			d, report, err := c.dictionary(c.opts)
			must.Equal(t, yield(t, d, report, err), c.want)
			tested[report.Vocabulary] = true
			strict := c.opts
			strict.Strict, strict.Format = true, report.Format
			if d == nil {
				return
			}
			again, _, err := c.dictionary(strict)
			switch {
			case len(report.Errors) > 0 && (err == nil || err.Error() != report.Errors[0].Error()):
				t.Errorf("error %v, want %v", err, report.Errors[0])
			case len(report.Errors) == 0 && (err != nil || again.Hash() != d.Hash()):
				t.Errorf("by the format %s: %v, %v", report.Format, again, err)
			}
		})
	}
	for _, v := range vocabularies {
		if isFormat := v.format != "" && v.format != dumpFormat; v.refused == "" && !isFormat && !tested[v.name] {
			t.Errorf("%s has no test", v.name)
		}
	}
}
