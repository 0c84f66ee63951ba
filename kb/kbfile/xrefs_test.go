package kbfile

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Every format that has identifiers in other vocabularies has those of A:1, and no others.
func TestXrefs(t *testing.T) {
	const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
 xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:o="http://www.geneontology.org/formats/oboInOwl#"
 xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<owl:Class rdf:about="http://purl.obolibrary.org/obo/A_1"><rdfs:label>river fever</rdfs:label><o:hasDbXref>M:1</o:hasDbXref>
<skos:exactMatch rdf:resource="http://purl.obolibrary.org/obo/M_2"/></owl:Class>
<owl:Axiom><owl:annotatedSource rdf:resource="http://purl.obolibrary.org/obo/A_1"/><o:hasDbXref>PMID:9</o:hasDbXref></owl:Axiom>
</rdf:RDF>`
	for name, content := range map[string]string{
		"obo": "[Term]\nid: A:1\nname: river fever\nsynonym: \"RF\" EXACT [PMID:9]\n" +
			"xref: M:2 \"river {fever}\" {source=\"x\"} ! fever\nxref: M:1\nxref: A:1\n",
		"graph": `{"graphs":[{"nodes":[{"id":"http://purl.obolibrary.org/obo/A_1","lbl":"river fever","type":"CLASS",` +
			`"meta":{"definition":{"val":"x","xrefs":["PMID:9"]},"xrefs":[{"val":"M:1"},{"val":"http://purl.obolibrary.org/obo/M_2"}]}}]}]}`,
		"rdf":   rdf,
		"jsonl": `{"id": "A:1", "name": "river fever", "xrefs": ["M:2", "M:1", "M:1"]}` + "\n",
		"table": "id\tname\tdatabase_cross_reference\nA:1\triver fever\tM:1|M:2\n",
	} {
		checkXrefs(t, name, content, "A:1", "M:1", "M:2")
	}
	checkXrefs(t, "mrconso", "C0000001|ENG|P|L1|PF|S1|Y|A1||||M|PT|1|River fever|0|N||\n"+
		"C0000001|ENG|S|L2|PF|S2|Y|A2||||M|SY|1|RF|0|N||\nC0000001|ENG|S|L3|PF|S3|Y|A3||||N|SY|NOCODE|Fever|0|N||\n"+
		"C0000001|ENG|S|L4|PF|S4|Y|A4||||O|SY|2|River|0|O||\nC0000001|GER|S|L4|PF|S4|Y|A4||||P|SY|2|Fluss|0|N||\n",
		"C0000001", "M:1")
	checkXrefs(t, "gene_info", "#tax_id\tGeneID\tSymbol\tSynonyms\tdbXrefs\tdescription\ttype_of_gene\n"+
		"9606\t1\tRF\t-\tM:1|M:M:2\triver\tx\n", "1", "M:1", "M:M:2")
	checkXrefs(t, "gene_info", "#tax_id\tGeneID\tSymbol\tSynonyms\tdbXrefs\tdescription\ttype_of_gene\n"+
		"9606\t1\tRF\t-\t-\triver\tx\n", "1")
}

// checkXrefs compares the identifiers in other vocabularies of a concept with those wanted, also when the dictionary
// was written and read again.
func checkXrefs(t *testing.T, name, content string, id kb.ConceptID, want ...kb.ConceptID) {
	t.Helper()
	dir := t.TempDir()
	for i, path := range []string{filepath.Join(dir, "dictionary"), filepath.Join(dir, "again.jsonl")} {
		if i == 0 {
			if err := os.WriteFile(path, bytes.TrimSpace([]byte(content)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d, report, err := Read(path, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := d.Lookup(id)
		if c == nil {
			t.Fatalf("%s: there is no %s", name, id)
		}
		if diff := cmp.Diff(want, c.Xrefs); diff != "" || report.Xrefs != len(want) || d.Lookup("M:1") != nil {
			t.Errorf("%s: %d are reported (-want +got):\n%s", name, report.Xrefs, diff)
		}
		if err := Write(filepath.Join(dir, "again.jsonl"), d); err != nil {
			t.Fatal(err)
		}
	}
}
