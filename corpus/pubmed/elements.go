package pubmed

// role is what an element means to the reader. It follows from the element's
// name and the role of its parent.
type role uint8

const (
	outside  role = iota // around the records: PubmedArticleSet
	deletion             // DeleteCitation
	deletedPMID

	// The rest is found in records only.
	record     // PubmedArticle
	bookRecord // PubmedBookArticle
	citation   // MedlineCitation
	bareRecord // MedlineCitation without PubmedArticle around it
	journalArticle
	bookDocument
	book
	abstract
	other // of no interest, and all that is in it

	// The character data of these is kept.
	pmid
	title
	bookTitle
	section
	inline // any element in one of those
)

// Names of elements at which records begin, and of the list of deleted ones.
const (
	article         = "PubmedArticle"
	bookArticle     = "PubmedBookArticle"
	medlineCitation = "MedlineCitation"
	deleteCitation  = "DeleteCitation"
)

func (r role) inRecord() bool { return r >= record }
func (r role) hasText() bool  { return r >= pmid || r == deletedPMID }

// child is the role of an element called name in one whose role is r.
func (r role) child(name []byte) role {
	switch r {
	case outside:
		switch string(name) {
		case article:
			return record
		case bookArticle:
			return bookRecord
		case medlineCitation:
			return bareRecord
		case deleteCitation:
			return deletion
		}
		return outside
	case deletion:
		if string(name) == "PMID" {
			return deletedPMID
		}
	case record:
		if string(name) == medlineCitation {
			return citation
		}
	case bookRecord:
		if string(name) == "BookDocument" {
			return bookDocument
		}
	case citation, bareRecord:
		switch string(name) {
		case "PMID":
			return pmid
		case "Article":
			return journalArticle
		}
	case journalArticle:
		switch string(name) {
		case "ArticleTitle":
			return title
		case "Abstract":
			return abstract
		}
	case bookDocument:
		switch string(name) {
		case "PMID":
			return pmid
		case "ArticleTitle":
			return title
		case "Book":
			return book
		case "Abstract":
			return abstract
		}
	case book:
		if string(name) == "BookTitle" {
			return bookTitle
		}
	case abstract:
		if string(name) == "AbstractText" {
			return section
		}
	case deletedPMID, pmid, title, bookTitle, section, inline:
		return inline
	}
	return other
}

// wrapsRecord reports whether a record begins at an element called name wherever
// it stands.
func wrapsRecord(name []byte) bool { return string(name) == article || string(name) == bookArticle }

// maxDepth is how deep elements may be nested. PubMed's are nested 14 deep,
// MathML included, in the files measured.
const maxDepth = 1000

// elements is the stack of the open elements.
type elements struct {
	names []byte // of all of them, one after the other
	open  []element
}

type element struct {
	start int // of the name in names
	role  role
}

func (e *elements) push(name []byte, r role) {
	e.open = append(e.open, element{len(e.names), r})
	e.names = append(e.names, name...)
}

func (e *elements) pop() {
	last := len(e.open) - 1
	e.names = e.names[:e.open[last].start]
	e.open = e.open[:last]
}

// role is that of the innermost element.
func (e *elements) role() role {
	if len(e.open) == 0 {
		return outside
	}
	return e.open[len(e.open)-1].role
}

// name is that of the innermost element, empty where there is none.
func (e *elements) name() []byte {
	if len(e.open) == 0 {
		return nil
	}
	return e.names[e.open[len(e.open)-1].start:]
}
