package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestWorkbooksOfFolder skips a workbook in a folder that has no column of texts, and reads one that has.
func TestWorkbooksOfFolder(t *testing.T) {
	dir := t.TempDir()
	for name, header := range map[string]string{"cases.xlsx": "text", "names.xlsx": "name"} {
		book := excelize.NewFile()
		if err := book.SetSheetRow("Sheet1", "A1", &[]string{"id", header}); err != nil {
			t.Fatal(err)
		}
		if err := book.SaveAs(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "damaged.xlsx"), []byte("PK\x03\x04"), 0o644); err != nil {
		t.Fatal(err)
	}
	d := documentFlags{input: []string{dir}}
	found, err := d.files(new(program))
	if err != nil {
		t.Fatal(err)
	}
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
