package kbfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/kb"
)

// flood is a file of a head and a repeated unit, up to 256 MiB. It counts the bytes read.
type flood struct {
	head, unit string
	read       int
}

const floodSize = 256 << 20

func (f *flood) Read(p []byte) (int, error) {
	if f.read > floodSize {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) {
		if at := f.read + n; at < len(f.head) {
			n += copy(p[n:], f.head[at:])
		} else {
			n += copy(p[n:], f.unit[(at-len(f.head))%len(f.unit):])
		}
	}
	f.read += n
	return n, nil
}

// TestFloods reads endless files. Each reader stops with an error that names the limit and the line or byte, after
// reading little more than the limit.
func TestFloods(t *testing.T) {
	limits := files.Limits{Line: 1 << 18, Record: 1 << 18, InMemory: 1 << 20}
	tests := []struct {
		name       string
		head, unit string
		format     Format
		field      string // of files.Limits
	}{
		{"TSV, equal rows", "id\tname\n", "C1\tasthma\n", "", "InMemory"},
		{"TSV, comments", "", "# id\tname\n", TSV, "Record"},
		{"CSV, equal rows", "id,name\n", "C1,asthma\n", "", "InMemory"},
		{"CSV, long rows", "id,name,note\n", "C1,a," + strings.Repeat("x", 1<<17) + "\n", "", "InMemory"},
		{"OBO, a stanza", "format-version: 1.2\n[Term]\nid: A:1\nname: a\n", "synonym: \"b\" EXACT []\n", "", "Record"},
		{"OBO, a continued line", "format-version: 1.2\n[Term]\nid: A:1\nname: a", "b\\\n", "", "Record"},
		{"OBO, stanzas", "format-version: 1.2\n", "[Term]\nid: A:1\nname: a\n\n", "", "InMemory"},
		{"MRCONSO, rows of a concept", "", "C0000001|ENG|P|L001|PF|S001|Y|A001||M001|D00|MSH|MH|D00|asthma|0|N|256|\n", "", "InMemory"},
		{"JSON lines, equal rows", "", "[\"asthma\", [\"C1\"]]\n", "", "InMemory"},
		{"JSON, a value", `{"C1": ["`, "x", formatJSON, "Record"},
		{"JSON, members", "{", `"C1": ["asthma"],`, formatJSON, "InMemory"},
		{"JSON, blanks", "{", " ", formatJSON, "Record"},
		{"MRCONSO, languages", "", mrconsoLanguages(), "", "InMemory"},
		{"scispaCy, equal lines", "", "{\"concept_id\": \"C1\", \"aliases\": [\"asthma\"]}\n", "", "InMemory"},
		{"MeSH, a record", "<DescriptorRecordSet><DescriptorRecord>", "<TreeNumberList/>", "", "Record"},
		{"MeSH, a comment", "<DescriptorRecordSet><!--", "x", "", "Record"},
		{"MeSH, records", "<DescriptorRecordSet>", "<DescriptorRecord><DescriptorUI>D1</DescriptorUI></DescriptorRecord>", "", "InMemory"},
		{"MeSH, in another encoding", `<?xml version="1.0" encoding="iso-8859-1"?><DescriptorRecordSet><DescriptorRecord>`, "<a>\xe9</a>", "", "Record"},
		{"MeSH, tree numbers", "<DescriptorRecordSet>", "<DescriptorRecord><DescriptorUI>D1</DescriptorUI><TreeNumberList><TreeNumber>C01.1</TreeNumber></TreeNumberList></DescriptorRecord>", "", "InMemory"},
		{"RDF, a resource", rdfHead + "<owl:Class>", "<rdfs:label>a</rdfs:label>", "", "Record"},
		{"RDF, resources", rdfHead, "<owl:Class rdf:about='http://example.org/1'><rdfs:label>heart attack</rdfs:label></owl:Class>", "", "InMemory"},
		{"RDF, entities", `<!DOCTYPE a [<!ENTITY a "` + strings.Repeat("x", 4000) + `">]>` + rdfHead + "<owl:Class rdf:about='http://example.org/1'><rdfs:label>", "&a;", "", "Record"},
		{"OBO Graphs, a node", `{"graphs": [{"nodes": [{"lbl": "`, "x", "", "Record"},
		{"OBO Graphs, edges", `{"graphs": [{"edges": [`, `{"sub": "A:1", "pred": "is_a", "obj": "A:2"},`, "", "InMemory"},
		{"OBO Graphs, a skipped string", `{"graphs": [{"meta": {"a": "`, "x", "", "Record"},
		{"FHIR, a concept", `{"resourceType": "CodeSystem", "concept": [{"designation": [`, `{"value": "a"},`, "", "Record"},
		{"FHIR, concepts", `{"resourceType": "CodeSystem", "concept": [`, `{"code": "1"},`, "", "InMemory"},
		{"FHIR, concepts below one", `{"resourceType": "CodeSystem", "concept": [{"code": "0", "concept": [`, `{"code": "1", "property": [{"code": "inactive", "valueBoolean": true}]},`, "", "InMemory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			source := &flood{head: test.head, unit: test.unit}
			_, _, err := read(bufio.NewReaderSize(source, 64<<10), "d.txt", Options{Format: test.format, Limits: limits})
			var limit *files.LimitError
			if !errors.As(err, &limit) || limit.Field != test.field {
				t.Fatalf("error %v, want one of Limits.%s", err, test.field)
			}
			if text := err.Error(); !strings.HasPrefix(text, "d.txt: ") || !strings.Contains(text, "line ") && !strings.Contains(text, "byte ") || !strings.Contains(text, "Limits."+test.field) {
				t.Errorf("error %q, want one that names the file, the line and the limit", text)
			}
			if source.read > 4<<20 {
				t.Errorf("%d MiB were read, want at most 4", source.read>>20)
			}
		})
	}
}

