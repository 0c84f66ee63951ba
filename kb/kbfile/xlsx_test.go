package kbfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/kb"
)

// rows are the rows of a sheet; a nil row is not written to the file.
type rows [][]any

// workbook writes a workbook with these sheets to a file, and returns its path.
func workbook(t testing.TB, sheets map[string]rows, order ...string) string {
	t.Helper()
	file := excelize.NewFile()
	defer file.Close()
	for i, name := range order {
		var err error
		if i == 0 {
			err = file.SetSheetName("Sheet1", name)
		} else {
			_, err = file.NewSheet(name)
		}
		for r, cells := range sheets[name] {
			at, _ := excelize.CoordinatesToCellName(1, r+1)
			if cells != nil {
				err = errors.Join(err, file.SetSheetRow(name, at, &cells))
			}
		}
		must.Succeed(t, err)
	}
	path := filepath.Join(t.TempDir(), "names.xlsx")
	must.Succeed(t, file.SaveAs(path))
	return path
}

var names = rows{
	{"Code", "Bezeichnung", "Synonyme", "Stand"},
	{"A1", "Herzinfarkt", "Myokardinfarkt; Infarkt des Herzens", 2020},
	nil, // a gap
	{"A1", "MARCH1", nil, nil},
	{1234567890123, "=1+1", "Fieber|Pyrexie"},
	{"", "ohne Kennung"},
	{"B", "#N/A"},
}

// edited changes the workbook at path, and returns the path.
func edited(t *testing.T, path string, edit func(*excelize.File) error) string {
	t.Helper()
	file := must.Get(excelize.OpenFile(path))
	must.Succeed(t, errors.Join(edit(file), file.Save(), file.Close()))
	return path
}

// shownAs writes a workbook with one sheet whose columns have number formats; 0 is the default format.
func shownAs(t *testing.T, cells rows, formats ...any) string {
	t.Helper()
	return edited(t, workbook(t, map[string]rows{"a": cells}, "a"), func(file *excelize.File) (err error) {
		for i, format := range formats {
			style := &excelize.Style{}
			switch format := format.(type) {
			case int:
				style.NumFmt = format
			case string:
				style.CustomNumFmt = &format
			}
			id, styleErr := file.NewStyle(style)
			top, _ := excelize.CoordinatesToCellName(i+1, 1)
			bottom, _ := excelize.CoordinatesToCellName(i+1, len(cells))
			err = errors.Join(err, styleErr, file.SetCellStyle("a", top, bottom, id))
		}
		return err
	})
}

