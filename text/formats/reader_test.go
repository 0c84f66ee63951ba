package formats

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		head string
		want Format
		got  string
	}{
		{"", Text, ""},
		{"\n\n6794356|t|Title", PubTator, ""},
		{"PMC1|a|Abstract first", PubTator, ""},
		{"a b|t|no identifier", Text, ""},
		{"<?xml version='1.0'?><!-- no root yet --><collection>", BioC, ""},
		{"<?xml version='1.0' encoding='ISO-8859-1'?>\n<!DOCTYPE collection SYSTEM 'BioC.dtd'>\n<collection>", BioC, ""},
		{"\n<collection>", BioC, ""},
		{"<0.05 was significant", Text, ""},
		{`{"text": "a|t|b"}`, JSONL, ""},
		{`{"id":"1","text":"a"}`, JSONL, ""},
		{`{"id": "e" "text"`, JSONL, ""},
		{"[ENT] a [/ENT]", Text, ""},
		{"[Retracted] A tumor", Text, ""},
		{"%PDF-1.4", "", "PDF"},
		{"% Encoding: UTF-8\n\n@Article{a,\n", "", "BibTeX: export RIS instead"},
		{"% of patients\n12\n", Text, ""},
		{"PK\x03\x04rest", "", "a zip archive (.xlsx, .docx, .odt, .epub and .zip are)"},
		{"a\x00b", "", "a binary file"},
		{"<!DOCTYPE html><html>", "", "HTML"},
		{"<?xml version='1.0'?>", "", "markup without a root element"},
		{"<RAW_DATA>\n <PubmedArticle><PMID>1</PMID></PubmedArticle></RAW_DATA>", PubMed, ""},
		{"<PubmedBookArticleSet><PubmedBookArticle/></PubmedBookArticleSet>", PubMed, ""},
		{"<RAW_DATA><other><PubmedArticle/></other></RAW_DATA>", "", "XML with the root element <RAW_DATA>"},
		{"<RAW_DATA>text</RAW_DATA>", "", "XML with the root element <RAW_DATA>"},
		{"<eSearchResult><Count>0</Count></eSearchResult>", "", "XML with the root element <eSearchResult>"},
		{"<eEfetchResult><ERROR>Cannot process ID list</ERROR></eEfetchResult>", "", `XML with the root element <eEfetchResult>: "Cannot process ID list"`},
		{`{"id": "1", "passages": []}`, BioCJSON, ""},
		{"[\n {\"source\": \"PMC\", \"documents\": []}]", BioCJSON, ""},
		{"<PubmedArticleSet>", PubMed, ""},
		{"<!DOCTYPE article PUBLIC 'x' 'y'><article>", JATS, ""},
		{"A\tO\nB\tB-Disease\n", CoNLL, ""},
		{"-DOCSTART- -X- O\n", CoNLL, ""},
		{"Blood group O\n", Text, ""},
		{"# id 1 domain=train\nA\tO\n", CoNLL, ""},
		{"#\tO\n", CoNLL, ""},
		{"# sent_id = 1\n# text = A\n1\tA\ta\tX\t_\t_\t0\troot\t_\t_\n", conllu, ""},
		{"1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\r\n", conllu, ""},
		{"# A title\n\nA text\n", Text, ""},
		{"# A title\nA text of vitamin O\n", Text, ""},
		{"# A title", Text, ""},
		{"\nPMID- 1\nTI  - A\n", medline, ""},
		{"TY  - JOUR\r\nTI  - A\r\n", ris, ""},
		{"%0 Journal Article\n%T A\n", endNote, ""},
		{"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n", wos, ""},
		{"PT J patients\n", Text, ""},
		{"@article{a,\n", "", "BibTeX: export RIS instead"},
		{"PMID- \n", Text, ""},
		{"T1\tDisease 2 7;9 12\ttumor\n", "", "annotations of BRAT, whose text is in a file beside them (note.txt and note.ann)"},
		{"id,text\n1,a\n", CSV, ""},
		{"id\ttext\n1\ta\n", TSV, ""},
		{"{\n  \"other\": 1\n}", "", "JSON that is no list of objects with a \"text\""},
		{"{\n  \"data\": [],\n \"status\": 1}", "", "JSON that is no list of objects with a \"text\""},
		{"[{\"id\": 1, \"text\": \"a\"},", jsonValues, ""},
		{"[{\"id\": 1, \"annotations\": [], \"data\": {\"text\": \"a\"}}]", jsonValues, ""},
		{"[\n \"a\", \"b\"]", "", "a JSON list without objects: want objects with a \"text\""},
		{"[[\"a\", {\"entities\": []}]]", "", "a JSON list without objects: want objects with a \"text\""},
		{"[\"River fever\" in adults].\n", Text, ""},
		{"[1, 2] show that\n", Text, ""},
		{"Return-Path: <a@b.example>\nFrom: a@b.example\n\nA", "", "an e-mail"},
		{"From: a@b.example\r\nSubject: a\r\n of b\r\nMIME-Version: 1.0\r\n\r\nA", "", "an e-mail"},
		{"From a@b.example Thu Jan  1 00:00:00 2026\nFrom: a\n", "", "e-mails"},
		{"Subject: 32-year-old man\nHistory: none\n\nContent-Transfer-Encoding: 1", Text, ""},
		{"From here on.\n", Text, ""},
		{"1\n00:00:00,000 --> 00:00:02,000\nA\n", "", "subtitles"},
		{"1\nA\n", Text, ""},
		{"WEBVTT\n\n00:00.000", "", "subtitles"},
		{"RT Journal Article\nT1 River fever\n", "", "RefWorks: export RIS instead"},
		{"\x1e{\"text\": \"a\"}\n", "", "a JSON text sequence (RFC 7464): want an object a line"},
		{"\\documentclass{article}\n", "", "LaTeX"},
		{"% a comment\n\n\\section{Intro}\n", "", "LaTeX"},
		{"\\alpha is high.\n", Text, ""},
		{"WARC/1.0\r\n", "", "WARC, pages of the web"},
		{"c=\"river fever\" 1:2 1:3||t=\"problem\"\n", "", "annotations of i2b2, which count lines and words: convert them to BRAT"},
		{"H\x00e\x00 \x00h\x00a\x00d\x00", "", "UTF-16 without a byte-order mark: name the encoding utf-16le"},
		{"\x00H\x00e\x00 \x00h\x00a\x00d", "", "UTF-16 without a byte-order mark: name the encoding utf-16be"},
		{"N000||C0000901||7||18\n", "", "annotations of n2c2 or ShARe, whose texts are in other files: convert them to BRAT"},
		{"00098-1.txt||Disease_Disorder||C0000901||7||18\n", "", "annotations of n2c2 or ShARe, whose texts are in other files: convert them to BRAT"},
		{"He was || he had || a fever\n", Text, ""},
		{"primaryid$caseid$drugname\n1$1$A\n", "", "a table with $ between its cells, want tabs, commas, semicolons or bars"},
		{"A fee of US$3 and A$B.\n", Text, ""},
		{"Record #1 of 2\nID: CN-1\nTI: A\n", "", "citations of the Cochrane Library: export RIS instead"},
		{"Record #1 of the ward.\n", Text, ""},
		{"VN  - Ovid Technologies\nDB  - MEDLINE(R)\n\nUI  - 1\n", "", "citations of Ovid: export RIS instead"},
		{"<1>\nUnique Identifier\n  1\nTitle\n  A\n", "", "citations of Ovid: export RIS instead"},
		{"1. J Rivers. 2025 Jan;1(1):1-2.\n\nA fever.\n\nBy A(1).\n\nIt is rare.\n\nPMID: 41000001\n", "", "citations that PubMed saved as text: save them in the format PubMed (.nbib) instead"},
		{"1. Seen on Monday. 2025 was better.\n2. Discharged.\n", Text, ""},
		{"ISA*00*          *00*", "", "X12, messages of insurers"},
		{"PT\tAU\tTI\tAB\tUT\nJ\tA, B\tA fever\tIt is rare.\tWOS:1\n", TSV, ""},
		{"PT,AB\nJ,It is rare.\n", Text, ""},
		{"id,text\r1,a\r", "", "a table whose lines end with CR alone, want LF or CR LF"},
		{"sep=;\r\nid;text\r\n", CSV, ""},
		{"<html><body>", "", "HTML"},
		{"<TEI xmlns='a'><teiHeader>", "", "TEI, as GROBID writes: want JATS, or its text"},
		{`{"resourceType": "Condition", "text": {"status": "generated"}}`, "", "FHIR: take the texts out of its resources"},
		{`{"resourceType": "note", "text": "a"}`, JSONL, ""},
		{"{\n \"protocolSection\": {}}", "", "a study of ClinicalTrials.gov: take the texts out of its sections"},
		{`{"projects": [{"documents": [{"text": "a"}]}]}`, "", "an export of MedCATtrainer: take the documents out of its projects (jq -c '.projects[].documents[]')"},
		{`{"tokens": ["a"], "ner_tags": [1]}`, "", "lists of tokens and tags: want CoNLL"},
		{"{\n \"paper_id\": \"1\", \"abstract\": [{\"text\": \"a\"}], \"body_text\": []}", jsonValues, ""},
		{"[{\"title\": \"a\", \"abstract\": \"b\"}]", jsonValues, ""},
		{"{\"results\": [{\"title\": \"a\"}]}\n", JSONL, ""}, // an error of the record
		{"MSH|^~\\&|LAB|X\nOBX|1|TX|\n", "", "HL7 version 2: take the texts out of its segments"},
		{"#FORMAT=WebAnno TSV 3.3\n\n\n#Text=A\n", "", "WebAnno TSV: export CoNLL 2002 instead"},
		{"He O\nhad O\nfever B-Disease\n\nA", CoNLL, ""},
		{"A DT O\nfever NN B-Disease\n", CoNLL, ""},
		{"Vitamin O\nVitamin B\n", Text, ""},
		// Lines that are cut off, also behind a mark that may end a line of one object on several lines.
		{`{"mentions": [{"start": 1,`, JSONL, ""},
		{`{"meta": {"documents": 1}, "text": "a`, JSONL, ""},
		{`{"id": "1", "infons": {}, "passages": [{"text": "a`, BioCJSON, ""},
		{`{"source": "a", "infons": {}, "documents": [{`, BioCJSON, ""},
		{`[{"source": "a", "infons": {}, "documents": [{`, BioCJSON, ""},
		{"{\n  \"meta\": {\"documents\": 1},\n \"text\": \"a\"", jsonValues, ""},
	}
	for _, test := range tests {
		if format, got := detect([]byte(test.head), true); format != test.want || got != test.got {
			t.Errorf("%q: got %q, %q; want %q, %q", test.head, format, got, test.want, test.got)
		}
	}
}

