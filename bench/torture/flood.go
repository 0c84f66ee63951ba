package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// floodSize is the size of an input that does not end, unpacked.
const floodSize = 3 << 30 // bytes: more than the limit of memory

// flood is an input of head, unit as often as floodSize allows, and tail.
type flood struct {
	name             string
	args             func(l *lab, path string) []string
	head, unit, tail string
	short            bool // part of the short form
}

// write writes the input as a gzip file of a few megabytes: a file of several gzip
// members is the file of their contents.
func (f flood) write(path string) error {
	unit := []byte(strings.Repeat(f.unit, max(1, (1<<24)/len(f.unit))))
	packed := pack(unit)
	data := bytes.Clone(pack([]byte(f.head)))
	data = append(data, bytes.Repeat(packed, floodSize/len(unit))...)
	data = append(data, pack([]byte(f.tail))...)
	return os.WriteFile(path, data, 0o644)
}

func floods(l *lab) []flood {
	dict := l.fixture(dictionaryFile)
	tag := func(l *lab, path string) []string { return l.ctxnorm("tag", "--dict", path) }
	as := func(format string) func(l *lab, path string) []string {
		return func(l *lab, path string) []string {
			return l.ctxnorm("tag", "--dict", path, "--dict-format", format)
		}
	}
	ids := func(l *lab, path string) []string { return l.ctxnorm("tag", "--dict", dict, "--ids", path) }
	parents := func(l *lab, path string) []string { return l.ctxnorm("tag", "--dict", dict, "--parents", path) }
	link := func(l *lab, path string) []string {
		return l.ctxnorm("link", "--model", l.fixture(stringModel), "--input", path, "--output", "/dev/null")
	}
	gold := func(l *lab, path string) []string {
		return l.ctxnorm("eval", "--model", l.fixture(stringModel), "--gold", path)
	}
	const (
		record     = "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>t</ArticleTitle><Abstract><AbstractText>"
		recordEnd  = "</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
		collection = "<?xml version='1.0'?><collection>"
		document   = collection + "<document><id>1</id>"
	)
	x := strings.Repeat("x", 64)
	return []flood{
		{"PubMed XML, an abstract", build, record, "asthma and so on. ", recordEnd, true},
		{"PubMed XML, a comment", build, "<PubmedArticleSet><!--", x, "--></PubmedArticleSet>", false},
		{"PubMed XML, blanks between records", build, "<PubmedArticleSet>", strings.Repeat(" ", 64), "</PubmedArticleSet>", false},
		{"PubMed XML, an attribute", build, "<PubmedArticleSet a='", x, "'></PubmedArticleSet>", false},
		{"PubMed XML, a DOCTYPE", build, "<!DOCTYPE x [", "<!ENTITY a 'b'>", "]><PubmedArticleSet></PubmedArticleSet>", false},
		{"PubMed XML, open tags", build, "<PubmedArticleSet>", "<a>", "", false},
		{"PubMed XML, a name", build, "<", x, ">", false},
		{"PubMed XML, zeros", build, "", strings.Repeat("\x00", 64), "", false},
		{"PubMed XML, <", build, "", strings.Repeat("<", 64), "", false},
		{"PubMed XML, deletions", build, "<PubmedArticleSet><DeleteCitation>", "<PMID>123456</PMID>", "</DeleteCitation></PubmedArticleSet>", false},
		{"PubMed XML, empty records", build, "<PubmedArticleSet>", "<PubmedArticle/>", "</PubmedArticleSet>", false},
		{"PubMed XML, records of one PMID", build, "<PubmedArticleSet>", "<PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation></PubmedArticle>", "</PubmedArticleSet>", false},
		{"PubMed XML, sections", build, record, "</AbstractText><AbstractText Label='X'>a", recordEnd, false},
		{"PubMed XML, references", build, record, "&amp;&#65;", recordEnd, false},
		{"dictionary, one line", tag, "id\tname\n", x, "\n", true},
		{"dictionary, zeros", tag, "", strings.Repeat("\x00", 64), "", false},
		{"dictionary, line ends", tag, "C1\tasthma\n", strings.Repeat("\n", 64), "", false},
		{"tsv, equal rows", tag, "id\tname\n", "C1\tasthma\n", "", true},
		{"tsv, cells", tag, "C1\t", "a|b|c|", "\n", false},
		{"csv, a quoted cell", tag, "id,name\nC1,\"", x, "\"\n", false},
		{"csv, cells", as("csv"), "C1,a", ",b", "\n", false},
		{"obo, a stanza", tag, "format-version: 1.2\n[Term]\nid: A:1\nname: a\n", "synonym: \"b\" EXACT []\n", "\n", false},
		{"obo, stanzas", tag, "format-version: 1.2\n", "[Term]\nid: A:1\nname: a\n\n", "\n", false},
		{"biosyn, equal rows", tag, "", "C1||asthma\n", "", false},
		{"mrconso, equal rows", tag, "", "C0000001|ENG|P|L001|PF|S001|Y|A001||M001|D00|MSH|MH|D00|asthma|0|N|256|\n", "", false},
		{"jsonl, equal rows", tag, "", "{\"id\": \"C1\", \"name\": \"asthma\"}\n", "", false},
		{"jsonl, a list", tag, `{"id": "C1", "synonyms": [`, `"a",`, "\"a\"]}\n", false},
		{"json, a value", as("json"), `{"C1": ["`, x, `"]}`, false},
		{"json, members", as("json"), `{`, `"C1": ["asthma"],`, `"C2": []}`, false},
		{"json, blanks", as("json"), `{`, strings.Repeat(" ", 64), `}`, false},
		{"json, nesting", as("json"), `{"a":`, strings.Repeat("[", 64), `}`, false},
		{"ids, a value", ids, `{"C1": ["`, x, `"]}`, false},
		{"ids, blanks", ids, "{", strings.Repeat(" ", 64), "}", false},
		{"parents, equal rows", parents, "child\tparent\n", "EX:001\tEX:002\n", "", false},
		{"parents, one line", parents, "child\tparent\n", x, "", false},
		{"pmids, equal rows", excludePMIDs, "", "12345\n", "", false},
		{"texts, one line", link, `{"text":"`, x, "\"}\n", true},
		{"texts, lines", link, "", "He had [ENT] asthma [/ENT].\n", "", false},
		{"texts, blank lines", link, "{}\n", strings.Repeat("\n", 64), "", false},
		{"texts, malformed lines", link, "{}\n", "{\n", "", false},
		{"BioC, a text", link, document + "<passage><offset>0</offset><text>", "asthma ", "</text></passage></document></collection>", false},
		{"BioC, a comment", link, collection + "<!--", x, "--></collection>", false},
		{"BioC, an attribute", link, "<?xml version='1.0'?><collection a='", x, "'></collection>", false},
		{"BioC, passages", link, document, "<passage><offset>0</offset><text>a</text></passage>", "</document></collection>", false},
		{"BioC, infons", link, document, "<infon key='a'>b</infon>", "</document></collection>", false},
		{"BioC, open tags", link, collection, "<a>", "", false},
		{"BioC, open tags in a document", link, collection + "<document>", "<a>", "", false},
		{"BioC, a DOCTYPE", link, "<!DOCTYPE x [", "<!ENTITY a 'b'>", "]><collection></collection>", false},
		{"PubTator, a title", link, "1|t|", "asthma ", "\n\n", false},
		{"PubTator, mentions", link, "1|t|asthma\n", "1\t0\t6\tasthma\tDisease\tD1\n", "\n", true},
		{"PubTator, malformed lines", link, "1|t|asthma\n", "1\t0\t\n", "\n", false},
		{"PubTator, abstracts", link, "1|t|asthma\n", "1|a|x\n", "\n", false},
		{"gold, one line", gold, `{"text":"`, x, "\"}\n", false},
		{"gold, documents", gold, "", `{"text":"asthma","mentions":[{"start":0,"end":6,"ids":["EX:001"]}]}` + "\n", "", false},
		{"gold, documents without mentions", gold, "", `{"text":"asthma"}` + "\n", "", false},
		{"mesh, records", tag, "<DescriptorRecordSet>", meshRecord, "</DescriptorRecordSet>", false},
		{"mesh, terms", tag, "<DescriptorRecordSet><DescriptorRecord><DescriptorUI>D1</DescriptorUI><DescriptorName><String>a</String></DescriptorName><ConceptList><Concept><TermList>", "<Term><String>b</String></Term>", "</TermList></Concept></ConceptList></DescriptorRecord></DescriptorRecordSet>", false},
		{"mesh, elements between records", tag, "<DescriptorRecordSet>", "<a>b</a>", "</DescriptorRecordSet>", false},
		{"rdf, concepts", tag, rdfHead, rdfConcept, "</rdf:RDF>", false},
		{"rdf, labels", tag, rdfHead + `<skos:Concept rdf:about="http://example.org/c/1">`, "<skos:altLabel>b</skos:altLabel>", "</skos:Concept></rdf:RDF>", false},
		{"rdf, a label", tag, rdfHead + `<skos:Concept rdf:about="http://example.org/c/1"><skos:prefLabel>`, x, "</skos:prefLabel></skos:Concept></rdf:RDF>", false},
		{"rdf, other elements", tag, rdfHead, "<rdf:Description>a</rdf:Description>", "</rdf:RDF>", false},
		{"obograph, nodes", tag, `{"graphs": [{"nodes": [`, graphNode + ",", graphNode + "]}]}", false},
		{"obograph, edges", tag, `{"graphs": [{"nodes": [` + graphNode + `], "edges": [`, `{"sub": "http://example.org/A_1", "pred": "is_a", "obj": "http://example.org/A_1"},`, "{}]}]}", false},
		{"obograph, a value", tag, `{"graphs": [{"nodes": [{"id": "`, x, `"}]}]}`, false},
		{"obograph, other members", as("obograph"), `{"a": [`, "1,", `1], "graphs": []}`, false},
		{"scispacy, equal rows", tag, "", `{"concept_id": "C1", "canonical_name": "asthma", "aliases": ["b"], "types": ["T1"]}` + "\n", "", false},
		{"fhir, codes", tag, fhirHead, fhirCode + ",", fhirCode + "]}", false},
		{"fhir, codes in codes", tag, fhirHead, `{"code": "a", "display": "b", "concept": [`, "", false},
		{"fhir, a value", tag, fhirHead + `{"code": "`, x, `"}]}`, false},
		{"stop names, equal rows", dictFlag("--stop-names"), "", "asthma\n", "", false},
		{"BioC JSON, documents", linkOf("bioc-json"), `{"documents": [`, biocJSONText + ",", biocJSONText + "]}", false},
		{"BioC JSON, passages", linkOf("bioc-json"), `{"documents": [{"id": "1", "passages": [`, `{"offset": 0, "text": "a"},`, `{}]}]}`, false},
		{"BioC JSON, a text", linkOf("bioc-json"), `{"documents": [{"id": "1", "passages": [{"offset": 0, "text": "`, x, `"}]}]}`, false},
		{"CoNLL, a document", linkOf("conll"), "-DOCSTART- (1)\n\n", "asthma\tB-D\tD1\n", "\n", false},
		{"CoNLL, blank lines", linkOf("conll"), "a\tO\n", strings.Repeat("\n", 64), "\n", false},
		{"texts of a table, a cell", linkOf("csv"), "id,text\n1,\"", "asthma ", "\"\n", false},
		{"texts of a table, rows", linkOf("csv"), "id,mention\n", "1,asthma\n", "", false},
		{"texts of a table, rows of a document", linkOf("csv"), "id,text,start,end\n", "1,asthma,0,6\n", "", false},
		{"JATS, paragraphs", tagOf("jats"), jatsHead, "<p>asthma</p>", "</sec></body></article>", false},
		{"JATS, open tags", tagOf("jats"), jatsHead, "<sec>", "", false},
		{"PubMed XML as texts, an abstract", tagOf("pubmed"), record, "asthma and so on. ", recordEnd, false},
		{"plain, a text", tagOf("plain"), "", "asthma and so on. ", "", false},
		{"plain, short forms", tagOf("plain"), "", "high blood pressure (HBP). ", "", false},
		{"word-vectors, texts", wordVectorsOf, "", `{"text":"asthma and so on"}` + "\n", "", false},
		{"predictions, one line", comparison, "{", x, "}\n", false},
		{"dict check, names", func(l *lab, path string) []string { return l.ctxnorm("dict", "check", path) }, "id\tname\n", "C1\tasthma\n", "", false},
	}
}