// TestRead reads the named sheet, or else the first visible sheet with cells. A sheet of names alone is a list of
// names, but if there are other sheets it may be a note on them. Formulas have their stored values. Cells merged
// vertically have the same value in all their rows; cells merged horizontally, such as a title, are one cell.
func TestRead(t *testing.T) {
	one, two, column := rows{{"id", "name"}, {"A", "a"}}, rows{{"id", "name"}, {"B", "b"}}, rows{{"Name"}, {"river fever"}, {"fever, stone"}}
	const readA, readB = `{"id":"A","name":"a"}`, `{"id":"B","name":"b"}`
	hide := func(file *excelize.File) error {
		file.SetActiveSheet(1)
		return file.SetSheetVisible("first", false)
	}
	for _, test := range []struct {
		name, sheet          string
		first, second, third rows
		edit                 func(*excelize.File) error // may be nil
		want                 string                     // lines of the result
	}{
		{name: "a gap, text like a formula, rows without ids and with errors", second: names, third: rows{{"alt"}}, want: `
{"id":"1234567890123","name":"=1+1","synonyms":["Fieber","Pyrexie"]}
{"id":"A1","name":"Herzinfarkt","synonyms":["Myokardinfarkt; Infarkt des Herzens","MARCH1"]}
malformed FILE:6:
malformed FILE:7:
"bad_rows":2,
"format":"xlsx"
"reading sheet \"second\", ignoring [\"third\"]"
"sheet":"second"`},
		{name: "two", first: one, second: two, want: readA},
		{name: "the second", first: one, second: two, sheet: "second", want: readB},
		{name: "the first is hidden", first: one, second: two, edit: hide, want: readB},
		{name: "the hidden one", first: one, second: two, edit: hide, sheet: "first", want: readA},
		{name: "another", first: one, second: two, sheet: "none", want: `no sheet called "none", only ["first" "second" "third"]`},
		{name: "names", first: column, want: `{"id":"fever, stone","name":"fever, stone"}`},
		{name: "names of the first", first: column, second: one, sheet: "first", want: `{"id":"fever, stone","name":"fever, stone"}`},
		{name: "names before another", first: column, second: one, want: `error FILE: want ids and names in the first sheet, ` +
			`got one column in "first", and other sheets: name the sheet to read (DictionaryOptions.Sheet), "first" or one of ["second"]`},
		{
			name:  "formulas, and some without a value as programs write them that do not calculate",
			first: rows{{"id", "name"}, {7, "river fever"}, {"D2"}, {nil, nil, "x"}, {"D4", "mud"}},
			edit: func(file *excelize.File) (err error) {
				for cell, formula := range map[string]string{"A2": "=3+4", "B3": `="stone "&"fever"`, "A4": `="D"&3`, "C5": "=1+1"} {
					err = errors.Join(err, file.SetCellFormula("first", cell, formula))
				}
				return err
			}, want: `
{"id":"7","name":"river fever"}
{"id":"D4","name":"mud"}
cell B3, got a formula without its value
cell A4, got a formula without its value
"bad_rows":2,
"concepts":2,`,
		}, {
			name: "merged cells",
			first: rows{
				{"Fevers of the rivers"}, {"id", "name", "types"}, {"M1", "river fever", "T1"}, {nil, "kedani fever"},
				{nil, "flood fever"}, nil, {"M2", "stone fever", "T2"},
			},
			edit: func(file *excelize.File) error {
				return errors.Join(file.MergeCell("first", "A1", "C1"), file.MergeCell("first", "A3", "A6"), file.MergeCell("first", "C3", "C4"))
			}, want: `
{"id":"M1","synonyms":["river fever","kedani fever","flood fever"],"types":["T1"]}
{"id":"M2","synonyms":["stone fever"],"types":["T2"]}
"concepts":2,`,
		},
	} {
		path := workbook(t, map[string]rows{"first": test.first, "second": test.second, "third": test.third}, "first", "second", "third")
		if test.edit != nil {
			edited(t, path, test.edit)
		}
		d, report, err := Read(path, Options{Sheet: test.sheet, Encoding: "cp1252"}) // a workbook has its own
		got := strings.ReplaceAll(yield(t, d, report, err), path, "FILE")
		for line := range strings.Lines(test.want) {
			if !strings.Contains(got, strings.TrimSpace(line)) {
				t.Errorf("%s: read %s\nwant %s", test.name, got, line)
			}
		}
	}
}

