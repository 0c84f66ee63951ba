package pubmed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/files"
)

// validRecord returns a well-formed record with this PMID.
func validRecord(pmid int) string {
	return fmt.Sprintf("<PubmedArticle><MedlineCitation><PMID>%d</PMID></MedlineCitation></PubmedArticle>", pmid)
}

// malformed lists inputs with the expected errors and PMIDs. The | in an input is not
// part of it: it marks the expected offset of the first error.
var malformed = []struct {
	name   string
	input  string
	reason []string
	pmids  string
}{
	{"mismatched tags", "<S><PubmedArticle><b>x<i>y|</b></i></PubmedArticle>" + validRecord(2) + "</S>",
		[]string{"</b> where </i> is expected"}, "2"},
	{"full text of PMC", "|<pmc-articleset><article><front/></article></pmc-articleset>",
		[]string{"<pmc-articleset> has no PubMed records, want <PubmedArticleSet>"}, ""},
	{"answer of eSearch", "\n|<eSearchResult><Count>2</Count><IdList><Id>1</Id></IdList></eSearchResult>",
		[]string{"<eSearchResult> has no PubMed records, want <PubmedArticleSet>"}, ""},
	{"error of E-utilities", "<eFetchResult>|<ERROR>Cannot retrieve query from history &amp; more</ERROR></eFetchResult>",
		[]string{`the server answered with an error: "Cannot retrieve query from history & more"`}, ""},
	{"error between records", "<S>" + validRecord(1) + "|<ERROR>Timeout</ERROR>" + validRecord(2) + "</S>",
		[]string{`the server answered with an error: "Timeout"`}, "1 2"},
	{"record without an end tag", "<S>" + validRecord(1) + "<PubmedArticle><b/>|<PubmedArticle></PubmedArticle>" + validRecord(3) + "</S>",
		[]string{"<PubmedArticle> within <PubmedArticle>, which has no end", "record without a PMID"}, "1 3"},
	{"record in a record without an end tag", "<S><PubmedArticle><MedlineCitation>|" + validRecord(2) + "</S>",
		[]string{"<PubmedArticle> within <MedlineCitation>, which has no end"}, "2"},
	{"last record without an end tag", "<S>" + validRecord(1) + "<PubmedArticle>|</S>",
		[]string{"</S> where </PubmedArticle> is expected"}, "1"},
	{"no PMID", "<S>" + validRecord(1) + "|<PubmedArticle><MedlineCitation><Article/></MedlineCitation></PubmedArticle>" + validRecord(3) + "</S>",
		[]string{"record without a PMID"}, "1 3"},
	{"PMID only in a reference", "<S>|<PubmedArticle><MedlineCitation><CommentsCorrectionsList><PMID>7</PMID>" +
		"</CommentsCorrectionsList></MedlineCitation></PubmedArticle></S>", []string{"record without a PMID"}, ""},
	{"empty PMID", "<S><PubmedArticle><MedlineCitation><PMID> |</PMID></MedlineCitation></PubmedArticle></S>",
		[]string{"PMID is empty"}, ""},
	{"PMID of letters", "<S><MedlineCitation><PMID>PMC12|</PMID></MedlineCitation>" + validRecord(2) + "</S>",
		[]string{`PMID "PMC12" is not a number`}, "2"},
	{"Version of letters", "<S><MedlineCitation>|<PMID Version='a'>1</PMID></MedlineCitation></S>",
		[]string{`Version "a" of a PMID is not a number`}, ""},
	{"unknown entity", "<S>" + validRecord(1) + "<PubmedArticle>a |&nbsp;</PubmedArticle>" + validRecord(3) + "</S>",
		[]string{`unknown entity "&nbsp;"`}, "1 3"},
	{"unknown entity in kept text", "<S><MedlineCitation><PMID>12|&x;</PMID></MedlineCitation></S>",
		[]string{`unknown entity "&x;"`}, ""},
	{"unknown entity in an attribute", `<S><PubmedArticle a="b|&c;"></PubmedArticle>` + validRecord(2) + "</S>",
		[]string{`unknown entity "&c;"`}, "2"},
	{"bare ampersand", "<S><a>R|& D</a></S>", []string{"& does not begin a reference"}, ""},
	{"reference to NUL", "<S>|&#0;</S>", []string{`"&#0;" is not the number of a character`}, ""},
	{"reference to a surrogate", "<S>|&#xD83D;</S>", []string{`"&#xD83D;" is not the number of a character`}, ""},
	{"reference beyond Unicode", "<S>|&#1114112;</S>", []string{`"&#1114112;" is not the number of a character`}, ""},
	{"reference to U+FFFF", "<S>|&#xffff;</S>", []string{`"&#xffff;" is not the number of a character`}, ""},
	{"reference without digits", "<S>|&#x;</S>", []string{`"&#x;" is not the number of a character`}, ""},
	{"reference with a hexadecimal digit", "<S>|&#1a;</S>", []string{`"&#1a;" is not the number of a character`}, ""},
	{"invalid UTF-8", "<S><PubmedArticle>ab|\xffc</PubmedArticle>" + validRecord(2) + "</S>",
		[]string{"byte 0xff is not valid UTF-8"}, "2"},
	{"invalid UTF-8 in a comment", "<S><PubmedArticle><!-- |\xc3( --></PubmedArticle>" + validRecord(2) + "</S>",
		[]string{"byte 0xc3 is not valid UTF-8"}, "2"},
	{"incomplete UTF-8", "<S>" + validRecord(1) + "</S>|\xe2\x82", []string{"incomplete UTF-8 character at the end"}, "1"},
	{"control character", "<S>|\x0b" + validRecord(1) + "</S>", []string{"illegal character U+000B"}, "1"},
	{"non-character", "<S>|\ufffe" + validRecord(1) + "</S>", []string{"illegal character U+FFFE"}, "1"},
	{"UTF-16", "|\xff\xfe<\x00S\x00>\x00", []string{"byte 0xff is not valid UTF-8"}, ""},
	{"end of CDATA in text", "<S><PubmedArticle>a]|]]></PubmedArticle>" + validRecord(2) + "</S>",
		[]string{"]]> outside a CDATA section"}, "2"},
	{"comment without an end", "<S>" + validRecord(1) + "|<!-- x " + validRecord(2) + "</S>",
		[]string{"comment has no end"}, "1 2"},
	{"-- in a comment", "<S><!-- a |-- b -->" + validRecord(1) + "</S>", []string{"-- within a comment"}, "1"},
	{"CDATA without an end", "<S><PubmedArticle>|<![CDATA[ ]] >" + validRecord(2) + "</S>",
		[]string{"CDATA section has no end"}, "2"},
	{"misspelled CDATA", "<S>|<![CDAT[x]]></S>", []string{`"<![" is not followed by "CDATA["`}, ""},
	{"instruction without an end", "|<?xml version='1.0'><S>" + validRecord(1) + "</S>",
		[]string{"processing instruction has no end"}, "1"},
	{"instruction without a name", "|<? x ?><S/>", []string{"processing instruction without a name"}, ""},
	{"DOCTYPE without an end", "|<!DOCTYPE S [ <!ENTITY ><S>" + validRecord(1) + "</S>", []string{"declaration has no end"}, "1"},
	{"encoding", "<?xml version='1.0' |encoding='latin1'?><S>" + validRecord(1) + "</S>", []string{`encoding "latin1", want UTF-8`}, "1"},
	{"tag without an end", "<S>" + validRecord(1) + "<PubmedArticle><a b='c'|<d/></PubmedArticle>" + validRecord(2) + "</S>",
		[]string{"want an attribute or the end of the tag"}, "1 2"},
	{"quote without an end", "<S><PubmedArticle a='b>|<MedlineCitation/></PubmedArticle>" + validRecord(2) + "</S>",
		[]string{"< in the value of attribute a"}, "2"},
	{"attribute without a value", "<S><PubmedArticle |a></PubmedArticle></S>", []string{"attribute a without a value"}, ""},
	{"attribute without quotes", "<S><PubmedArticle a=|1></PubmedArticle></S>", []string{"value of attribute a is not quoted"}, ""},
	{"< in text", "<S><PubmedArticle>p |< 0.05</PubmedArticle>" + validRecord(2) + "</S>", []string{"< does not begin a tag"}, "2"},
	{"< before a number", "<S>|<65</S>", []string{"< does not begin a tag"}, ""},
	{"/ in a tag", "<S><a |/ ></S>", []string{"/ within the tag <a>"}, ""},
	{"end tag that closes nothing", "<S></S>|</S>" + validRecord(1), []string{"</S> closes no element"}, "1"},
	{"end tag without a name", "|</>", []string{"end tag without a name"}, ""},
	{"truncated between records", "<S>" + validRecord(1) + "\n|", []string{"file ends within <S>"}, "1"},
	{"truncated in text", "<S>" + validRecord(1) + "<PubmedArticle><MedlineCitation>abc|", []string{"file ends within <MedlineCitation>"}, "1"},
	{"truncated in a tag", "<S>" + validRecord(1) + "|<PubmedArt", []string{"tag has no end"}, "1"},
	{"empty file", "|", []string{"file ends before any element: not XML"}, ""},
	{"not XML", " \n|PMID- 123\n", []string{`'P' outside all elements`}, ""},
	{"text after the root", "<S></S>|x", []string{`'x' outside all elements`}, ""},
	{"CDATA after the root", "<S></S>|<![CDATA[x]]>", []string{"CDATA section outside all elements"}, ""},
}

