package kbfile

import (
	"errors"
	"strings"
	"testing"
)

func TestSniffDelimiter(t *testing.T) {
	for text, want := range map[string]string{
		"id,name\nD1,a;b\n":                        ",",
		"id;name\nD1;cancer, breast\n":             ";", // by the header
		"id|name|synonyms\nD1|a|b\n":               "|",
		"D1,a;b\nD2,c\nD3,d;e;f\n":                 ",", // all rows have two cells by commas
		"D1;a, b\nD2;c\n":                          ";",
		"D1;\"a;b\"\nD2;c\n":                       ";", // quoted
		"D1;a\n":                                   ";",
		"D1|a, b\n":                                ",", // bars without a header separate names
		"one column\n":                             ",",
		"D1;a, b\nD2;c, d\n":                       "", // as well the one as the other
		"D1;a, b\nD2;c, d, e\nD3;f;g\n":            "",
		"D1;a, b\nD2;c\nD3;incomplete, last, line": ";",
	} {
		got, err := sniffDelimiter([]byte(text))
		switch {
		case want == "" && !errors.Is(err, ErrDelimiter):
			t.Errorf("%q: got %q and error %v, want ErrDelimiter", text, got, err)
		case want != "" && (err != nil || string(got) != want):
			t.Errorf("%q: got %q and error %v, want %q", text, got, err, want)
		}
	}
}

func TestEncoding(t *testing.T) {
	path := writeFile(t, "cp1252.csv", "id,name\nD1,M\xe9ni\xe8re\x92s disease\n")
	d, _, err := Read(path, Options{Encoding: "cp1252"})
	if err != nil || d.At(0).Name != "Ménière’s disease" {
		t.Errorf("got %v and error %v", d, err)
	}
	_, _, err = Read(path, Options{Strict: true})
	if err == nil || !strings.HasSuffix(err.Error(), "cp1252.csv:2: want UTF-8, got byte 0xe9 at offset 4 (is the file Latin-1 or Shift-JIS?)") {
		t.Errorf("without the encoding: %v", err)
	}
	// A header that is not known is no concept where no row below it can be read.
	_, _, err = Read(writeFile(t, "table", "cle;libelle_court;libelle_long\nA00;Fi\xe8vre;Fi\xe8vre du fleuve\n"), Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "table:2: want UTF-8, got byte 0xe8 at offset 6 (is the file Latin-1 or Shift-JIS?)") {
		t.Errorf("without the encoding, below a header: %v", err)
	}
	if err := CheckEncoding("klingon"); err == nil {
		t.Error("klingon: no error")
	}
}