// floodCases try inputs that do not end, entities that expand, and deep nesting. A
// program that is still reading at the limit of time, in bounded memory, passes.
func floodCases(l *lab) []hostileCase {
	var all []hostileCase
	for _, f := range floods(l) {
		if l.settings.Short && !f.short {
			continue
		}
		all = append(all, hostileCase{class: "flood", name: f.name, run: func(l *lab, dir string) error {
			path := filepath.Join(dir, "flood.gz")
			if err := f.write(path); err != nil {
				return err
			}
			o, err := l.run(command{args: f.args(l, path), dir: dir, stdin: "x\n"})
			if err != nil {
				return err
			}
			if strings.HasPrefix(o.exceeded, "not done after") {
				return noteError("still reading: " + o.exceeded)
			}
			if err := o.fault(); err != nil {
				return err
			}
			return noteError(fmt.Sprintf("exit status %d, %.0f MiB, %.1f s: %s", o.exit, o.peakMB, o.seconds, o.message()))
		}})
	}
	for _, f := range nested(l) {
		all = append(all, hostileCase{class: "flood", name: f.name, run: func(l *lab, dir string) error {
			path := filepath.Join(dir, "nested")
			if err := os.WriteFile(path, []byte(f.head), 0o644); err != nil {
				return err
			}
			o, err := l.run(command{args: f.args(l, path), dir: dir, stdin: "x\n"})
			if err == nil {
				err = o.fault()
			}
			if err == nil && bytes.Contains(o.stdout, []byte("root:")) {
				err = fmt.Errorf("the output has the text of another file")
			}
			return err
		}})
	}
	return all
}

