package measure

import (
	"flag"
	"testing"
)

func TestSizes(t *testing.T) {
	var docs, files int
	sizes := Sizes{{"docs", &docs, 400, 4, "documents"}, {"files", &files, 8, 2, "files"}}
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	sizes.Register(flags)
	if err := flags.Parse([]string{"-files", "5"}); err != nil {
		t.Fatal(err)
	}
	if got, want := sizes.String(), "docs 400, files 5"; got != want {
		t.Errorf("a full run is %s, want %s", got, want)
	}
	sizes.Shrink(flags)
	if got, want := sizes.String(), "docs 4, files 5"; got != want {
		t.Errorf("a quick run is %s, want %s", got, want)
	}
}

func TestTable(t *testing.T) {
	want := "| a | b | c |\n| --- | --- | ---: |\n| x | y | 1 |\n"
	if got := Table([]string{"a", "b", "c"}, 2, [][]string{{"x", "y", "1"}}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
