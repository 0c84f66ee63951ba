package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

type ids = []kb.ConceptID

func TestPubTator(t *testing.T) {
	// The title has 9 characters in 10 bytes, so the abstract begins at character 10
	// and byte 11.
	const content = "\n" +
		"1|t|Naïve tum\r\n" +
		"1|a|A breast or ovarian \"X\" cancer.\r\n" +
		"1\t12\t20\tbreast o\tDisease\tD001943|D010051\tbreast cancer|ovarian cancer\r\n" +
		"1\t0\t5\tNaïve\tChemical\t-1\r\n" +
		"1\t30\t33\t X \tGene\t672\r\n" + // spaces for quotation marks
		"1\tCID\tD016651\tD003490\r\n" +
		"1\tAssociation\tD1\tD2\tNovel\r\n" +
		"\r\n" +
		"2|t|Only a title\n" +
		"2\t0\t4\tOnly\tDisease\n" +
		"3|t|\n" +
		"3|a|No title\n" +
		"3\t1\t3\tNo\tDisease\t D1 \n"
	docs, problems := readText(t, content, "")
	if len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
	var texts []string
	var mentions [][]mention
	for _, doc := range docs {
		texts = append(texts, doc.ID+": "+doc.Text)
		mentions = append(mentions, mentionsOf(doc))
	}
	wantTexts := []string{"1: Naïve tum A breast or ovarian \"X\" cancer.", "2: Only a title", "3:  No title"}
	if diff := cmp.Diff(wantTexts, texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	want := [][]mention{
		{
			{"Naïve", "Chemical", nil, false},
			{"breast o", "Disease", ids{"D001943", "D010051"}, true},
			{`"X"`, "Gene", ids{"672"}, false},
		},
		{{"Only", "Disease", nil, false}},
		{{"No", "Disease", ids{"D1"}, false}},
	}
	if diff := cmp.Diff(want, mentions); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
}

func TestPubTatorProblems(t *testing.T) {
	content := strings.Join([]string{
		/*  1 */ "1|t|A tumor",
		/*  2 */ "1|a|and more",
		/*  3 */ "1\t2\t8\ttumor\tDisease\tD1",
		/*  4 */ "1\t2\t7\ttumor\tDisease\tD1",
		/*  5 */ "1\t2\t99\ttumor\tDisease\tD1",
		/*  6 */ "1\t7\t2\ttumor\tDisease\tD1",
		/*  7 */ "1\t2x\t7\ttumor\tDisease\tD1",
		/*  8 */ "1\t2\t7\ttumor",
		/*  9 */ "9\t2\t7\ttumor\tDisease\tD1",
		/* 10 */ "1|a|too late",
		/* 11 */ "9|a|of another",
		/* 12 */ "na\xefve",
		/* 13 */ "",
		/* 14 */ "1|t|A tumor",
		/* 15 */ "1|a|and more",
		/* 16 */ "",
		/* 17 */ "1|t|Another text",
		/* 18 */ "",
		/* 19 */ "2\t2\t7\ttumor\tDisease\tD1",
		/* 20 */ "2\t2\t7\ttumor\tDisease\tD1",
		/* 21 */ "3|t|The last",
		/* 22 */ "3\tT1\tDisease\t4\t8\tlast",
	}, "\n")
	duplicates := 0
	docs, problems := readAll(t, NewReader(strings.NewReader(content), "file", countingDuplicates(&duplicates)))
	const columns = "want id, start, end, text, type and ids separated by tabs, got "
	want := []string{
		`file:3: mention at 2-8: the mention says "tumor", the text "tumor "`,
		"file:5: mention at 2-99: want a range within the 16 characters of the text", // 7 + 1 + 8
		"file:6: mention at 7-2: want a range within the 16 characters of the text",
		"file:7: " + columns + `the offsets "2x" and "7"`,
		"file:8: " + columns + `4 columns in "1\t2\t7\ttumor"`,
		`file:9: mention of document "9" within document "1"`,
		"file:10: abstract after a mention, want all mentions after the abstract",
		`file:11: abstract of document "9" within document "1"`,
		"file:12: want UTF-8, got byte 0xef at offset 2 (is the file Latin-1 or Shift-JIS?)",
		`file:17: document "1" has another text at line 1`,
		`file:19: want the title of a document (id|t|text), got "2\t2\t7\ttumor\tDisease\tD1"`,
		"file:22: " + columns + `"T1" and "Disease" before the offsets`,
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if len(docs) != 2 || len(docs[0].Mentions) != 1 || docs[1].ID != "3" {
		t.Errorf("got documents %+v", docs)
	}
	if duplicates != 1 {
		t.Errorf("%d duplicates, want 1", duplicates)
	}
}

func TestParseIDs(t *testing.T) {
	tests := []struct {
		text      string
		ids       ids
		composite bool
	}{
		{"", nil, false},
		{"-", nil, false},
		{"-1", nil, false},
		{"D001943", ids{"D001943"}, false},
		{" OMIM:312080 ", ids{"OMIM:312080"}, false},
		{"Asthma", ids{"Asthma"}, false},
		{"D001943|D010051", ids{"D001943", "D010051"}, true},
		{"D002544|-1", ids{"D002544"}, true},
		{"D001943,D010051", ids{"D001943", "D010051"}, true},
		{"D007153+D040181", ids{"D007153", "D040181"}, false},
		{"672;675", ids{"672", "675"}, false},
		{"c|DEL|4153|A", ids{"c|DEL|4153|A"}, false},
		{"c|SUB|G|IVS9+9|A", ids{"c|SUB|G|IVS9+9|A"}, false},
	}
	for _, test := range tests {
		got, composite := parseIDs(test.text)
		if !cmp.Equal(test.ids, got) || composite != test.composite {
			t.Errorf("%q: got %q, composite %t; want %q, %t", test.text, got, composite, test.ids, test.composite)
		}
	}
}