const rdfHead = `<rdf:RDF xmlns:rdf="` + rdfNS + `" xmlns:owl="http://www.w3.org/2002/07/owl#" ` +
	`xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">`

// mrconsoLanguages returns rows of MRCONSO, each in a language of its own.
func mrconsoLanguages() string {
	var rows strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&rows, "C0000001|X%d|P|L001|PF|S001|Y|A001||M001|D00|MSH|MH|D00|asthma|0|N|256|\n", i)
	}
	return rows.String()
}

// TestNesting reads XML and JSON that open nested elements forever outside concepts.
func TestNesting(t *testing.T) {
	for name, test := range map[string]struct{ head, unit, want string }{
		"MeSH":       {"<DescriptorRecordSet>", "<a>", "d.txt:1: want elements nested at most 1000 deep, got more"},
		"RDF":        {rdfHead, "<rdf:RDF>", "d.txt:1: want elements nested at most 1000 deep, got more"},
		"RDF, nodes": {rdfHead, "<owl:Class><rdfs:subClassOf>", "d.txt:1: want elements nested at most 1000 deep, got more"},
		"OBO Graphs": {`{"graphs": [{"meta": `, "[", "d.txt:1: want JSON, got exceeded max depth"},
		"FHIR":       {`{"resourceType": "CodeSystem", "concept": [`, `{"concept": [`, "d.txt:1: want JSON, got exceeded max depth"},
	} {
		_, _, err := read(bufio.NewReaderSize(&flood{head: test.head, unit: test.unit}, 64<<10), "d.txt", Options{})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", name, err, test.want)
		}
	}
	for name, test := range map[string]struct{ head, unit, tail string }{ // sibling elements are not deep
		"RDF":   {rdfHead, "<owl:Class rdf:about='http://example.org/1'/>", "</rdf:RDF>"},
		"ClaML": {"<ClaML>", "<Class code='A00' kind='category'/>", "</ClaML>"},
	} {
		body := test.head + strings.Repeat(test.unit, maxDepth+1) + test.tail
		if d, _, err := read(bufio.NewReader(strings.NewReader(body)), "d.xml", Options{}); err != nil || d.Len() != 1 {
			t.Errorf("%s: %v, want one concept", name, err)
		}
	}
}