// TestChangedCells reads numeric cells in the formats in which sheets show them. Cells in which Excel did not keep what
// was typed are malformed rows, and the error names the cell. Otherwise the shown text is read.
func TestChangedCells(t *testing.T) {
	for name, test := range map[string]struct {
		cell    any
		format  any // of the column of ids
		id, bad string
	}{
		"a number":                      {cell: 42, format: 0, id: "42"},
		"leading zeros":                 {cell: 42, format: "00000", id: "00042"},
		"letters in the format":         {cell: 42, format: `"D"0000`, id: "D0042"},
		"a text like a long number":     {cell: "900000000000207008", format: 0, id: "900000000000207008"},
		"a text like a date":            {cell: "1-8", format: 0, id: "1-8"},
		"twelve digits":                 {cell: 123456789012, format: 0, id: "123456789012"},
		"fifteen digits":                {cell: 123456789012345, format: 0, id: "123456789012345"},
		"twelve digits, shown shorter":  {cell: 123456789012, format: 11, id: "123456789012"}, // 0.00E+00
		"eighteen digits":               {cell: 900000000000207008, format: 0, bad: "cell A2, got the number 9.00000000000207E+17"},
		"sixteen digits, as Excel does": {cell: 9.00000000000207e15, format: 1, bad: "cell A2, got the number 9000000000002070"},
		"a code like 1E50":              {cell: 1e50, format: 11, bad: "cell A2, got the number 1.00E+50"},
		"a code like 1E10":              {cell: 1e10, format: 11, bad: "cell A2, got the number 1.00E+10"},
		"a time":                        {cell: 0.5, format: 20, bad: "cell A2, got the number 0.5, shown as 12:00"},
		"a fraction":                    {cell: 0.5, format: 12, bad: "shown as 0 1/2"},
		"a percentage":                  {cell: 0.05, format: 10, bad: "shown as 5.00%"},
		"a date, d-mmm":                 {cell: 45505, format: 16, bad: "cell A2, got the date 1-Aug"},
		"a date, mm-dd-yy":              {cell: 45658, format: 14, bad: "cell A2, got the date 01-01-25"},
		"a date, mmm-yy":                {cell: 45505, format: 17, bad: "cell A2, got the date Aug-24"},
		"a date of another country":     {cell: 45505, format: "d.m.yyyy", bad: "cell A2, got the date 1.8.2024"},
		"a date of ISO":                 {cell: 45505, format: "yyyy-mm-dd", bad: "cell A2, got the date 2024-08-01"},
	} {
		path := shownAs(t, rows{{"id", "name"}, {test.cell, "river fever"}, {"x", "stone fever"}}, test.format)
		d, report, err := Read(path, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if test.bad != "" {
			if len(report.Errors) != 1 || report.Errors[0].Line != 2 || !strings.Contains(report.Errors[0].Error(), test.bad) || d.Len() != 1 {
				t.Errorf("%s: malformed rows %v, %d concepts, want %s", name, report.Errors, d.Len(), test.bad)
			}
		} else if d.Lookup(kb.ConceptID(test.id)) == nil || report.BadRows > 0 {
			t.Errorf("%s: %v, malformed rows %v, want %s", name, d, report.Errors, test.id)
		}
	}
	// A gene that became a date, and a date in an unused column.
	path := shownAs(t, rows{{"id", "name", "since"}, {"G1", 45536, 45536}, {"G2", "MARCH1", 45536}}, 0, 16, 16)
	d, report, err := Read(path, Options{})
	if err != nil || d.Len() != 1 || len(report.Errors) != 1 || !strings.Contains(report.Errors[0].Error(), "cell B2, got the date 1-Sep") {
		t.Errorf("%v, malformed rows %v, %v", d, report.Errors, err)
	}
}

// archive returns a zip archive with these parts.
func archive(t testing.TB, parts map[string]io.Reader) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, content := range parts {
		part, err := w.Create(name)
		if err == nil {
			_, err = io.Copy(part, content)
		}
		must.Succeed(t, err)
	}
	must.Succeed(t, w.Close())
	return packed.Bytes()
}

