package pubmed_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ctxnorm/ctxnorm/pubmed"
)

const file = `<PubmedArticleSet>
<PubmedArticle><MedlineCitation>
  <PMID Version="1">11</PMID>
  <Article><ArticleTitle>Iron overload in <i>HFE</i> haemochromatosis.</ArticleTitle>
    <Abstract><AbstractText Label="RESULTS">Ferritin was &gt;300 μg/l.</AbstractText></Abstract></Article>
</MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>12</PMID> R&D </MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>13</PMID></MedlineCitation></PubmedArticle>
</PubmedArticleSet>`

// A Reader continues after malformed records.
func ExampleReader() {
	r := pubmed.NewReader(strings.NewReader(file), "small.xml")
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if broken, ok := errors.AsType[*pubmed.SyntaxError](err); ok {
			fmt.Println(broken)
			continue
		}
		if err != nil {
			fmt.Println(err) // for example, a disk error; it is final
			return
		}
		fmt.Printf("%s: %q\n", rec.PMID, rec.Title)
		for _, s := range rec.Sections {
			fmt.Printf("  %s: %s\n", s.Label, s.Text)
		}
	}
	// Output: 11: "Iron overload in HFE haemochromatosis."
	//   RESULTS: Ferritin was >300 μg/l.
	// small.xml: byte 360: & does not begin a reference
	// 13: ""
}
