package kbfile

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

// TestMembersAreExact reads JSON in which a member differs from one of the format by its case alone: it is another
// member.
func TestMembersAreExact(t *testing.T) {
	for content, want := range map[string]kb.Concept{
		`{"graphs":[{"nodes":[{"id":"X:1","lbl":"fever","LBL":"x","type":"CLASS","meta":{"synonyms":[{"pred":"p","val":"heat","VAL":"y"}]}}],
"edges":[{"sub":"X:1","pred":"is_a","obj":"X:1","OBJ":"X:2"}]}]}`: {ID: "X:1", Name: "fever", Synonyms: []string{"heat"}},
		`{"concept_id":"C1","canonical_name":"fever","Canonical_Name":"x","aliases":["heat"],"ALIASES":[]}`:                                              {ID: "C1", Name: "fever", Synonyms: []string{"heat"}},
		`{"resourceType":"CodeSystem","concept":[{"code":"1","Code":"2","display":"fever","DISPLAY":"x","designation":[{"value":"heat","Value":"y"}]}]}`: {ID: "1", Name: "fever", Synonyms: []string{"heat"}},
		`{"id":"1","ID":"2","name":"fever","synonyms":["heat"],"Synonyms":["x"]}`:                                                                        {ID: "1", Name: "fever", Synonyms: []string{"heat"}},
	} {
		d, _, err := Read(writeFile(t, "file", content), Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", content, err)
		} else if diff := cmp.Diff([]kb.Concept{want}, concepts(d), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", content, diff)
		}
	}
	for content, want := range map[string]string{
		`{"id":"1","name":"fever","name":"heat"}`:                                              `want each member of an object once, got another "name"`,
		`{"graphs":[{"nodes":[{"id":"X:1","lbl":"a","lbl":"b"}]}]}`:                            `want each member of an object once, got another "lbl"`,
		`{"concept_id":"C1","canonical_name":"fever","canonical_name":"heat","aliases":["a"]}`: `want each member of an object once, got another "canonical_name"`,
	} {
		if _, _, err := Read(writeFile(t, "file", content), Options{Strict: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", content, err, want)
		}
	}
}

// TestOBOSynonyms reads the text, the scope and what may follow of a synonym, as the grammar of OBO 1.4 has them.
func TestOBOSynonyms(t *testing.T) {
	for line, want := range map[string]string{ // "" for a malformed line, "-" for a name of another concept
		`synonym: "a" EXACT []`:                                      "a",
		`synonym: "a \"b\" c" RELATED [X:1, X:2 "text ]"]`:           `a "b" c`,
		`synonym: "a" EXACT ABBREVIATION [X:1] {x="y", z="[1]"} ! c`: "a",
		`synonym: "a" []`:                                            "a",
		`synonym: "a"`:                                               "a",
		`synonym: "a" exact []`:                                      "a",
		`synonym: "a" NARROW []`:                                     "-",
		`exact_synonym: "a" [X:1]`:                                   "a",
		`broad_synonym: "a" []`:                                      "-",
		`synonym: "a"b" EXACT []`:                                    "",
		`synonym: "a" b" EXACT []`:                                   "",
		`synonym: "a" EXACT b" []`:                                   "",
		`synonym: "a" SIMILAR []`:                                    "",
		`synonym: a EXACT []`:                                        "",
		`synonym: "a EXACT []`:                                       "",
	} {
		text := "format-version: 1.4\n\n[Term]\nid: X:1\nname: n\n" + line + "\n"
		d, report, err := Read(writeFile(t, "file", text), Options{})
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got := strings.Join(d.At(0).Synonyms, "|")
		if got == "" && report.OtherScope == 1 {
			got = "-"
		}
		if got != want || report.BadRows > 0 != (want == "") {
			t.Errorf("%s: %q and %d malformed rows, want %q", line, got, report.BadRows, want)
		}
	}
}

// TestOBOValues leaves qualifiers and comments out of values, and keeps braces of names.
func TestOBOValues(t *testing.T) {
	for value, want := range map[string]string{
		`X:2 {source="A \"b\" {c}", cardinality="1"} ! comment`: "X:2", `X:2 ! comment {x="y"}`: "X:2", `X:2 {x="y"}`: "X:2",
		`acid {bound} form`: "acid {bound} form", `acid {a=b}`: "acid {a=b}", `what! now`: "what! now", `a\{b\!c`: "a{b!c",
	} {
		if got := oboValue(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

// TestReplaced reads identifiers of terms that are not in use anymore and lead to the one in their place, if that is in
// use.
func TestReplaced(t *testing.T) {
	obo := "format-version: 1.4\n"
	for id, tags := range map[string]string{
		"1": "is_obsolete: true\nreplaced_by: X:2\nalt_id: X:0", "2": "is_obsolete: true\nreplaced_by: X:3 {source=\"a\"} ! c", "3": "name: c",
		"4": "is_obsolete: true\nreplaced_by: X:3\nreplaced_by: X:6", "5": "is_obsolete: true\nconsider: X:3", "6": "name: f",
		"7": "is_obsolete: true\nreplaced_by: X:8", "8": "is_obsolete: true\nreplaced_by: X:7",
	} {
		obo += "\n[Term]\nid: X:" + id + "\n" + tags + "\n"
	}
	graph := `{"graphs":[{"nodes":[{"id":"http://purl.obolibrary.org/obo/X_3","lbl":"c","type":"CLASS"}`
	owl := rdfHead + "<owl:Class rdf:about='http://purl.obolibrary.org/obo/X_3'><rdfs:label>c</rdfs:label></owl:Class>"
	for old, by := range map[string]string{"0": "3", "1": "2", "2": "3", "7": "8", "8": "7"} {
		graph += `,{"id":"http://purl.obolibrary.org/obo/X_` + old + `","type":"CLASS","meta":{"deprecated":true,"basicPropertyValues":[` +
			`{"pred":"http://purl.obolibrary.org/obo/IAO_0100001","val":"http://purl.obolibrary.org/obo/X_` + by + `"}]}}`
		owl += "<owl:Class rdf:about='http://purl.obolibrary.org/obo/X_" + old + "'><owl:deprecated>true</owl:deprecated>" +
			"<obo:IAO_0100001 xmlns:obo='http://purl.obolibrary.org/obo/' rdf:resource='http://purl.obolibrary.org/obo/X_" + by + "'/></owl:Class>"
	}
	for _, text := range []string{obo, graph + "]}]}", owl + "</rdf:RDF>"} {
		d, report, err := Read(writeFile(t, "file", text), Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		c := d.Lookup("X:1")
		if c == nil || c.ID != "X:3" || !slices.Equal(c.AltIDs, (ids{"X:0", "X:1", "X:2"})) || report.Replaced != 3 {
			t.Errorf("%s: X:1 is %v, %d replaced, want X:3, with X:0, X:1 and X:2", report.Format, c, report.Replaced)
		}
		for _, id := range (ids{"X:4", "X:5", "X:7", "X:8"}) {
			if c := d.Lookup(id); c != nil {
				t.Errorf("%s: %s is %v, want none", report.Format, id, c)
			}
		}
	}
}

// TestRDFVocabularies reads the ways in which vocabularies in RDF name concepts, and say that they are not in use.
func TestRDFVocabularies(t *testing.T) {
	const head = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:xl="http://www.w3.org/2008/05/skos-xl#"
xmlns:oio="http://www.geneontology.org/formats/oboInOwl#" xmlns:efo="http://www.ebi.ac.uk/efo/" xmlns:schema="http://schema.org/"
xmlns:ncit="http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#" xmlns:x="http://x/">`
	for name, test := range map[string]struct {
		body     string
		concepts []kb.Concept
		obsolete int
		other    map[string]int // properties that are not read
	}{
		"labels of SKOS-XL, in any form": {
			body: `<skos:Concept rdf:about="http://x/1"><xl:prefLabel rdf:resource="http://x/l1"/><xl:altLabel rdf:nodeID="l2"/></skos:Concept>
<xl:Label rdf:about="http://x/l1"><xl:literalForm xml:lang="en">river fever</xl:literalForm><xl:literalForm xml:lang="de">Flussfieber</xl:literalForm></xl:Label>
<xl:Label rdf:nodeID="l2"><xl:literalForm>kedani fever</xl:literalForm></xl:Label>
<skos:Concept rdf:about="http://x/2"><xl:prefLabel rdf:parseType="Resource"><xl:literalForm>stone fever</xl:literalForm></xl:prefLabel>
<xl:hiddenLabel><rdf:Description><xl:literalForm>ston fever</xl:literalForm></rdf:Description></xl:hiddenLabel></skos:Concept>`,
			concepts: []kb.Concept{
				{ID: "http://x/1", Name: "river fever", Synonyms: []string{"kedani fever"}},
				{ID: "http://x/2", Name: "stone fever", Synonyms: []string{"ston fever"}},
			},
		},
		"NCI Thesaurus": {
			body: `<owl:Class rdf:about="http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C1"><ncit:NHC0>C1</ncit:NHC0><ncit:P108>Glass Bone State</ncit:P108>
<ncit:P90>Brittle Skeleton Disorder</ncit:P90><ncit:P106>Disease or Syndrome</ncit:P106><ncit:P97>A state.</ncit:P97></owl:Class>
<owl:Class rdf:about="http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C2"><ncit:NHC0>C2</ncit:NHC0><ncit:P108>Old</ncit:P108><ncit:P310>Retired_Concept</ncit:P310></owl:Class>`,
			concepts: []kb.Concept{{
				ID: "C1", Name: "Glass Bone State", Synonyms: []string{"Brittle Skeleton Disorder"}, Types: []string{"Disease or Syndrome"},
				AltIDs: ids{"http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C1"},
			}},
			obsolete: 1,
			other:    map[string]int{"http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#P97": 1},
		},
		"other properties of names": {
			body: `<owl:Class rdf:about="http://x/1" x:nickname="flood"><rdfs:label>river fever</rdfs:label><efo:alternative_term>kedani fever</efo:alternative_term>
<schema:alternateName>flood fever</schema:alternateName><oio:hasSynonym>RF</oio:hasSynonym><x:nickname>Rivvy</x:nickname><rdfs:comment>No name.</rdfs:comment></owl:Class>`,
			concepts: []kb.Concept{{ID: "http://x/1", Name: "river fever", Synonyms: []string{"kedani fever", "flood fever", "RF"}}},
			other:    map[string]int{"http://x/nickname": 2},
		},
		"below an obsolete class, at any depth": {
			body: `<owl:Class rdf:about="http://www.geneontology.org/formats/oboInOwl#ObsoleteClass"><rdfs:label>Obsolete Class</rdfs:label></owl:Class>
<owl:Class rdf:about="http://x/2"><rdfs:label>b</rdfs:label><rdfs:subClassOf rdf:resource="http://x/1"/></owl:Class>
<owl:Class rdf:about="http://x/1"><rdfs:label>a</rdfs:label><rdfs:subClassOf rdf:resource="http://www.geneontology.org/formats/oboInOwl#ObsoleteClass"/></owl:Class>
<owl:DeprecatedClass rdf:about="http://x/3"><rdfs:label>c</rdfs:label></owl:DeprecatedClass><owl:Class rdf:about="http://x/4"><rdfs:label>d</rdfs:label></owl:Class>`,
			concepts: []kb.Concept{{ID: "http://x/4", Name: "d"}},
			obsolete: 3,
		},
		"a notation of several concepts": {
			body: `<skos:Concept rdf:about="http://x/a/1"><skos:notation>1</skos:notation><skos:prefLabel>river fever</skos:prefLabel></skos:Concept>
<skos:Concept rdf:about="http://x/b/1"><skos:notation>1</skos:notation><skos:prefLabel>femur</skos:prefLabel></skos:Concept>
<skos:Concept rdf:about="http://x/b/2"><skos:notation>2</skos:notation><skos:prefLabel>tibia</skos:prefLabel></skos:Concept>
<skos:Concept rdf:about="http://x/b/3"><owl:deprecated>true</owl:deprecated><skos:notation>2</skos:notation><skos:prefLabel>shin</skos:prefLabel></skos:Concept>`,
			concepts: []kb.Concept{
				{ID: "2", Name: "tibia", AltIDs: ids{"http://x/b/2"}},
				{ID: "http://x/a/1", Name: "river fever"}, {ID: "http://x/b/1", Name: "femur"},
			},
			obsolete: 1,
		},
	} {
		d, report, err := Read(writeFile(t, "file", head+test.body+"</rdf:RDF>"), Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(test.concepts, concepts(d), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: concepts (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(test.other, report.OtherProperties, cmpopts.EquateEmpty()); diff != "" || report.Obsolete != test.obsolete {
			t.Errorf("%s: %d obsolete, want %d; properties (-want +got):\n%s", name, report.Obsolete, test.obsolete, diff)
		}
	}
}

// TestObsoleteLabels leaves out concepts whose labels alone say that they are retired.
func TestObsoleteLabels(t *testing.T) {
	for _, text := range []string{
		"format-version: 1.2\n\n[Term]\nid: X:1\nname: river fever\n\n[Term]\nid: X:2\nname: obsolete stone fever\n",
		"id\tname\nX:1\triver fever\nX:2\tOBSOLETE: stone fever\n",
	} {
		d, report, err := Read(writeFile(t, "file", text), Options{})
		if err != nil || d.Len() != 1 || report.Obsolete != 1 {
			t.Errorf("%q: %v, %+v, %v, want river fever alone", text, d, report, err)
		}
	}
}