// TestBelowOneConcept reads a concept that is larger than a record only because of its descendants.
func TestBelowOneConcept(t *testing.T) {
	below := strings.TrimSuffix(strings.Repeat(`{"code": "1", "display": "a"}, `, 2000), ", ")
	for name, head := range map[string]string{
		"CodeSystem": `{"resourceType": "CodeSystem", "concept": [{"concept": [` + below + `], "code": "0"}]}`,
		"include":    `{"resourceType": "ValueSet", "compose": {"include": [{"concept": [` + below + `], "system": "s"}]}}`,
		"expansion":  `{"resourceType": "ValueSet", "expansion": {"contains": [{"contains": [` + below + `]}]}}`,
	} {
		d, report, err := read(bufio.NewReader(strings.NewReader(head)), "d.json", Options{Limits: files.Limits{Record: 10_000}})
		if err != nil || report.Rows < 2000 || d.Lookup("1").Name != "a" {
			t.Errorf("%s: %v, %+v, want 2,000 rows", name, err, report)
		} else if name == "CodeSystem" && !slices.Equal(d.Lookup("1").Parents, []kb.ConceptID{"0"}) {
			t.Errorf("parents %q, want 0", d.Lookup("1").Parents)
		}
	}
	two := `{"resourceType": "ValueSet", "compose": {"include": [{"concept": [{"code": "1"}], "system": "s"}, {"system": "t", "concept": [{"code": "1"}]}]}}`
	_, _, err := read(bufio.NewReader(strings.NewReader(two)), "d.json", Options{})
	if err == nil || !strings.Contains(err.Error(), "of s and of t") {
		t.Errorf("error %v, want one that names both systems", err)
	}
}

// TestIDsTakeMemory checks that the overhead of one-byte ids counts.
func TestIDsTakeMemory(t *testing.T) {
	for _, header := range []string{"alt_ids", "xrefs", "parents"} {
		text := "id\tname\t" + header + "\nC1\tasthma\t" + strings.Repeat("1|", 10_000) + "\n"
		_, report, err := read(bufio.NewReader(strings.NewReader(text)), "d.tsv", Options{})
		if err != nil || report.Memory < 10_000*(idCost+2) {
			t.Errorf("%s: %v, %d bytes of memory", header, err, report.Memory)
		}
	}
}

// TestLimitOfSeveralDictionaries checks that dictionaries that are joined share one limit.
func TestLimitOfSeveralDictionaries(t *testing.T) {
	text := strings.Repeat("C1\tasthma\n", 100)
	open := func(opts Options) (*Report, error) {
		_, report, err := read(bufio.NewReader(strings.NewReader(text)), "d.tsv", opts)
		return report, err
	}
	first, err := open(Options{})
	if err != nil || first.Memory < int64(len(text)) {
		t.Fatalf("%v, %d bytes of memory, want at least those of the text", err, first.Memory)
	}
	limits := files.Limits{InMemory: 2 * first.Memory}
	second, err := open(Options{Memory: first.Memory, Limits: limits})
	if err != nil || second.Memory != 2*first.Memory {
		t.Fatalf("%v, %d bytes of memory, want %d", err, second.Memory, 2*first.Memory)
	}
	var limit *files.LimitError
	if _, err := open(Options{Memory: second.Memory, Limits: limits}); !errors.As(err, &limit) || limit.Limit != limits.InMemory {
		t.Errorf("error %v, want one of Limits.InMemory %d", err, limits.InMemory)
	}
}

// TestLongCellsAreQuick reads cells of maximum length in linear time.
func TestLongCellsAreQuick(t *testing.T) {
	const n = 1 << 20
	if names := namesIn(strings.Repeat("&a;", n), ";"); len(names) != 1 {
		t.Errorf("%d names of entities, want one", len(names))
	}
	text := "id\tname\tsynonyms\n" + strings.Repeat("C1|", n) + "\tasthma\t" + strings.Repeat("a|", n) + "\n"
	_, _, err := read(bufio.NewReader(strings.NewReader(text)), "d.tsv", Options{Limits: files.Limits{InMemory: 64 << 20}})
	if _, ok := errors.AsType[*files.LimitError](err); !ok {
		t.Errorf("error %v, want one of Limits.InMemory", err)
	}
}

// TestFloodsOfOtherFiles checks the limits for a hierarchy and a map of ids.
func TestFloodsOfOtherFiles(t *testing.T) {
	limits := files.Limits{InMemory: 1 << 16}
	write := func(content string) string { return writeFile(t, "f", content) }
	_, _, parents := ReadParents(write(strings.Repeat("EX:001\tEX:002\n", 10_000)), limits)
	_, _, trees := ReadParents(write("MESH_ID\tTreeNumbers\n"+strings.Repeat("D1\tC18.452\n", 10_000)), limits)
	_, ids := ReadConceptMap(write("{"+strings.Repeat(`"C1": ["D1"],`, 10_000)+`"C2": []}`), limits)
	for what, err := range map[string]error{"parents": parents, "tree numbers": trees, "ids": ids} {
		var limit *files.LimitError
		if !errors.As(err, &limit) || limit.Field != "InMemory" {
			t.Errorf("%s: error %v, want one of Limits.InMemory", what, err)
		}
	}
}
