package pubmed

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// BenchmarkReader reads the records of testdata/citations.xml again and again, plain and compressed. It reports throughput
// in bytes of XML.
func BenchmarkReader(b *testing.B) {
	records := readCitations(b)
	records = records[bytes.Index(records, []byte("<PubmedArticle>\n")):bytes.Index(records, []byte("<DeleteCitation>"))]
	input := append(bytes.Repeat(records, 1000), "</PubmedArticleSet>"...)
	input = append([]byte("<PubmedArticleSet>"), input...)
	for name, file := range map[string][]byte{"plain": input, "gzip": gzipped(b, input)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				if got := read(b, file); len(got.errors) > 0 {
					b.Fatal(got.errors[0])
				}
			}
		})
	}
}

// gzipped returns data compressed as one gzip member.
func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
