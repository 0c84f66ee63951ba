package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJATS(t *testing.T) {
	for _, c := range []struct{ name, article, want string }{
		{"cells", "<body><p>See <xref>it</xref>.</p><table-wrap><label>1</label><caption><p>Flood</p></caption><table><thead><tr><th>Patient</th><th>A <italic>finding</italic></th></tr></thead>" +
			"<tbody><tr><td>river</td><td>fever</td></tr><tr><td/><td><p>One</p><p>two</p></td></tr></tbody></table><table-wrap-foot><fn><p>RF, river fever</p></fn></table-wrap-foot></table-wrap></body>",
			"See it.\nFlood\nPatient\nA finding\nriver\nfever\nOne\ntwo\nRF, river fever"},
		{"table among alternatives", "<body><table-wrap><alternatives><graphic/><table><tr><td>fever</td></tr></table></alternatives></table-wrap></body>", "fever"},
		{"cells of another table model", "<body><oasis:table xmlns:oasis='x'><oasis:row><oasis:entry>A</oasis:entry><oasis:entry>B</oasis:entry></oasis:row></oasis:table></body>", "A\nB"},
		{"superscript references", "<body><p>A flood<sup>3,4</sup> of fever.<sup>5</sup> In<sup>6,7</sup> towns<sup>8–10</sup>, flu<sup>[11]</sup> and river<sup><xref ref-type='bibr'>3</xref>, <xref ref-type='bibr'>4</xref></sup> fever</p></body>",
			"A flood of fever. In towns, flu and river fever"},
		{"letters of footnotes", "<body><p>Stone fever<sup>a,b</sup>, flu<sup>a</sup>, x<sup>n</sup></p></body>", "Stone fever, flua, xn"},
		{"other superscripts", "<body><p>10<sup>3</sup> m<sup>2</sup>, <sup>18</sup>F, Ca<sup>2+</sup>, Ser<sup>473</sup>, day<sup>-1</sup>, day<sup>−1</sup>, 1<sup>st</sup>, CD4<sup>+</sup></p></body>",
			"103 m2, 18F, Ca2+, Ser473, day-1, day−1, 1st, CD4+"},
		{"footnotes follow their paragraph", "<body><p>A river<fn><p>Or flood.</p></fn> fever<fn><p>Or flu.</p></fn> came.</p><p>It went.</p></body>",
			"A river fever came.\nOr flood.\nOr flu.\nIt went."},
		{"the whole article", "<front><article-meta><title-group><article-title>Title</article-title><subtitle>Subtitle</subtitle></title-group><abstract><p>Abstract</p></abstract>" +
			"<kwd-group><title>Keywords</title><kwd>flood</kwd><kwd>fever</kwd></kwd-group></article-meta></front><body><p>Body</p></body>" +
			"<floats-group><fig><label>1</label><caption><p>Figure</p></caption><graphic/></fig></floats-group>" +
			"<back><ack><p>Thanks</p></ack><glossary><def-list><def-item><term>RF</term><def><p>river fever</p></def></def-item></def-list></glossary>" +
			"<app-group><app><title>Appendix</title><p>More</p></app></app-group><fn-group><fn><p>Note</p></fn></fn-group><ref-list><title>References</title><ref><p>None</p></ref></ref-list></back>",
			"Title\nSubtitle\nAbstract\nKeywords\nflood\nfever\nBody\nFigure\nThanks\nRF\nriver fever\nAppendix\nMore\nNote"},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, problems := readText(t, "<article>"+c.article+"</article>", "")
			if len(problems) > 0 || len(docs) != 1 {
				t.Fatalf("problems %q, %d documents", problems, len(docs))
			}
			want := strings.ReplaceAll(c.want, "\n", "\n\n") // no name goes over an empty line
			if diff := cmp.Diff(want, docs[0].Text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOtherAbstract reads another abstract in English of a citation that has none.
func TestOtherAbstract(t *testing.T) {
	const own = "<Abstract><AbstractText>Own.</AbstractText></Abstract>"
	for others, want := range map[[2]string]string{
		{"", `<OtherAbstract Type="PIP" Language="eng"><AbstractText>One.</AbstractText><AbstractText>Two.</AbstractText></OtherAbstract>`}: "T. One. Two.",
		{"", `<OtherAbstract Type="KIE"><AbstractText>One.</AbstractText></OtherAbstract>`}:                                                 "T. One.",
		{"", `<OtherAbstract Type="Publisher" Language="spa"><AbstractText>Uno.</AbstractText></OtherAbstract>`}:                            "T.",
		{"", `<OtherAbstract Language="fre"><AbstractText>Un.</AbstractText></OtherAbstract><OtherAbstract Language="eng"><AbstractText>One.</AbstractText></OtherAbstract>` +
			`<OtherAbstract Language="eng"><AbstractText>Again.</AbstractText></OtherAbstract>`}: "T. One.",
		{own, `<OtherAbstract Type="PIP" Language="eng"><AbstractText>One.</AbstractText></OtherAbstract>`}: "T. Own.",
	} {
		docs, problems := readText(t, "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T.</ArticleTitle>"+others[0]+"</Article>"+
			others[1]+"</MedlineCitation></PubmedArticle></PubmedArticleSet>", "")
		if len(problems) > 0 || len(docs) != 1 || docs[0].Text != want {
			t.Errorf("%q: problems %q, documents %+v, want %q", others, problems, docs, want)
		}
	}
}
