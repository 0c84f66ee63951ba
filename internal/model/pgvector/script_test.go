package pgvector

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// openGut opens a model of three concepts with vectors, and without its encoder.
func openGut(t testing.TB) *model.Model {
	t.Helper()
	m, err := model.OpenVectors(modeltest.Build(t, linktest.GutEncoder(), modeltest.Ulcer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// copied returns the fields of the lines of COPY in a script.
func copied(t *testing.T, script string) [][]string {
	t.Helper()
	_, after, ok := strings.Cut(script, " FROM STDIN;\n")
	data, _, ends := strings.Cut(after, "\\.\n")
	if !ok || !ends {
		t.Fatalf("the script has no rows: %.300s", script)
	}
	var lines [][]string
	for line := range strings.Lines(data) {
		lines = append(lines, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return lines
}

// TestScript compares every row of a script with the exemplars of the model.
func TestScript(t *testing.T) {
	m := openGut(t)
	var script bytes.Buffer
	var progress []int
	err := WriteScript(t.Context(), &script, m, Options{Progress: func(done, total int) { progress = append(progress, done, total) }})
	if err != nil {
		t.Fatal(err)
	}
	names, err := m.Names.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	if total := len(names) + len(contexts); len(names) == 0 || len(contexts) == 0 || !cmp.Equal(progress, []int{0, total, total, total}) {
		t.Errorf("%d names, %d contexts, progress %v", len(names), len(contexts), progress)
	}
	var want [][]string
	for i := range names {
		n := &names[i]
		source := n.Origin.String()
		if source == "" {
			source = `\N`
		}
		want = append(want, []string{"name", strconv.Itoa(i), array(m, n, false), array(m, n, true), n.Text, "0", strconv.Itoa(len(n.Text)), `\N`, `\N`, source, vector(m.Vectors.Names.Vectors.Row(i))})
	}
	for i := range contexts {
		c := &contexts[i]
		want = append(want, []string{"context", strconv.Itoa(i), array(m, c, false), array(m, c, true), c.Text[c.Mention.Start:c.Mention.End],
			strconv.Itoa(c.Mention.Start), strconv.Itoa(c.Mention.End), c.Text, c.ID, `\N`, vector(m.Vectors.Contexts.Vectors.Row(i))})
	}
	if diff := cmp.Diff(want, copied(t, script.String())); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, part := range []string{
		"BEGIN;\n", "vector vector(" + strconv.Itoa(m.Vectors.Names.Vectors.Dim) + ")", "USING hnsw", "DROP TABLE IF EXISTS ctxnorm_exemplars;\nALTER TABLE ctxnorm_exemplars_new RENAME TO ctxnorm_exemplars;\nCOMMIT;\n",
	} {
		if !strings.Contains(script.String(), part) {
			t.Errorf("the script lacks %q", part)
		}
	}
}

// array returns the concepts of an exemplar of plain ASCII, or their preferred names, as an array of PostgreSQL.
func array(m *model.Model, e *text.Exemplar, preferred bool) string {
	var values []string
	for _, id := range e.Mention.Concepts {
		value := string(id)
		if preferred {
			value = m.Dictionary.Lookup(id).PreferredName()
		}
		values = append(values, `"`+value+`"`)
	}
	return "{" + strings.Join(values, ",") + "}"
}

// vector returns a vector as pgvector reads it. The numbers of a bag of words are exact in few digits or
// have those that strconv prints.
func vector(row []float32) string {
	var numbers []string
	for _, x := range row {
		numbers = append(numbers, strconv.FormatFloat(float64(x), 'g', -1, 32))
	}
	return "[" + strings.Join(numbers, ",") + "]"
}

// awkward has all that COPY and arrays write otherwise: the code points before the mention are
// p, tab, é, backslash.
func awkward() []rows {
	e := text.Exemplar{Query: text.Query{
		Document: &text.Document{ID: "P\t1", Text: "before. p\té\\\"a\x00\xff{b\"\r\nend"},
		Mention:  text.Mention{Span: text.Span{Start: 13, End: 20}, Concepts: []kb.ConceptID{`X"\1`, "Y,2"}},
		Sentence: text.Span{Start: 8, End: 25},
	}}
	return []rows{{"context", []text.Exemplar{e, e}, &knnindex.Vectors{Dim: 2, Data: []float32{.6, -.8, 0, 0}}}}
}

func quotedNames(*text.Exemplar) []string { return []string{"a\"b\\c\nd", "e"} }

func TestEscapes(t *testing.T) {
	var script bytes.Buffer
	if err := writeScript(t.Context(), &script, awkward(), quotedNames, "it's", Options{Table: "a.b"}); err != nil {
		t.Fatal(err)
	}
	row := []string{
		"context", "0", `{"X\\"\\\\1","Y,2"}`, `{"a\\"b\\\\c\nd","e"}`, `"a` + "\uFFFD\uFFFD" + `{b"`, "4", "11",
		`p\té\\"a` + "\uFFFD\uFFFD" + `{b"\r\nend`, `P\t1`, `\N`, "[0.6,-0.8]",
	}
	zero := append([]string{"context", "1"}, row[2:]...)
	zero[10] = `\N`
	if diff := cmp.Diff([][]string{row, zero}, copied(t, script.String())); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, part := range []string{"IS 'it''s';", "ALTER TABLE a.b_new RENAME TO b;"} {
		if !strings.Contains(script.String(), part) {
			t.Errorf("the script lacks %q", part)
		}
	}
}

func TestOptions(t *testing.T) {
	for table, ok := range map[string]bool{"": true, "exemplars": true, "public.exemplars_2": true, "Exemplars": false, "a b": false, "a;drop": false, "a.b.c": false, "2a": false, strings.Repeat("a", 49): false} {
		if err := (&Options{Table: table}).Check(); (err == nil) != ok {
			t.Errorf("table %q: %v", table, err)
		}
	}
	wide := []rows{{"name", nil, &knnindex.Vectors{Dim: 2001}}}
	if err := writeScript(t.Context(), new(bytes.Buffer), wide, nil, "", Options{}); err == nil || !strings.Contains(err.Error(), "2001") {
		t.Errorf("an index of 2001 numbers: %v", err)
	}
	var script bytes.Buffer
	if err := writeScript(t.Context(), &script, wide, nil, "", Options{Exact: true}); err != nil || strings.Contains(script.String(), "hnsw") || strings.Contains(script.String(), "PLAIN") {
		t.Errorf("exact: %v, %s", err, script.String())
	}
}

// TestUnfinished holds that a script which is not whole does not commit.
func TestUnfinished(t *testing.T) {
	m := openGut(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		w    *limited
		ctx  context.Context
		want error
	}{
		{&limited{left: 100}, t.Context(), errFull},
		{&limited{left: 1 << 20}, ctx, context.Canceled},
	} {
		if err := WriteScript(tc.ctx, tc.w, m, Options{}); !errors.Is(err, tc.want) || strings.Contains(tc.w.String(), "COMMIT") {
			t.Errorf("error %v, want %v; written: %s", err, tc.want, tc.w.String())
		}
	}
	without, err := model.Open(m.Dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer without.Close()
	if err := WriteScript(t.Context(), new(bytes.Buffer), without, Options{}); !errors.Is(err, model.ErrNoVectors) {
		t.Errorf("a model without its vectors: %v", err)
	}
}

var errFull = errors.New("full")

// limited is a writer that fails after some bytes.
type limited struct {
	bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errFull
	}
	return l.Buffer.Write(p)
}
