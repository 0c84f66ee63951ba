package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// TestExcelRecipe goes from an Excel dictionary, whose cells have several names, and its hierarchy in
// another workbook to a workbook of results. The other recipes of docs/recipes.md are in
// testdata/scripts/recipes.txt.
func TestExcelRecipe(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(path string, rows ...[]any) {
		file := excelize.NewFile()
		defer file.Close()
		for i, cells := range rows {
			at, err := excelize.CoordinatesToCellName(1, i+1)
			if err == nil {
				err = file.SetSheetRow("Sheet1", at, &cells)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := file.SaveAs(path); err != nil {
			t.Fatal(err)
		}
	}
	write("names.xlsx",
		[]any{"Code", "Name", "Synonyms", "Checked by"},
		[]any{"H", "heart disease", nil, "A"},
		[]any{"H1", "myocardial infarction", "heart attack; cardiac infarct", "B"},
		[]any{"H2", "atrial fibrillation", "AF; auricular fibrillation", "B"})
	write("tree.xlsx", []any{"Code", "Parent"}, []any{"H1", "H"}, []any{"H2", "H"})
	if err := os.WriteFile("cases.csv", []byte("Case;Note\n7;A heart attack after auricular fibrillation\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := runLine(t, "dict check names.xlsx --parents tree.xlsx")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"Checked by", "3 concepts", "7 names"} {
		if !strings.Contains(stdout+stderr, want) {
			t.Errorf("dict check prints no %q:\n%s%s", want, stdout, stderr)
		}
	}
	code, _, stderr = runLine(t, "link --dict names.xlsx --parents tree.xlsx --only-ids H --tag --columns id=Case,text=Note --output out.xlsx cases.csv")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if want := "filters leave 3 of 3 concepts"; !strings.Contains(stderr, want) {
		t.Errorf("standard error without %q:\n%s", want, stderr)
	}
	file, err := excelize.OpenFile("out.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := file.GetRows("mentions")
	if err != nil {
		t.Fatal(err)
	}
	const note = "A heart attack after auricular fibrillation"
	want := [][]string{
		{"Case", "Note", "document", "start", "end", "text", "resolved_text", "type", "id", "preferred_name", "matched_name", "score", "probability", "nil", "broader", "best_evidence"},
		{"7", note, "7", "2", "14", "heart attack", "heart attack", "", "H1", "myocardial infarction", "heart attack", "1", "", "FALSE"},
		{"7", note, "7", "21", "43", "auricular fibrillation", "auricular fibrillation", "", "H2", "atrial fibrillation", "auricular fibrillation", "1", "", "FALSE"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
