package pubmed

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// benchXML returns about 4 MB of XML like that of a baseline file: one fifth is titles
// and abstracts, the rest dates, authors, headings and references.
func benchXML() []byte {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<PubmedArticleSet>\n")
	for i := range 600 {
		fmt.Fprintf(&b, `  <PubmedArticle>
    <MedlineCitation Status="MEDLINE" IndexingMethod="Automated" Owner="NLM">
      <PMID Version="1">%d</PMID>
      <DateCompleted>
        <Year>2001</Year>
        <Month>03</Month>
        <Day>12</Day>
      </DateCompleted>
      <Article PubModel="Print-Electronic">
        <Journal>
          <ISSN IssnType="Electronic">1234-5678</ISSN>
          <JournalIssue CitedMedium="Internet">
            <Volume>12</Volume>
            <Issue>3</Issue>
          </JournalIssue>
          <Title>Clinical oncology &amp; research</Title>
        </Journal>
        <ArticleTitle>Expression of <i>BRCA1</i> in tumours of the breast &lt;2 cm</ArticleTitle>
        <Abstract>
          <AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">`, 10_000_000+i)
		b.WriteString(strings.Repeat("The Na<sup>+</sup> channel is blocked at 5 μM in cells from patients with diabetes mellitus. ", 6))
		b.WriteString(`</AbstractText>
          <AbstractText Label="RESULTS" NlmCategory="RESULTS">`)
		b.WriteString(strings.Repeat("Survival after five years was longer in the treated group (p &lt; 0.05) than in the others. ", 6))
		b.WriteString("</AbstractText>\n        </Abstract>\n        <AuthorList CompleteYN=\"Y\">\n")
		for range 6 {
			b.WriteString(`          <Author ValidYN="Y">
            <LastName>Nordström</LastName>
            <ForeName>Anna</ForeName>
            <Initials>A</Initials>
            <AffiliationInfo>
              <Affiliation>Department of Oncology, University Hospital Nordstad, 1234, Sweden.</Affiliation>
            </AffiliationInfo>
          </Author>
`)
		}
		b.WriteString("        </AuthorList>\n      </Article>\n      <MeshHeadingList>\n")
		for range 10 {
			b.WriteString(`        <MeshHeading>
          <DescriptorName UI="D001943" MajorTopicYN="N">Breast Neoplasms</DescriptorName>
          <QualifierName UI="Q000188" MajorTopicYN="Y">drug therapy</QualifierName>
        </MeshHeading>
`)
		}
		b.WriteString("      </MeshHeadingList>\n    </MedlineCitation>\n  </PubmedArticle>\n")
	}
	b.WriteString("</PubmedArticleSet>\n")
	return []byte(b.String())
}

func benchmarkReader(b *testing.B, input []byte, size int) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(input), "bench.xml")
		n := 0
		for {
			_, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 600 {
			b.Fatalf("%d records, want 600", n)
		}
	}
}

func BenchmarkReader(b *testing.B) {
	input := benchXML()
	benchmarkReader(b, input, len(input))
}

// BenchmarkReaderGzip reports throughput in bytes of decompressed XML.
func BenchmarkReaderGzip(b *testing.B) {
	input := benchXML()
	benchmarkReader(b, gzipped(b, input), len(input))
}

// BenchmarkEncodingXML only scans the tokens with encoding/xml and builds no records.
func BenchmarkEncodingXML(b *testing.B) {
	input := benchXML()
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		d := xml.NewDecoder(bytes.NewReader(input))
		for {
			_, err := d.RawToken()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkOracle measures the simple reader of the tests, built on encoding/xml.
func BenchmarkOracle(b *testing.B) {
	input := benchXML()
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		var o oracle
		if err := o.read(input); len(o.records) != 600 || err != nil {
			b.Fatal(len(o.records), err)
		}
	}
}

func BenchmarkLegalPrefix(b *testing.B) {
	input := benchXML()
	b.SetBytes(int64(len(input)))
	for b.Loop() {
		if n, _ := legalPrefix(input); n != len(input) {
			b.Fatal(n)
		}
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
