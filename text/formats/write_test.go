package formats

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// linkTo returns the record with each mention linked to the concept that to returns; NIL if
// that is empty.
func linkTo(r *Record, to func(i int) kb.ConceptID) *linkedTo {
	d := &linked.Document{ID: r.ID, Text: r.Text}
	for i, m := range r.Mentions {
		mention := linked.Mention{Span: m.Span, Text: m.Of(r.Text), Type: m.Type}
		if id := to(i); id != "" {
			mention.Candidates = []linked.Candidate{{Concept: id, Name: "name of " + string(id), MatchedName: "name", Probability: .9}}
		}
		d.Mentions = append(d.Mentions, mention)
	}
	return &linkedTo{r, d}
}

// linkedTo is a record with its linked document.
type linkedTo struct {
	Record *Record
	*linked.Document
}

// records reads all records of a file, without an error.
func records(t testing.TB, r *Reader) []*Record {
	t.Helper()
	var all []*Record
	for {
		record, err := r.NextRecord()
		if err != nil {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			return all
		}
		all = append(all, record)
	}
}

// written returns the documents in a format of one file.
func written(t testing.TB, format Format, docs ...*linkedTo) string {
	t.Helper()
	var b strings.Builder
	w, err := NewWriter(&b, format)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		if err := w.Write(doc.Record, doc.Document); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFillIn links a file and writes it in its own format: everything but the concepts stays
// as it was, in the mentions too that could not be read.
func TestFillIn(t *testing.T) {
	tests := []struct {
		name   string
		format Format
		in     string
		want   string
	}{
		{
			"unknown fields and ids of annotations", JSONL,
			`{"source": "ward 3", "id": 7, "text": "A tumor.", "mentions": [{"id": "a1", "start": 2, "end": 7, "type": "Disease", "ids": ["OLD"], "sure": 0.50}, {"start": 2, "end": 99}], "n": 1e3}` + "\n",
			`{"source":"ward 3","id":7,"text":"A tumor.","mentions":[{"start":2,"end":7,"text":"tumor","id":"a1","type":"Disease","ids":["OLD"],"sure":0.50,` +
				`"candidates":[{"id":"NEW0","name":"name of NEW0","matched_name":"name","score":0,"probability":0.9,"votes":0}]},` +
				`{"start":2,"end":99,"candidates":[],"error":"mention 2 of document \"7\": mention at 2-99: want a range within the 8 characters of the text"}],"n":1e3}` + "\n",
		},
		{
			"relations, malformed lines and further columns", PubTator,
			"1|t|A tumor\n1|a|and pain.\n1\t2\t7\ttumor\tDisease\tOLD\tx|y\n1\t3\t7\ttumor\tDisease\tOLD\n1\t12\t16\tpain\tSymptom\n1\tCID\tD1\tD2\n\n",
			"1|t|A tumor\n1|a|and pain.\n1\t2\t7\ttumor\tDisease\tNEW0\tx|y\n1\t3\t7\ttumor\tDisease\tOLD\n1\t12\t16\tpain\tSymptom\tNEW1\n1\tCID\tD1\tD2\n\n",
		},
		{
			"infons, offsets and relations", BioC,
			"<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE collection SYSTEM 'BioC.dtd'>\n<collection>\n" + `<source>PMC</source><infon key="k">v</infon><document><id>1</id><infon key="year">2020</infon>` +
				`<passage><infon key="section">TITLE</infon><offset>22</offset><text>A &lt;big&gt; tumor</text>` +
				`<annotation id="a"><infon key="type">Disease</infon><infon key="MESH">OLD</infon><infon key="note">"x"</infon><infon key="OMIM">OLDER</infon><infon key="Identifier">OLD</infon><location offset="30" length="5"></location><text>tumor</text></annotation>` +
				`<annotation id="b"><infon key="type">Size</infon><location offset="25" length="3"></location><text>big</text></annotation>` +
				`<relation id="r"><node refid="a" role="R"></node></relation></passage></document></collection>`,
			biocStart + "<collection>\n<source>PMC</source>\n<infon key=\"k\">v</infon>\n<document><id>1</id><infon key=\"year\">2020</infon>" +
				`<passage><infon key="section">TITLE</infon><offset>22</offset><text>A &lt;big&gt; tumor</text>` +
				`<annotation id="a"><infon key="type">Disease</infon><infon key="MESH">NEW1</infon><infon key="note">"x"</infon><location offset="30" length="5"></location><text>tumor</text></annotation>` +
				`<annotation id="b"><infon key="type">Size</infon><infon key="identifier">NEW0</infon><location offset="25" length="3"></location><text>big</text></annotation>` +
				"<relation id=\"r\"><node refid=\"a\" role=\"R\"></node></relation></passage></document>\n</collection>\n",
		},
		{
			"PubTator3", BioCJSON,
			`{"PubTator3":[{"_id":"1|None","id":"1","infons":{},"passages":[{"infons":{"type":"title"},"offset":0,"text":"TNF-α and pain","annotations":[` +
				`{"id":"2","infons":{"identifier":"7124","type":"Gene","NCBI Gene":"7124","valid":true},"text":"TNF-a","locations":[{"offset":0,"length":5}]}],"relations":[]}],"pmid":1}],"more":null}`,
			`{"PubTator3":[{"_id":"1|None","id":"1","infons":{},"passages":[{"infons":{"type":"title"},"offset":0,"text":"TNF-α and pain","annotations":[` +
				`{"id":"2","infons":{"identifier":"NEW0","type":"Gene","valid":true},"text":"TNF-a","locations":[{"offset":0,"length":5}]}],"relations":[]}],"pmid":1}],"more":null}` + "\n",
		},
		{
			"PubMed Central", BioCJSON,
			`[{"source":"PMC","date":"20200101","key":"pmc.key","infons":{},"documents":[{"id":"PMC1","passages":[{"offset":5,"text":"A tumor","annotations":[{"id":1,"infons":{},"text":"tumor","locations":[{"offset":7,"length":5}]}]}]}]}]`,
			`[{"source":"PMC","date":"20200101","key":"pmc.key","infons":{},"documents":[{"id":"PMC1","passages":[{"offset":5,"text":"A tumor","annotations":[{"id":1,"infons":{"identifier":"NEW0"},"text":"tumor","locations":[{"offset":7,"length":5}]}]}]}]}]` + "\n",
		},
		{
			"other columns", CoNLL,
			"A\tDT\tO\ntumor\tNN\tB-Disease\n.\t.\tO\n\n",
			"A\tDT\tO\t-\ntumor\tNN\tB-Disease\tNEW0\n.\t.\tO\t-\n\n",
		},
		{
			"documents, and other concepts", CoNLL,
			"-DOCSTART- (x)\tO\n\nlung\tB-D\tOLD\ncancer\tI-D\tOLD\n\npain\tB-S\tOLD\n",
			"-DOCSTART- (x)\tO\n\nlung\tB-D\tNEW0\ncancer\tI-D\tNEW0\n\npain\tB-S\tNEW1\n\n",
		},
	}
	for _, test := range tests {
		t.Run(string(test.format)+" "+test.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(test.in), "file", Options{})
			var docs []*linkedTo
			for {
				record, err := r.NextRecord()
				if _, malformed := err.(*RecordError); malformed {
					continue
				}
				if err != nil {
					break
				}
				docs = append(docs, linkTo(record, func(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprint("NEW", i)) }))
			}
			if r.Format() != test.format {
				t.Errorf("format %s, want %s", r.Format(), test.format)
			}
			if diff := cmp.Diff(test.want, written(t, test.format, docs...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// randomDocument returns a document with characters of every length, markup and quotation
// marks, and mentions of whole words that do not overlap.
func randomDocument(rng *rand.Rand, id int) *linkedTo {
	words := []string{"tumor", "naïve", "日本", "😀", "a<b>", `"x"`, "&amp;", "O", "β-cell", "end.", "it's", "1,5"}
	var (
		b        strings.Builder
		mentions []text.Mention
	)
	for i := range 3 + rng.IntN(20) {
		if i > 0 {
			b.WriteByte(' ')
		}
		start := b.Len()
		b.WriteString(words[rng.IntN(len(words))])
		if rng.IntN(4) == 0 {
			m := text.Mention{Span: text.Span{Start: start, End: b.Len()}, Type: "Disease"}
			mentions = append(mentions, m)
		}
	}
	r := NewRecord(&text.Document{ID: fmt.Sprintf("doc%d", id), Text: b.String(), Mentions: mentions})
	return linkTo(r, func(int) kb.ConceptID {
		if rng.IntN(4) == 0 {
			return ""
		}
		return kb.ConceptID(fmt.Sprintf("D%03d", rng.IntN(1000)))
	})
}

// asRead is what a round trip must keep: for each mention its words, type and concepts.
func asRead(id, content string, mentions []text.Mention) []string {
	all := []string{id + ": " + strings.Join(strings.Fields(content), " ")}
	for _, m := range mentions {
		all = append(all, fmt.Sprintf("%d-%d %s %s %v", m.Start, m.End, m.Of(content), m.Type, m.Concepts))
	}
	return all
}

// TestRoundTrip writes random documents and reads what was written; then it fills in other
// concepts, which changes nothing else.
func TestRoundTrip(t *testing.T) {
	for _, format := range []Format{PubTator, BioC, BioCJSON, BRAT} {
		t.Run(string(format), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(16, 1))
			for round := range 30 {
				var docs []*linkedTo
				for i := range 1 + rng.IntN(4) {
					docs = append(docs, randomDocument(rng, 100*round+i))
				}
				read := reread(t, format, docs)
				if len(read) != len(docs) {
					t.Fatalf("%d documents, want %d", len(read), len(docs))
				}
				for i, record := range read {
					want := slices.Clone(docs[i].Record.Mentions)
					for k := range want {
						if c := docs[i].Document.Mentions[k].Best()[0]; c != nil {
							want[k].Concepts = []kb.ConceptID{c.Concept}
						}
					}
					if format == PubTator { // whose title and abstract have a space between them
						record.Text = strings.TrimSuffix(record.Text, " ")
					}
					if diff := cmp.Diff(asRead(docs[i].Record.ID, docs[i].Record.Text, want), asRead(record.ID, record.Text, record.Mentions)); diff != "" {
						t.Fatalf("document %d (-written +read):\n%s", 100*round+i, diff)
					}
				}
			}
		})
	}
}

// reread writes documents and reads them.
func reread(t *testing.T, format Format, docs []*linkedTo) []*Record {
	t.Helper()
	if format != BRAT {
		return records(t, NewReader(strings.NewReader(written(t, format, docs...)), "file", Options{Format: format}))
	}
	dir := t.TempDir()
	w := NewBRATWriter(func(name, content string) error {
		return os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666)
	}, WriterOptions{})
	var read []*Record
	for _, doc := range docs {
		if err := w.Write(doc.Record, doc.Document); err != nil {
			t.Fatal(err)
		}
		r, err := Open(filepath.Join(dir, doc.Record.ID+".ann"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, records(t, r)...)
		r.Close()
	}
	return read
}

// TestBRAT reads discontinuous mentions and normalizations, and fills in others.
func TestBRAT(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"note.txt":        "Breast and ovarian\ncancer, 痛み.\n",
		"note.ann":        "T1\tDisease 0 6;19 25\tBreast cancer\nT2\tSymptom 27 29\t痛み\nN1\tReference T1 MESH:OLD\tbreast cancer\nR1\tCause Arg1:T1 Arg2:T2\nN7\tReference E1 X:1\tother\n#1\tAnnotatorNotes T1\tsure\nT3\tDisease 11 25\tovarian cancer\n",
		"annotation.conf": "[entities]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Expand([]string{dir})
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != "note.txt" {
		t.Fatalf("files %q, %v", files, err)
	}
	r, err := Open(files[0], Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	read := records(t, r)
	if len(read) != 1 || len(read[0].Mentions) != 3 || read[0].ID != "note" {
		t.Fatalf("read %+v", read)
	}
	if diff := cmp.Diff(ids{"MESH:OLD"}, read[0].Mentions[0].Concepts); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
	var b strings.Builder
	doc := linkTo(read[0], func(i int) kb.ConceptID { return []kb.ConceptID{"MESH:A", "B", ""}[i] })
	writeANN(&b, newLinkedRecord(doc.Record, doc.Document))
	want := "T1\tDisease 0 6;19 25\tBreast cancer\nN8\tReference T1 MESH:A\tname of MESH:A\nT2\tSymptom 27 29\t痛み\n" +
		"R1\tCause Arg1:T1 Arg2:T2\nN7\tReference E1 X:1\tother\n#1\tAnnotatorNotes T1\tsure\nT3\tDisease 11 25\tovarian cancer\nN9\tReference T3 ctxnorm:B\tname of B\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIsFormula(t *testing.T) {
	for cell, want := range map[string]bool{
		"=1+1": true, "@SUM(A1)": true, "+49 30 1234": true, "-OH": true, "-2+3+cmd|' /C calc'!A0": true, "\tx": true, "\rx": true, "-": true,
		"": false, "-5": false, "+1.5e3": false, "5-FU": false, "2,4-D": false, "'=1": false, "β-cell": false, "α": false,
	} {
		if got := isFormula(cell); got != want {
			t.Errorf("isFormula(%q) = %t, want %t", cell, got, want)
		}
	}
}

// Cells like formulas are written as they are, and read again the same, unless the table is to be
// safe for spreadsheets.
func TestFormulas(t *testing.T) {
	const table = "id,mention\n=1+1,-OH\n-5,tumor\n"
	for _, safe := range []bool{false, true} {
		var b strings.Builder
		var formulas []string
		w, err := Outputs().NewWriter(&b, CSV, WriterOptions{SpreadsheetSafe: safe, Formula: func(cell string) { formulas = append(formulas, cell) }})
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range records(t, NewReader(strings.NewReader(table), "file", Options{})) {
			if err := w.Write(record, linkTo(record, func(int) kb.ConceptID { return "" }).Document); err != nil {
				t.Fatal(err)
			}
		}
		want := "=1+1,-OH,=1+1,0,3,-OH,-OH,,,,,,,true,,\n" // source, document, offsets, text, resolved text, …
		wantFormulas := []string{"=1+1", "-OH", "=1+1", "-OH", "-OH"}
		if safe {
			want = "'=1+1,'-OH,'=1+1,0,3,'-OH,'-OH,,,,,,,true,,\n"
			wantFormulas = nil
		}
		_, rows, _ := strings.Cut(b.String(), "\n")
		if want += "-5,tumor,-5,0,5,tumor,tumor,,,,,,,true,,\n"; rows != want {
			t.Errorf("safe %t: got\n%swant\n%s", safe, rows, want)
		}
		if diff := cmp.Diff(wantFormulas, formulas); diff != "" {
			t.Errorf("safe %t: formulas (-want +got):\n%s", safe, diff)
		}
		if safe {
			continue
		}
		for i, record := range records(t, NewReader(strings.NewReader(b.String()), "written", Options{Columns: map[string]string{"mention": "text", "id": "document"}})) {
			if want := []string{"=1+1 -OH", "-5 tumor"}[i]; record.ID+" "+record.Text != want {
				t.Errorf("read again: %s %s, want %s", record.ID, record.Text, want)
			}
		}
	}
	if _, err := NewWriter(nil, "xlsx"); err == nil {
		t.Error("a table in XLSX: no error")
	}
}

// TestTables reads tables and writes a row for each mention, after the columns that were read.
func TestTables(t *testing.T) {
	for _, test := range []struct {
		in      string
		columns map[string]string
		format  Format
		want    string
	}{
		{
			"pmid;ward;text\n1;\"a;b\";\"A [ENT] tumor [/ENT]\"\n2;c;none\n", nil, TSV,
			"pmid\tward\tsource_text\tdocument\tstart\tend\ttext\tresolved_text\ttype\tid\tpreferred_name\tmatched_name\tscore\tprobability\tnil\tbroader\tbest_evidence\n" +
				"1\ta;b\tA [ENT] tumor [/ENT]\t1\t2\t7\ttumor\ttumor\t\tNEW\tname of NEW\tname\t\t0.9\tfalse\t\t\n" +
				"2\tc\tnone\t2\t0\t0\t\t\t\t\t\t\t\t\ttrue\t\t\n",
		},
		{
			"Diagnosis\tNr\nlung cancer\t7\n", map[string]string{"mention": "Diagnosis", "id": "2"}, CSV,
			"Diagnosis,Nr,document,start,end,text,resolved_text,type,id,preferred_name,matched_name,score,probability,nil,broader,best_evidence\n" +
				"lung cancer,7,7,0,11,lung cancer,lung cancer,,NEW,name of NEW,name,,0.9,false,,\n",
		},
	} {
		var docs []*linkedTo
		for _, record := range records(t, NewReader(strings.NewReader(test.in), "file", Options{Columns: test.columns})) {
			docs = append(docs, linkTo(record, func(int) kb.ConceptID { return "NEW" }))
		}
		if diff := cmp.Diff(test.want, written(t, test.format, docs...)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	_, err := NewReader(strings.NewReader("a,b\n1,2\n"), "table.csv", Options{}).Next()
	if err == nil || !strings.Contains(err.Error(), "table.csv: want documents (") || !strings.HasSuffix(err.Error(), "got a table without a column called text, title or mention: it has \"a\", \"b\"") {
		t.Errorf("a table without text: %v", err)
	}
}

// TestArticles reads PubMed XML, with and without a declaration, and JATS.
func TestArticles(t *testing.T) {
	const citation = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">17</PMID><Article><ArticleTitle>A title.</ArticleTitle>` +
		`<Abstract><AbstractText>One.</AbstractText><AbstractText>Two.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`
	const article = `<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><article-id pub-id-type="pmid">5</article-id><article-id pub-id-type="pmc">12</article-id>` +
		`<title-group><article-title>On <italic>E. coli</italic></article-title></title-group><abstract><p>Brief.</p></abstract></article-meta></front>` +
		"<body><sec><title>Intro</title><p>A tumor\n grew<xref ref-type=\"bibr\">1</xref> <inline-formula><math>x</math></inline-formula>fast.</p><table-wrap><caption><p>Cases</p></caption><table><tr><td>9</td></tr></table></table-wrap></sec></body>" +
		`<back><ref-list><ref>Other</ref></ref-list></back></article>`
	for _, test := range []struct{ in, id, text string }{
		{citation, "17", "A title. One. Two."},
		{"<?xml version=\"1.0\"?>\n" + citation, "17", "A title. One. Two."},
		{article, "PMC12", "On E. coli\n\nBrief.\n\nIntro\n\nA tumor grew fast.\n\nCases\n\n9"},
		{"<pmc-articleset>" + article + "</pmc-articleset>", "PMC12", "On E. coli\n\nBrief.\n\nIntro\n\nA tumor grew fast.\n\nCases\n\n9"},
	} {
		docs, problems := readText(t, test.in, "")
		if len(problems) > 0 || len(docs) != 1 || docs[0].ID != test.id || docs[0].Text != test.text {
			t.Errorf("problems %q, documents %+v", problems, docs)
		}
	}
}

// TestHTMLWithoutProbabilities: a link of a method that returns no probabilities is not shown as an
// unlikely one.
func TestHTMLWithoutProbabilities(t *testing.T) {
	r := NewRecord(&text.Document{ID: "1", Text: "a tumor", Mentions: []text.Mention{{Span: text.Span{Start: 2, End: 7}}}})
	l := linkTo(r, func(int) kb.ConceptID { return "D1" })
	l.Document.Mentions[0].Candidates[0].Probability, l.Document.Mentions[0].Candidates[0].Score = 0, .75
	page := written(t, HTML, l)
	if !strings.Contains(page, `<summary class="mention linked"`) || !strings.Contains(page, "score 0.750") || strings.Contains(page, `<summary class="mention low"`) {
		t.Error(page)
	}
}

// TestWithoutProbability: a candidate of a method that returns no probabilities has none, and one that is
// nearly 0 is written.
func TestWithoutProbability(t *testing.T) {
	r := NewRecord(&text.Document{ID: "1", Text: "a tumor", Mentions: []text.Mention{{Span: text.Span{Start: 2, End: 7}}}})
	l := linkTo(r, func(int) kb.ConceptID { return "D1" })
	for _, test := range []struct {
		probability float64
		json, cell  string
	}{
		{0, `"score":0,"votes":0}`, "\t\tfalse\t\t"},
		{1e-9, `"score":0,"probability":0,"votes":0}`, "\t0\tfalse\t\t"},
	} {
		l.Document.Mentions[0].Candidates[0].Probability = test.probability
		if line := written(t, JSONL, l); !strings.Contains(line, test.json) {
			t.Errorf("JSONL has no %s: %s", test.json, line)
		}
		if rows := written(t, TSV, l); !strings.Contains(rows, test.cell) {
			t.Errorf("TSV has no %q: %s", test.cell, rows)
		}
	}
	// Of a composite mention the part without a probability counts.
	composite := linked.Mention{SubMentions: []linked.SubMention{
		{Candidates: []linked.Candidate{{Concept: "A", Probability: .2, Score: 1}}}, {Candidates: []linked.Candidate{{Concept: "B", Score: 2}}},
	}}
	row := NewTable(&WriterOptions{}).Rows(r, &linked.Document{Text: r.Text, Mentions: []linked.Mention{composite}})[0]
	score, probability := row.Cells[9].(*float64), row.Cells[10].(*float64)
	if probability != nil || *score != 2 {
		t.Errorf("probability %v and score %g of parts of which one has no probability", probability, *score)
	}
}

// TestHTML escapes what it writes, and needs nothing from elsewhere.
func TestHTML(t *testing.T) {
	r := NewRecord(&text.Document{ID: "<1>", Text: "A <script>alert(1)</script> tumor", Mentions: []text.Mention{{Span: text.Span{Start: 28, End: 33}}}})
	l := linkTo(r, func(int) kb.ConceptID { return "D1" })
	l.Document.Mentions[0].Candidates[0].Evidence = []linked.Evidence{{PMID: "5", Text: "a <b>tumor</b>", Span: text.Span{Start: 5, End: 10}, Similarity: .5}}
	page := written(t, HTML, l)
	for _, want := range []string{"&lt;script&gt;alert(1)", `<summary class="mention high"`, "a &lt;b&gt;<b>tumor</b>&lt;/b&gt;", "document 5, similarity", "1 documents, 1 mentions, 0 of them NIL"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	for _, unwanted := range []string{"<script", "http:", "https:", "src=", "@import"} {
		if strings.Contains(page, unwanted) {
			t.Errorf("%q in the page", unwanted)
		}
	}
}

// TestHTMLLinks writes the identifiers of concepts and of documents as links, but the number of a document without one.
func TestHTMLLinks(t *testing.T) {
	r := NewRecord(&text.Document{ID: "7", Text: "A tumor", Mentions: []text.Mention{{Span: text.Span{Start: 2, End: 7}}}})
	l := linkTo(r, func(int) kb.ConceptID { return "C:<1>" })
	l.Document.Mentions[0].Candidates[0].Evidence = []linked.Evidence{{PMID: "a.txt:3", Text: "tumor", Span: text.Span{Start: 0, End: 5}}}
	options := WriterOptions{Links: LinkTemplates{"https://example.org/c/{local}?a=1&b=2", "https://example.org/d/{id}"}}
	page := func() string {
		var b strings.Builder
		w := htmlOutput.New(&b, options)
		if err := w.Write(r, l.Document); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const evidence = `<a href="https://example.org/d/a.txt%3A3" rel="noreferrer noopener">a.txt:3</a>`
	const document = `<h2><a href="https://example.org/d/7" rel="noreferrer noopener">7</a></h2>`
	const concept = `<a href="https://example.org/c/%3C1%3E?a=1&amp;b=2" rel="noreferrer noopener">C:&lt;1&gt;</a>`
	for _, want := range []string{evidence, document, concept} {
		if got := page(); !strings.Contains(got, want) {
			t.Errorf("no %s in the page:\n%s", want, got)
		}
	}
	if r.Unnamed = true; !strings.Contains(page(), "<h2>7</h2>") {
		t.Error("the number of a document without an identifier is a link")
	}
}
