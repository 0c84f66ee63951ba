package formats

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// startsMarkup reports whether head starts like XML or HTML, and not like "<0.05" or "< 3".
func startsMarkup(head []byte) bool {
	return len(head) > 1 && head[0] == '<' && (head[1] == '?' || head[1] == '!' || isWord(string(head[1:2])))
}

// roots are the root elements of XML that is read, and of markup that is often given in place of a text.
var roots = map[string]signature{
	"collection":           {format: BioC},
	"PubmedArticleSet":     {format: PubMed},
	"PubmedArticle":        {format: PubMed},
	"PubmedBookArticleSet": {format: PubMed},
	"PubmedBookArticle":    {format: PubMed},
	"DeleteCitation":       {format: PubMed},
	"MedlineCitationSet":   {format: PubMed},
	"MedlineCitation":      {format: PubMed},
	"pmc-articleset":       {format: JATS},
	"article":              {format: JATS},
	"html":                 {got: "HTML"},
	"ClinicalDocument":     {got: "a document of HL7 CDA: take the texts out of its sections"},
	"TEI":                  {got: "TEI, as GROBID writes: want JATS, or its text"},
	"XMI":                  {got: "XMI of UIMA: export BioC or BRAT"},
	"GateDocument":         {got: "XML of GATE: export BioC or BRAT"},
	"xml":                  {got: "XML of EndNote: export RIS instead"},
}

// detectXML returns the format that the root element belongs to. A root element of any other
// name is one of PubMed XML if PubMed's records are its first element: programs that download
// records wrap them so.
func detectXML(head []byte, all bool) (Format, string) {
	decoder := xml.NewDecoder(bytes.NewReader(head))
	decoder.Strict = false
	// names of elements are ASCII
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	got := "" // what the root is
	for {
		token, err := decoder.RawToken()
		switch {
		case err != nil && !all:
			return "", ""
		case err != nil && got == "":
			return "", "markup without a root element"
		case err != nil:
			return "", got + serverMessage(head)
		}
		switch token := token.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToLower(string(token)), "doctype html") {
				return "", "HTML"
			}
		case xml.StartElement:
			root := roots[token.Name.Local]
			switch {
			case root.format != "" && got == "", root.format == PubMed:
				return root.format, ""
			case got != "":
				return "", got + serverMessage(head)
			}
			if got = root.got; got == "" {
				got = "XML with the root element <" + token.Name.Local + ">"
			}
		}
	}
}

// serverMessage returns what an answer of NCBI's E-utilities says is wrong, ": " before it.
func serverMessage(head []byte) string {
	for _, name := range []string{"ERROR", "error"} {
		_, rest, ok := bytes.Cut(head, []byte("<"+name+">"))
		if message, _, closed := bytes.Cut(rest, []byte("<")); ok && closed {
			return ": " + input.Quote(strings.TrimSpace(string(message)))
		}
	}
	return ""
}