func TestMalformed(t *testing.T) {
	for _, test := range malformed {
		t.Run(test.name, func(t *testing.T) {
			at := strings.IndexByte(test.input, '|')
			input := strings.Replace(test.input, "|", "", 1)
			got := read(t, []byte(input))
			checkAgainstOracle(t, []byte(input), got)
			var reasons, pmids []string
			for _, e := range got.errors {
				reasons = append(reasons, e.Reason)
			}
			for _, r := range got.records {
				pmids = append(pmids, r.PMID)
			}
			if diff := cmp.Diff(test.reason, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(strings.Fields(test.pmids), pmids, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if len(got.errors) > 0 && got.errors[0].Offset != int64(at) {
				t.Errorf("first error %v, want offset %d", got.errors[0], at)
			}
		})
	}
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := NewReader(strings.NewReader("<S>&x;</S>"), "dir/a.xml").Next()
	if want := `dir/a.xml: byte 3: unknown entity "&x;"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// failingReader returns its data and then its error, or io.EOF if it has none.
type failingReader struct {
	data []byte
	err  error
}

func (f *failingReader) Read(p []byte) (int, error) {
	n := copy(p, f.data)
	f.data = f.data[n:]
	if n == 0 && f.err == nil {
		return 0, io.EOF
	}
	if n == 0 {
		return 0, f.err
	}
	return n, nil
}

// TestReadError checks that errors of the underlying reader are final and are not
// syntax errors.
func TestReadError(t *testing.T) {
	disk := errors.New("disk on fire")
	compressed := gzipped(t, []byte("<S>"+validRecord(1)+validRecord(2)+"</S>"))
	for name, data := range map[string][]byte{
		"plain":                []byte("<S>" + validRecord(1) + validRecord(2)),
		"in a record":          []byte("<S>" + validRecord(1) + validRecord(2) + "<PubmedArticle>"),
		"gzip":                 compressed[:len(compressed)-4],
		"after a syntax error": []byte("<S>" + validRecord(1) + validRecord(2) + "<PubmedArticle>&x;"),
	} {
		r := NewReader(&failingReader{data, disk}, "a.xml")
		var pmids string
		var err error
		for err == nil || errors.As(err, new(*SyntaxError)) {
			var rec *Record
			if rec, err = r.Next(); err == nil {
				pmids += rec.PMID
			}
		}
		if !errors.Is(err, disk) || err.Error() != "a.xml: disk on fire" {
			t.Errorf("%s: %v, want the reader's error", name, err)
		}
		if _, again := r.Next(); again != err {
			t.Errorf("%s: %v the second time, want the same error", name, again)
		}
		if pmids != "12" {
			t.Errorf("%s: records %q before the error, want 1 and 2", name, pmids)
		}
	}
}

// TestLimits reads records and tokens that are too long, which must not be read into
// memory whole.
func TestLimits(t *testing.T) {
	const limit = 1 << 10
	long := strings.Repeat("x", 3*limit)
	many := strings.Repeat("<a/>\n", limit)
	for _, test := range []struct {
		name, input, reason string
		offset              int
		pmids               string
	}{
		{"title", "<S><PubmedArticle><a>" + long + "</a></PubmedArticle>" + validRecord(2) + "</S>",
			"text longer than 1024 bytes (Limits.Record)", 21, "2"},
		{"many elements", "<S><PubmedArticle>" + many + "</PubmedArticle>" + validRecord(2) + "</S>",
			"record longer than 1024 bytes (Limits.Record)", 3, "2"},
		{"attribute", "<S><PubmedArticle a='" + long + "'></PubmedArticle>" + validRecord(2) + "</S>",
			"tag longer than 1024 bytes (Limits.Record)", 3, "2"},
		{"comment between records", "<S><!--" + long + "-->" + validRecord(1) + validRecord(2) + "</S>",
			"comment longer than 1024 bytes (Limits.Record)", 3, "12"},
		{"deletions", "<S><DeleteCitation>" + strings.Repeat("<PMID>7</PMID>", limit) + "</DeleteCitation>" + validRecord(1) + "</S>",
			"DeleteCitation longer than 1024 bytes (Limits.Record)", 3, "1"},
		{"a server's error", "<S><ERROR>" + many + "</ERROR>" + validRecord(1) + "</S>",
			"ERROR longer than 1024 bytes (Limits.Record)", 3, "1"},
		{"many elements between records", "<S>" + many + validRecord(1) + validRecord(2) + "</S>", "", 0, "12"},
		{"name", "<S><" + strings.Repeat("x", maxName+1) + "/></S>", "name of an element is longer than 1024 bytes", 3, ""},
		{"depth", strings.Repeat("<a>", maxDepth+1), "elements nested deeper than 1000", 3 * maxDepth, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			// The small chunks bound what is read beyond the limit.
			r := NewReader(&chunkReader{[]byte(test.input), limit / 4}, "a.xml")
			r.SetLimits(files.Limits{Record: limit})
			got := readAll(t, r)
			reason, offset, pmids := "", int64(0), ""
			if len(got.errors) > 0 {
				reason, offset = got.errors[0].Reason, got.errors[0].Offset
			}
			for _, rec := range got.records {
				pmids += rec.PMID
			}
			if reason != test.reason || offset != int64(test.offset) || pmids != test.pmids {
				t.Errorf("byte %d: %q, records %q; want byte %d: %q, records %q",
					offset, reason, pmids, test.offset, test.reason, test.pmids)
			}
		})
	}
}

// TestDeletionsAreLimited reads lists of deletions without an end, each of which is short.
func TestDeletionsAreLimited(t *testing.T) {
	r := NewReader(strings.NewReader("<S>"+strings.Repeat("<DeleteCitation><PMID>1234567</PMID></DeleteCitation>", 1000)), "a.xml")
	r.SetLimits(files.Limits{InMemory: 100 * (deletedPMIDSize + 7)})
	for range 2 {
		_, err := r.Next()
		var limit *files.LimitError
		if !errors.As(err, &limit) || limit.Field != "InMemory" || !strings.HasPrefix(err.Error(), "a.xml: byte ") {
			t.Errorf("error %v, want one of Limits.InMemory that names the file and the byte", err)
		}
	}
	if n := len(r.Deleted()); n != 101 {
		t.Errorf("%d deletions were read, want one more than the 100 of the limit", n)
	}
}

// chunkReader returns at most size bytes a call.
type chunkReader struct {
	data []byte
	size int
}

func (p *chunkReader) Read(dst []byte) (int, error) {
	n := copy(dst, p.data[:min(len(p.data), p.size)])
	p.data = p.data[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestMemory reads 20 MB of records and a record longer than the limit, and checks
// the size of the window.
func TestMemory(t *testing.T) {
	t.Parallel()
	record := []byte(validRecord(1))
	var long bytes.Buffer
	long.WriteString("<PubmedArticle>")
	long.Write(bytes.Repeat([]byte("<a>b</a>"), int(files.DefaultLimits.Record)/8+1))
	r := NewReader(io.MultiReader(strings.NewReader("<S>"), &repeatReader{record, 1 << 18}, &long,
		strings.NewReader("</PubmedArticle></S>")), "a.xml")
	n := 0
	for {
		_, err := r.Next()
		if err == nil {
			n++
			continue
		}
		if want := fmt.Sprintf("a.xml: byte %d: record longer than %d bytes (Limits.Record)", 3+len(record)<<18, int(files.DefaultLimits.Record)); err.Error() != want {
			t.Fatalf("%v, want %s", err, want)
		}
		break
	}
	if n != 1<<18 {
		t.Errorf("%d records, want %d", n, 1<<18)
	}
	if size := cap(r.window.buf); size != windowSize {
		t.Errorf("window grew to %d bytes for small tokens, want %d", size, windowSize)
	}
}

// repeatReader returns data n times.
type repeatReader struct {
	data []byte
	n    int
}

func (r *repeatReader) Read(p []byte) (int, error) {
	total := 0
	for r.n > 0 && len(p)-total >= len(r.data) {
		total += copy(p[total:], r.data)
		r.n--
	}
	if total == 0 {
		return 0, io.EOF
	}
	return total, nil
}
