package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// writeWorkbook writes a workbook with one sheet.
func writeWorkbook(t *testing.T, path string, rows ...[]any) {
	t.Helper()
	file := excelize.NewFile()
	defer file.Close()
	for i, cells := range rows {
		must.Succeed(t, file.SetSheetRow("Sheet1", fmt.Sprint("A", i+1), &cells))
	}
	must.Succeed(t, file.SaveAs(path))
}

// TestWorkbooksOfFolder checks that a workbook in a folder is skipped if it has no text column, and read if it has one.
func TestWorkbooksOfFolder(t *testing.T) {
	dir := t.TempDir()
	writeWorkbook(t, filepath.Join(dir, "cases.xlsx"), []any{"id", "text"})
	writeWorkbook(t, filepath.Join(dir, "names.xlsx"), []any{"id", "name"})
	writeFile(t, filepath.Join(dir, "damaged.xlsx"), "PK\x03\x04")
	d := documentFlags{input: []string{dir}}
	found := must.Get(d.files(new(program)))
	if len(found) != 2 || filepath.Base(found[0]) != "cases.xlsx" || filepath.Base(found[1]) != "damaged.xlsx" {
		t.Errorf("files %q, want cases.xlsx, and damaged.xlsx, whose error is not that of a file of another kind", found)
	}
	if len(d.unknown) != 1 || filepath.Base(d.unknown[0].File) != "names.xlsx" {
		t.Errorf("skipped files %v, want names.xlsx", d.unknown)
	}
	named := documentFlags{input: []string{filepath.Join(dir, "names.xlsx")}}
	if found, err := named.files(new(program)); err != nil || len(found) != 1 {
		t.Errorf("files %q, %v, want the file that is named, which is refused when it is read", found, err)
	}
}

// TestExcelRecipe goes from an Excel dictionary, whose cells contain several names, and its hierarchy in another
// workbook, to a workbook of results. The other recipes of docs/recipes.md are in testdata/scripts/recipes.txt.
func TestExcelRecipe(t *testing.T) {
	t.Chdir(t.TempDir())
	writeWorkbook(t, "names.xlsx",
		[]any{"Code", "Name", "Synonyms", "Checked by"},
		[]any{"H", "heart disease", nil, "A"},
		[]any{"H1", "myocardial infarction", "heart attack; cardiac infarct", "B"},
		[]any{"H2", "atrial fibrillation", "AF; auricular fibrillation", "B"})
	writeWorkbook(t, "tree.xlsx", []any{"Code", "Parent"}, []any{"H1", "H"}, []any{"H2", "H"})
	writeFile(t, "cases.csv", "Case;Note\n7;A heart attack after auricular fibrillation\n")
	code, stdout, stderr := runLine(t, "dict check names.xlsx --parents tree.xlsx")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"Checked by", "3 concepts", "7 names"} {
		must.Contain(t, stdout+stderr, want, "dict check")
	}
	code, _, stderr = runLine(t, "link --dict names.xlsx --parents tree.xlsx --only-ids H --tag --columns id=Case,text=Note --output out.xlsx cases.csv")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	must.Contain(t, stderr, "filters leave 3 of 3 concepts", "standard error")
	file := must.Get(excelize.OpenFile("out.xlsx"))
	defer file.Close()
	rows := must.Get(file.GetRows("mentions"))
	const note = "A heart attack after auricular fibrillation"
	want := [][]string{
		{"Case", "Note", "document", "start", "end", "text", "resolved_text", "id", "preferred_name", "matched_name", "score", "nil", "review"},
		{"7", note, "7", "2", "14", "heart attack", "heart attack", "H1", "myocardial infarction", "heart attack", "1", "FALSE", "no"},
		{"7", note, "7", "21", "43", "auricular fibrillation", "auricular fibrillation", "H2", "atrial fibrillation", "auricular fibrillation", "1", "FALSE", "no"},
	}
	must.Equal(t, rows, want)
}