// TestDetectAnyPrefix cuts files short. A prefix either does not tell yet or has the same
// format as the whole, so the way in which a pipe cuts its data does not matter.
func TestDetectAnyPrefix(t *testing.T) {
	for _, content := range []string{
		"PMID- 1\nTI  - A\n",
		"# id 1\n\n# id 2\nlung\tB-D\n",
		"# newdoc\n1\tA\ta\tX\t_\t_\t0\troot\t_\t_\n",
		"# A title\n\nA text\n",
		"\n\n6794356|t|Title\n6794356|a|Abstract\n",
		"<?xml version='1.0'?>\n<collection><source/></collection>\n",
		"<0.05 was significant\nIn [ENT] NIDDM [/ENT].\n",
		`{"id": "1", "text": "A tumor."}` + "\n",
		"[ENT] a [/ENT]\n",
		"[\n{\"text\": \"a\"}]\n",
		"Subject: a\nPlan: b\nGo on.\n",
		"He O\nhad O\nfever B-Disease\n\n",
		"12\nA\n",
	} {
		want, _ := detect([]byte(content), true)
		for n := range len(content) {
			if format, got := detect([]byte(content[:n]), false); got != "" || format != "" && format != want {
				t.Errorf("%q: got %q, %q; want %q", content[:n], format, got, want)
			}
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, format := range Formats() {
		if got, err := ParseFormat(strings.ToUpper(string(format))); got != format || err != nil {
			t.Errorf("%s: got %q, %v", format, got, err)
		}
	}
	if _, err := ParseFormat("pdf"); err == nil {
		t.Error("pdf: no error")
	}
}

// gzipped returns content compressed with gzip.
func gzipped(t testing.TB, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "documents.gz")
	compressed := gzipped(t, strings.Repeat("{\"text\": \"one\"}\n", 1000))
	if err := os.WriteFile(path, compressed, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	docs, problems := readAll(t, r)
	if len(docs) != 1000 || len(problems) > 0 {
		t.Errorf("%d documents, problems %q", len(docs), problems)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "missing"), Options{}); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Open(path, Options{Format: "pdf"}); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("unknown format: %v", err)
	}
}

