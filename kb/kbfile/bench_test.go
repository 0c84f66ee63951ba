package kbfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// BenchmarkRead reads 10,000 concepts with 3 names each, in each of three formats.
func BenchmarkRead(b *testing.B) {
	rows := map[Format]string{
		TSV:          "D%07d\tname of concept %[1]d\tsynonym %[1]d|another %[1]d\n",
		formatBioSyn: "D%07d||name of concept %[1]d|synonym %[1]d|another %[1]d\n",
		MRCONSO:      strings.Repeat("C%07[1]d|ENG|P|L1|PF|S1|Y|A1||||SAB|TTY|CODE|a name of concept %[1]d|0|N||\n", 3),
	}
	for format, row := range rows {
		b.Run(string(format), func(b *testing.B) {
			var text strings.Builder
			for i := range 10000 {
				fmt.Fprintf(&text, row, i)
			}
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				r, err := input.NewReader(strings.NewReader(text.String()))
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := read(r, "bench", Options{Strict: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
