package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const biocPrefix = "<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE collection SYSTEM 'BioC.dtd'>\n<collection>\n"

// biocMention returns an annotation with one location.
func biocMention(offset, length, text string, infons ...string) string {
	var b strings.Builder
	b.WriteString("<annotation>")
	for i := 0; i < len(infons); i += 2 {
		b.WriteString(`<infon key="` + infons[i] + `">` + infons[i+1] + "</infon>")
	}
	return b.String() + "<location offset='" + offset + "' length='" + length + "'/><text>" + text + "</text></annotation>\n"
}

func TestBioC(t *testing.T) {
	content := biocPrefix + "<document><id> 1 </id>" +
		"<passage><offset>0</offset><text>Naïve &amp; tum</text>" +
		biocMention("0", "5", "Naïve", "type", "Chemical", "MESH", "-1") +
		"</passage>" +
		"<passage><offset>100</offset>" + // larger than the length of the title
		"<sentence><offset>100</offset><text>One.</text></sentence>" +
		"<sentence><offset>105</offset><text>Two cancers.</text>" +
		biocMention("105", "11", "Two cancers", "type", "Disease", "CompositeRole", "CompositeMention", "MESH", "D1|D2") +
		biocMention("105", "3", "Two", "type", "Disease", "CompositeRole", "IndividualMention", "MESH", "D1") +
		"</sentence></passage></document>\n" +
		"<document><id>2</id><passage><offset>0</offset><text>x</text></passage></document></collection>"
	docs, problems := readText(t, content, "")
	if len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
	if len(docs) != 2 || docs[0].ID != "1" || docs[1].ID != "2" {
		t.Fatalf("got documents %+v", docs)
	}
	if want := "Naïve & tum One. Two cancers."; docs[0].Text != want {
		t.Errorf("got text %q, want %q", docs[0].Text, want)
	}
	want := []mention{
		{"Naïve", "Chemical", nil, false},
		{"Two cancers", "Disease", ids{"D1", "D2"}, true},
	}
	if diff := cmp.Diff(want, mentionsOf(docs[0])); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
}

func TestBioCProblems(t *testing.T) {
	content := biocPrefix + // two lines
		"<document><id>1</id><passage><offset>0</offset><text>A tumor</text>\n" + // line 3
		biocMention("2", "5", "tumour", "type", "Disease") + // line 4
		biocMention("2", "x", "tumor", "type", "Disease") +
		"<annotation><text>two places</text><location offset='0' length='1'/><location offset='2' length='5'/></annotation>\n" +
		biocMention("2", "5", "tumor", "type", "Disease", "MESH", "D1") +
		"</passage></document>\n" +
		"<document><id>1</id><passage><offset>0</offset><text>A tumor</text></passage></document>\n" + // line 9: a duplicate
		"<document><id>1</id><passage><offset>0</offset><text>Other</text></passage></document>\n" +
		"<document><id>2</id></wrong>\n"
	duplicates := 0
	docs, problems := readAll(t, NewReader(strings.NewReader(content), "file", countingDuplicates(&duplicates)))
	want := []string{
		`file:4: mention at 2-7: the mention says "tumour", the text "tumor"`,
		`file:5: mention "tumor": want whole numbers as offsets and length, got "0", "2" and "x"`,
		`file:6: mention at 0-7: the mention says "two places", the text "A tumor"`,
		`file:10: document "1" has another text at line 3`,
		"file:11: want XML, got element <document> closed by </wrong>",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if len(docs) != 1 || len(docs[0].Mentions) != 1 || duplicates != 1 {
		t.Errorf("%d duplicates, documents %+v", duplicates, docs)
	}
}

// TestBioCAnnotationOfDocument has annotations that are in no passage, of XML and JSON.
func TestBioCAnnotationOfDocument(t *testing.T) {
	for _, content := range []string{
		"<collection><document><id>1</id><passage><offset>0</offset><text>A tumor</text></passage>" +
			"<annotation id='a'><location offset='2' length='5'/><text>tumor</text></annotation></document></collection>",
		`{"documents": [{"id": "1", "passages": [{"offset": 0, "text": "A tumor"}], "annotations": [{"id": "a", "text": "tumor", "locations": [{"offset": 2, "length": 5}]}]}]}`,
	} {
		docs, problems := readText(t, content, "")
		if want := []string{`file:1: annotation "a" is in the document, want it in a passage`}; len(docs) != 1 || !cmp.Equal(problems, want) {
			t.Errorf("%s: %d documents, problems %q, want %q", content, len(docs), problems, want)
		}
	}
}

// TestBioCDocumentOffsets has the two errors of BC5CDR: the abstract's offset counts
// "&apos;" as six characters, and a mention of the abstract is listed under the title.
func TestBioCDocumentOffsets(t *testing.T) {
	content := biocPrefix + "<document><id>1</id>" +
		"<passage><offset>0</offset><text>Parkinson&apos;s</text>" + // 11 characters, 16 as written
		biocMention("12", "3", "One", "type", "Disease", "MESH", "D1") +
		"</passage><passage><offset>17</offset><text>One tumor</text>" +
		biocMention("16", "5", "tumor", "type", "Disease", "MESH", "D2") +
		"</passage></document></collection>"
	docs, problems := readText(t, content, "")
	if len(problems) > 0 || len(docs) != 1 {
		t.Fatalf("got documents %+v, problems %q", docs, problems)
	}
	want := []mention{{"One", "Disease", ids{"D1"}, false}, {"tumor", "Disease", ids{"D2"}, false}}
	if diff := cmp.Diff(want, mentionsOf(docs[0])); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
}

func TestBioCInLatin1(t *testing.T) {
	content := "<?xml version='1.0' encoding='ISO-8859-1'?><collection><document><id>1</id><passage><offset>0</offset><text>na\xefve</text></passage></document></collection>"
	docs, problems := readText(t, content, "")
	if len(problems) > 0 || len(docs) != 1 || docs[0].Text != "naïve" {
		t.Errorf("got documents %+v, problems %q", docs, problems)
	}
}

// TestBioCJSONTypes: a member of another type is named, as the lists of texts of BigBio are.
func TestBioCJSONTypes(t *testing.T) {
	for content, want := range map[string]string{
		`{"id": "1", "passages": [{"offset": 0, "text": ["A flu."]}]}`: `file:1: document "1": want a string in text, got array`,
		`{"id": "1", "passages": {"text": "A flu."}}`:                  `file:1: document "1": want a list in passages, got object`,
	} {
		_, problems := readText(t, content, BioCJSON)
		if len(problems) != 1 || problems[0] != want {
			t.Errorf("%s: problems %q, want %s", content, problems, want)
		}
	}
}