// TestOpenNotes reads a text as one document where its lines are parts of it, and by lines elsewhere.
func TestOpenNotes(t *testing.T) {
	const wrapped = "The patient came back with a fever that had begun\nthree days before, and with a cough that did not\nlet her sleep.\nNo rash.\n"
	for _, test := range []struct {
		name, content string
		documents     int
	}{
		{"list.txt", "Diagnoses:\n- Flood\n- Fever\n\nSeen today. No rash.\n", 1},
		{"wrapped.txt", wrapped, 1},
		{"wrapped.text", wrapped, 4}, // another name
		{"capitals.txt", "CHIEF COMPLAINT\nFlood\n\nHISTORY\nHe had a fever. No rash.\nPLAN\nRest.\n", 1},
		{"capitals.CRLF.txt", "HPI\r\nFlood\r\n\r\nPLAN\r\nRest.\r\n", 1},
		{"numbered.txt", "ASSESSMENT AND PLAN\n1. Flood: rest.\n2. Fever: water.\n(3) Follow-up in May.\nDr. Li\n", 1},
		{"numbered sentences.txt", "1. He had a fever.\n2. No flood.\n3. The cough is better.\n", 3},
		{"names in capitals.txt", "FLOOD\nFEVER\nRiver fever\nCOPD\nStone fever\nCOUGH\nAsthma\n", 7},
		{"sentences in capitals.txt", "HE HAD A FEVER.\nNo flood.\nNO COUGH.\nNo pain.\n", 4},
		{"one heading.txt", "SENTENCES\nHe had a fever.\nNo flood.\n", 3},
		{"sentences.txt", "He had a fever.\nNo flood.\nA cough: none.\n", 3},
		{"lower case.txt", "the patient came back with a fever that had begun .\nthere was no rash on the arms or on the legs .\nno cough .\n", 3},
		{"mentions.txt", "high blood pressure\nstroke of the heart\nfever\n", 3},
		{"one item.txt", "- Flood\nHe had a fever.\nNo rash.\nNo cough.\nNo pain.\n", 5},
		{"long.txt", strings.Repeat("- Flood\n", 9000), 9000},
	} {
		path := filepath.Join(t.TempDir(), test.name)
		if err := os.WriteFile(path, []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		docs, problems := readAll(t, r)
		r.Close()
		if len(docs) != test.documents || len(problems) > 0 {
			t.Errorf("%s: %d documents, problems %q, want %d", test.name, len(docs), problems, test.documents)
		}
	}
}

func TestTruncatedGzipIsFinal(t *testing.T) {
	compressed := gzipped(t, "{\"text\": \"one\"}\n")
	r := NewReader(bytes.NewReader(compressed[:len(compressed)-4]), "file", Options{Format: JSONL})
	var err error
	for err == nil {
		_, err = r.Next()
	}
	if err == io.EOF || !strings.HasPrefix(err.Error(), "file: ") {
		t.Errorf("got error %v, want one that names the file", err)
	}
	if _, again := r.Next(); again != err {
		t.Errorf("then %v, want the same error", again)
	}
}

// FuzzReader reads arbitrary content in every format. Documents must satisfy their
// invariant, and the reader must reach the end.
func FuzzReader(f *testing.F) {
	seeds := []string{
		"1|t|Naïve tum\n1|a|and\n1\t0\t5\tNaïve\tDisease\tD1|D2\n\n1|t|x\n",
		`<collection><document><id>1</id><passage><offset>0</offset><text>Naïve</text><annotation><infon key="MESH">D1</infon>` +
			`<location offset="0" length="5"/><text>Naïve</text></annotation></passage></document></collection>`,
		`{"id": 1, "text": "日本 ïs", "mentions": [{"start": 3, "end": 5, "text": "ïs", "ids": ["D1"]}]}` + "\n",
		"a [ENT] ï [/ENT] b\nna\xefve\n[ENT]",
		"ï\tO\nx\tB-D\tD1\n\n-DOCSTART- (a)\n\ny\tI-D\n",
		"id,text,start,end\n1,naïve,0,5\n2,\"a\nb\"\n",
		`{"documents":[{"id":"1","passages":[{"offset":3,"text":"ïx","annotations":[{"id":"1","infons":{"type":"D"},"text":"x","locations":[{"offset":4,"length":1}]}]}]}]}`,
		"<article><body><p>ï</p></body></article>",
	}
	for _, seed := range seeds {
		for i := range len(Formats()) + 1 {
			f.Add(seed, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, content string, which uint8) {
		formats := append(Formats(), "")
		r := NewReader(strings.NewReader(content), "file", Options{Format: formats[int(which)%len(formats)]})
		var linkedDocs []*linkedTo
		for calls := 0; ; calls++ {
			if calls > 2*len(content)+2 { // at most one document and one error per byte
				t.Fatalf("no end after %d calls for %d bytes", calls, len(content))
			}
			record, err := r.NextRecord()
			if _, bad := err.(*RecordError); bad {
				continue
			}
			if err != nil {
				for _, format := range []Format{JSONL, PubTator, BioC, BioCJSON, CoNLL, TSV, HTML} {
					written(t, format, linkedDocs...)
				}
				return
			}
			doc := record.Document
			linkedDocs = append(linkedDocs, linkTo(record, func(int) kb.ConceptID { return "D1" }))
			before := -1
			for _, m := range doc.Mentions {
				if m.Start < before || m.Start >= m.End || m.End > len(doc.Text) {
					t.Fatalf("mention %+v in %q after one at %d", m, doc.Text, before)
				}
				for _, edge := range []int{m.Start, m.End} {
					if edge < len(doc.Text) && !utf8.RuneStart(doc.Text[edge]) {
						t.Fatalf("mention %+v splits a character of %q", m, doc.Text)
					}
				}
				before = m.Start
			}
		}
	})
}

// BenchmarkReader reads 1,000 documents with one mention each, or without mentions in formats that have none.
func BenchmarkReader(b *testing.B) {
	const text = "A newborn with massive tricuspid regurgitation, atrial flutter and congestive heart failure is described."
	words := strings.Fields(strings.TrimSuffix(text, "."))
	const doctype = `<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://x/p.dtd">`
	for format, f := range map[Format]struct{ head, document, foot string }{
		JSONL:    {document: `{"id": "1", "text": "` + text + `", "mentions": [{"start": 0, "end": 9}]}` + "\n"},
		PubTator: {document: "{i}|t|" + text + "\n{i}|a|" + text + "\n{i}\t0\t9\tA newborn\tDisease\tD014262\n\n"},
		Text:     {document: "With [ENT] " + text + " [/ENT]\n"},
		CSV:      {head: "id,text,start,end\n", document: `{i},"` + text + `",0,9` + "\n"},
		CoNLL:    {document: strings.Join(words, "\tO\n") + "\tO\n\n"},
		BioC: {head: `<?xml version="1.0"?><collection><source>s</source><date></date><key></key>`,
			document: `<document><id>{i}</id><passage><offset>0</offset><text>` + text + `</text><annotation id="1">` +
				`<infon key="type">Disease</infon><location offset="0" length="9"/><text>A newborn</text></annotation>` +
				"</passage></document>\n", foot: `</collection>`},
		BioCJSON: {head: `{"source": "s", "date": "", "key": "", "documents": [` + "\n" + `{"id": "0", "passages": []}`,
			document: `, {"id": "{i}", "infons": {}, "passages": [{"offset": 0, "infons": {}, "text": "` + text +
				`", "annotations": [{"id": "1", "infons": {"type": "Disease"}, "text": "A newborn",` +
				` "locations": [{"offset": 0, "length": 9}]}]}]}` + "\n", foot: `]}`},
		PubMed: {head: `<?xml version="1.0"?>` + doctype + `<PubmedArticleSet>`, document: `<PubmedArticle><MedlineCitation>` +
			`<PMID Version="1">{i}</PMID><Article><ArticleTitle>` + text + `</ArticleTitle><Abstract><AbstractText>` + text +
			"</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>\n", foot: `</PubmedArticleSet>`},
	} {
		var all strings.Builder
		all.WriteString(f.head)
		for i := range 1000 {
			all.WriteString(strings.ReplaceAll(f.document, "{i}", strconv.Itoa(i+1)))
		}
		all.WriteString(f.foot)
		content := all.String()
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if docs, problems := readText(b, content, format); len(problems) > 0 || len(docs) < 1000 {
					b.Fatal(len(docs), problems)
				}
			}
		})
	}
}