// zeros reads zeros forever.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestRefused(t *testing.T) {
	good := must.Get(os.ReadFile(workbook(t, map[string]rows{"a": names}, "a")))
	damaged := bytes.Clone(good)
	damaged[len(damaged)/2] ^= 0x55
	sheet := func(cells string) []byte {
		return archive(t, map[string]io.Reader{"xl/workbook.xml": strings.NewReader("<workbook/>"), "xl/worksheets/a.xml": strings.NewReader(cells)})
	}
	tests := map[string]struct {
		content []byte
		want    string
	}{
		"blanks":        {sheet("<row>" + strings.Repeat(" ", 7<<20) + "</row>"), "want a text in a sheet of at most 6291456 bytes (Limits.Record), got more"},
		"rows":          {sheet(strings.Repeat("<row/>", 1<<20+1)), "want at most 1048576 rows of 16384 cells, as Excel has, got more"},
		"columns":       {sheet("<row>" + strings.Repeat("<c/>", 1<<14+1)), "want at most 1048576 rows of 16384 cells, as Excel has, got more"},
		"cut":           {good[:len(good)/2], "not an Excel workbook, or a damaged one"},
		"damaged":       {damaged, " in the workbook: "},
		"another zip":   {archive(t, map[string]io.Reader{"notes.txt": strings.NewReader("a")}), "a zip archive that is not an Excel workbook"},
		"bomb":          {archive(t, map[string]io.Reader{"xl/workbook.xml": io.LimitReader(zeros{}, 9<<20)}), "Limits.InMemory"},
		"many parts":    {archive(t, map[string]io.Reader{"xl/workbook.xml": io.LimitReader(zeros{}, 5<<20), "b": io.LimitReader(zeros{}, 5<<20)}), "Limits.InMemory"},
		"no workbook":   {archive(t, map[string]io.Reader{"xl/workbook.xml": strings.NewReader("x")}), ""},
		"too many bits": {append([]byte("PK\x03\x04"), make([]byte, 9<<20)...), "Limits.InMemory"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "names.xlsx", string(test.content))
			_, _, err := Read(path, Options{Limits: files.Limits{InMemory: 8 << 20, Record: 6 << 20}})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// TestLargeWorkbook checks that large parts are unpacked to temporary files, which are removed.
func TestLargeWorkbook(t *testing.T) {
	large := rows{{"id", "name", "synonyms"}}
	for i := range 2000 {
		large = append(large, []any{"C" + string(rune('A'+i%26)) + strings.Repeat("0", 1+i/26), strings.Repeat("n", 20) + string(rune('a'+i%26)), i})
	}
	path := workbook(t, map[string]rows{"a": large}, "a")
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	d, _, err := Read(path, Options{Limits: files.Limits{InMemory: 4 << 20}})
	if err != nil || d.Len() != 2000 {
		t.Errorf("%v concepts, %v", d, err)
	}
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// FuzzOpen reads arbitrary content without panicking.
func FuzzOpen(f *testing.F) {
	good := must.Get(os.ReadFile(workbook(f, map[string]rows{"a": names}, "a")))
	f.Add(good)
	for _, xml := range []string{"", "<worksheet/>", `<worksheet><sheetData><row r="3"><c r="B3" t="s"><v>9</v></c></row></sheetData></worksheet>`} {
		f.Add(archive(f, map[string]io.Reader{
			"xl/workbook.xml":          strings.NewReader(`<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`),
			"xl/worksheets/sheet1.xml": strings.NewReader(xml),
		}))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		sheet, err := table.OpenWorksheet(bytes.NewReader(content), "", files.Limits{InMemory: 1 << 20})
		if err != nil {
			return
		}
		defer sheet.Close()
		for range 1000 {
			if _, err := sheet.Next(); err != nil {
				return
			}
		}
	})
}

// TestIsNumber checks that a column is numeric below its last text, and that empty cells do not matter.
func TestIsNumber(t *testing.T) {
	path := workbook(t, map[string]rows{"a": {{"Case", "Code", "Age"}, {1, "12", nil}, {2, 13, 40.5}, {nil, "x", 41}}}, "a")
	content := must.Get(os.ReadFile(path))
	opened := must.Get(table.OpenWorksheet(bytes.NewReader(content), "", files.Limits{}))
	defer opened.Close()
	want := [][]bool{{false, false, false}, {true, false, true}, {true, false, true}, {true, false, true}}
	for i := range want {
		must.Get(opened.Next())
		for column, number := range want[i] {
			if got := opened.IsNumber(column); got != number {
				t.Errorf("row %d, column %d: number %t, want %t", i+1, column, got, number)
			}
		}
	}
}
