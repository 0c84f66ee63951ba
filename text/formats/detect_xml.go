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

// detectXML returns the format that the root element belongs to. A root element of any other
// name is one of PubMed XML if PubMed's records are its first element: programs that download
// records wrap them so.
func detectXML(head []byte, all bool) (Format, string) {
	decoder := xml.NewDecoder(bytes.NewReader(head))
	decoder.Strict = false
	// names of elements are ASCII
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	root := ""
	for {
		token, err := decoder.RawToken()
		switch {
		case err != nil && !all:
			return "", ""
		case err != nil && root == "":
			return "", "markup without a root element"
		case err != nil:
			return "", rootKind(root) + serverMessage(head)
		}
		switch token := token.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToLower(string(token)), "doctype html") {
				return "", "HTML"
			}
		case xml.StartElement:
			format, ok := rootFormats[token.Name.Local]
			switch {
			case root == "" && ok, format == PubMed:
				return format, ""
			case root != "":
				return "", rootKind(root) + serverMessage(head)
			}
			root = token.Name.Local
		}
	}
}

// rootKind returns what XML with a root element is that is no document.
func rootKind(root string) string {
	if kind := foreignRoots[root]; kind != "" {
		return kind
	}
	return "XML with the root element <" + root + ">"
}

// foreignRoots are the root elements of markup that is often given in place of a text, and what it is called.
var foreignRoots = map[string]string{
	"html":             "HTML",
	"ClinicalDocument": "a document of HL7 CDA: take the texts out of its sections",
	"TEI":              "TEI, as GROBID writes: want JATS, or its text",
	"XMI":              "XMI of UIMA: export BioC or BRAT",
	"GateDocument":     "XML of GATE: export BioC or BRAT",
	"xml":              "XML of EndNote: export RIS instead",
}

// rootFormats maps the root elements of XML to formats.
var rootFormats = map[string]Format{
	"collection":           BioC,
	"PubmedArticleSet":     PubMed,
	"PubmedArticle":        PubMed,
	"PubmedBookArticleSet": PubMed,
	"PubmedBookArticle":    PubMed,
	"DeleteCitation":       PubMed,
	"MedlineCitationSet":   PubMed,
	"MedlineCitation":      PubMed,
	"pmc-articleset":       JATS,
	"article":              JATS,
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