// TestExpandAnnotations names BRAT's annotations with their texts, as a shell does for folder/*: each document is read
// once, by its text.
func TestExpandAnnotations(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a.ann", "a.txt", "b.ann", "b.txt", "alone.ann"} {
		if err := os.WriteFile(at(name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Expand([]string{at("a.ann"), at("a.txt"), at("b.ann"), dir + "/./b.ann"})
	if want := []string{at("a.txt"), at("b.txt")}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%q, %v; want %q", files, err, want)
	}
	_, err = Expand([]string{at("a.txt"), at("alone.ann")})
	if want := at("alone.ann") + ": there is no text beside these annotations, want " + at("alone.txt"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A link to a folder is read as the folder.
func TestExpandLink(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	files, err := Expand([]string{link})
	if want := []string{filepath.Join(link, "a.txt")}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%q, %v; want %q", files, err, want)
	}
}

func TestShortNames(t *testing.T) {
	for _, c := range []struct{ paths, want []string }{
		{[]string{"x/a.txt", "y/b.txt"}, []string{"a.txt", "b.txt"}},
		{[]string{"x/a.txt", "y/a.txt", "y/b.txt"}, []string{"x/a.txt", "y/a.txt", "b.txt"}},
		{[]string{"1/x/a.txt", "2/x/a.txt"}, []string{"1/x/a.txt", "2/x/a.txt"}},
		{[]string{"a.txt", "x/a.txt", "./a.txt"}, []string{"a.txt", "x/a.txt", "a.txt"}},
		{nil, []string{}},
	} {
		if diff := cmp.Diff(c.want, ShortNames(c.paths)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.paths, diff)
		}
	}
}
