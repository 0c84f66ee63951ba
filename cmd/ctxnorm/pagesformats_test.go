package main

import (
	"cmp"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// readFormatsPage returns docs/formats.md. The tests below compare its tables with the program.
func readFormatsPage(t *testing.T) string {
	t.Helper()
	return readPage(t, filepath.Join("..", "..", "docs", "formats.md"))
}

// sameNames compares the names in a table, in any order, with those of the program.
func sameNames(t *testing.T, table string, listed, want []string) {
	t.Helper()
	slices.Sort(listed)
	slices.Sort(want)
	must.Equal(t, slices.Compact(listed), slices.Compact(want), "docs/formats.md", table, "program and page")
}

func TestPagesFormats(t *testing.T) {
	page := readFormatsPage(t)
	outputs := tableOf(t, page, "Output of link", "format")
	for _, test := range []struct {
		table  string
		listed [][]string
		want   []string
	}{
		{"dictionaries", tableOf(t, page, "Dictionaries", "format"), stringsOf(kbfile.Formats())},
		{"documents", tableOf(t, page, "Documents", "format"), stringsOf(formats.Formats())},
		{"output", outputs, stringsOf(outputFormats().Names())},
	} {
		sameNames(t, test.table, codes(test.listed, 0), test.want)
	}
	at := slices.IndexFunc(outputs, func(row []string) bool { return strings.Contains(row[0], "`csv`") })
	columns := codes(outputs[at:at+1], 1)
	var header strings.Builder
	w, err := formats.NewWriter(&header, formats.CSV)
	must.Succeed(t, cmp.Or(err, w.Close()))
	for column := range strings.SplitSeq(strings.TrimSpace(header.String()), ",") {
		if !slices.Contains(columns, column) {
			t.Errorf("docs/formats.md, output: csv lacks the column %s", column)
		}
	}
}

// TestPagesMembers compares members of JSON objects. A row lists one or more of the same object: "`candidates[].id`,
// `name`".
func TestPagesMembers(t *testing.T) {
	listed := map[string][]string{"": {"mentions"}}
	for _, row := range tableOf(t, readFormatsPage(t), "Output of link", "field") {
		object := ""
		for _, code := range codes([][]string{row}, 0) {
			if before, after, ok := strings.Cut(code, "."); ok {
				object, code = before, after
			}
			listed[object] = append(listed[object], strings.TrimSuffix(code, "[]"))
		}
	}
	sameNames(t, "a document", listed[""], membersOf[linked.Document]())
	sameNames(t, "mentions[]", listed["mentions[]"], append(membersOf[linked.Mention](), "error"))
	sameNames(t, "candidates[]", listed["candidates[]"], membersOf[linked.Candidate]())
}

func TestPagesLimits(t *testing.T) {
	rows := tableOf(t, readFormatsPage(t), "Limits", "flag")
	var want []string
	flags := (&program{}).rootCommand().PersistentFlags()
	flags.VisitAll(func(flag *pflag.Flag) {
		if strings.HasPrefix(flag.Name, "max-") {
			want = append(want, "--"+flag.Name)
		}
	})
	sameNames(t, "limits", codes(rows, 0), want)
	for _, row := range rows {
		size, err := humanize.ParseBytes(strings.ReplaceAll(row[1], ",", ""))
		flag := flags.Lookup(strings.Trim(row[0], "`-"))
		if err != nil || flag == nil || flag.DefValue != strconv.FormatUint(size, 10) {
			t.Errorf("docs/formats.md, limits: %s is %s, %v; the flag is %+v", row[0], row[1], err, flag)
		}
	}
}

// tableOf returns the cells of a table below a heading of a page. first is the title of its first column.
func tableOf(t *testing.T, page, heading, first string) [][]string {
	t.Helper()
	_, section, _ := strings.Cut(page, "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, table, found := strings.Cut(section, "\n| "+first+" |")
	if !found {
		t.Fatalf("%s has no table of %s", heading, first)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, "¦"), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// codes returns the text between backquotes in one column of the rows.
func codes(rows [][]string, column int) []string {
	var found []string
	for _, row := range rows {
		for _, code := range pageCode.FindAllString(row[column], -1) {
			found = append(found, strings.Trim(code, "`"))
		}
	}
	return found
}

// membersOf returns the JSON names of a type's members.
func membersOf[T any]() []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}