// nested returns inputs, in head, that are small and grow when they are read.
func nested(l *lab) []flood {
	byName := map[string]func(l *lab, path string) []string{}
	for _, f := range floods(l) {
		format, _, _ := strings.Cut(f.name, ",")
		byName[format] = f.args
	}
	var laughs strings.Builder
	laughs.WriteString("<!DOCTYPE lolz [<!ENTITY lol 'lol'>")
	previous := "lol"
	for i := range 9 {
		name := fmt.Sprintf("lol%d", i+1)
		fmt.Fprintf(&laughs, "<!ENTITY %s '%s'>", name, strings.Repeat("&"+previous+";", 10))
		previous = name
	}
	laughs.WriteString("]>")
	const external = "<!DOCTYPE a [<!ENTITY lol9 SYSTEM 'file:///etc/passwd'>]>"
	record := func(doctype string) string {
		return "<?xml version='1.0'?>" + doctype + "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>&lol9;</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
	}
	document := func(doctype string) string {
		return "<?xml version='1.0'?>" + doctype + "<collection><document><id>1</id><passage><offset>0</offset><text>&lol9;</text></passage></document></collection>"
	}
	const deep = 1_000_000
	nest := func(format, name, text string) flood {
		return flood{name: format + ", " + name, args: byName[format], head: text}
	}
	return []flood{
		nest("PubMed XML", "entities that expand", record(laughs.String())),
		nest("BioC", "entities that expand", document(laughs.String())),
		nest("PubMed XML", "an external entity", record(external)),
		nest("BioC", "an external entity", document(external)),
		nest("PubMed XML", "a million levels", "<PubmedArticleSet>"+strings.Repeat("<a>", deep)),
		nest("PubMed XML", "a million levels in a title", "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>"+strings.Repeat("<i>", deep)),
		nest("BioC", "a million passages deep", "<?xml version='1.0'?><collection><document>"+strings.Repeat("<passage>", deep)),
		nest("BioC", "a million sentences deep", "<?xml version='1.0'?><collection><document><passage>"+strings.Repeat("<sentence>", deep)),
		nest("jsonl", "a million levels", `{"id": `+strings.Repeat("[", deep)),
		nest("json", "a million levels", `{"a": `+strings.Repeat("[", deep)+strings.Repeat("]", deep)+"}"),
		nest("texts", "a million levels", `{"text": "a", "x": `+strings.Repeat("[", deep)+strings.Repeat("]", deep)+"}\n"),
		nest("ids", "a million levels", strings.Repeat(`{"a":`, deep)),
	}
}
