package pubmed

import "slices"

// role is the meaning of an element for the reader. It is determined by the element's name and the role of its parent.
type role uint8

const (
	roleOutside  role = iota // outside records: PubmedArticleSet
	roleDeletion             // DeleteCitation
	roleDeletedPMID
	roleServerError // ERROR, in a response of E-utilities

	// The following roles occur only in records.
	roleRecord     // PubmedArticle
	roleBookRecord // PubmedBookArticle
	roleCitation   // MedlineCitation
	roleBareRecord // MedlineCitation without PubmedArticle around it
	roleArticle
	roleBookDocument
	roleBook
	roleJournal
	roleIssue
	roleDate // of publication
	roleAbstract
	roleOtherAbstract // in English
	roleOther         // ignored, with all its content

	// The text of the following elements is kept.
	rolePMID
	roleTitle
	roleBookTitle
	roleSection
	roleOtherSection // of an OtherAbstract
	roleYear         // only its digits are kept, as a number
	roleInline       // any element within an element with text that is kept
)

// Names of the elements that start a record, and of the list of deleted records.
const (
	articleTag     = "PubmedArticle"
	bookArticleTag = "PubmedBookArticle"
	citationTag    = "MedlineCitation"
	deletionTag    = "DeleteCitation"
	serverErrorTag = "ERROR"
)

// isRecordSet reports whether an element called name is the root of a file of PubMed records. The file may have none.
func isRecordSet(name string) bool {
	return slices.Contains([]string{"PubmedArticleSet", "PubmedBookArticleSet", "MedlineCitationSet", deletionTag}, name)
}

func (r role) hasText() bool {
	return r >= rolePMID || r == roleDeletedPMID || r == roleServerError
}

// namedRole is the role of an element with a name.
type namedRole struct {
	name string
	role role
}

// children lists the child elements with a role of their own, by the role of their parent.
var children = [...][]namedRole{
	roleOutside: {
		{articleTag, roleRecord}, {bookArticleTag, roleBookRecord}, {citationTag, roleBareRecord}, {deletionTag, roleDeletion},
		{serverErrorTag, roleServerError},
	},
	roleDeletion:      {{"PMID", roleDeletedPMID}},
	roleRecord:        {{citationTag, roleCitation}},
	roleBookRecord:    {{"BookDocument", roleBookDocument}},
	roleCitation:      citationChildren,
	roleBareRecord:    citationChildren,
	roleArticle:       {{"ArticleTitle", roleTitle}, {"Abstract", roleAbstract}, {"Journal", roleJournal}},
	roleJournal:       {{"JournalIssue", roleIssue}},
	roleIssue:         {{"PubDate", roleDate}},
	roleDate:          {{"Year", roleYear}, {"MedlineDate", roleYear}},
	roleBookDocument:  {{"PMID", rolePMID}, {"ArticleTitle", roleTitle}, {"Book", roleBook}, {"Abstract", roleAbstract}},
	roleBook:          {{"BookTitle", roleBookTitle}, {"PubDate", roleDate}},
	roleAbstract:      {{"AbstractText", roleSection}},
	roleOtherAbstract: {{"AbstractText", roleOtherSection}},
	roleInline:        nil,
}

var citationChildren = []namedRole{{"PMID", rolePMID}, {"Article", roleArticle}, {"OtherAbstract", roleOtherAbstract}}

// child returns the role of an element called name in a parent with role r.
func (r role) child(name []byte) role {
	if r.hasText() {
		return roleInline
	}
	for _, own := range children[r] { // few, so this is faster than a map
		if string(name) == own.name {
			return own.role
		}
	}
	if r == roleOutside {
		return roleOutside
	}
	return roleOther
}

// startsRecord reports whether an element called name starts a record in any context.
func startsRecord(name []byte) bool {
	return string(name) == articleTag || string(name) == bookArticleTag
}

// maxDepth is the maximum nesting depth of elements. In the PubMed files measured it is 14, including MathML.
const maxDepth = 1000

// elementStack is the stack of open elements.
type elementStack struct {
	names []byte // names of all open elements, concatenated
	open  []element
}

type element struct {
	start int // of the element's name, in names
	role  role
}

func (e *elementStack) push(name []byte, r role) {
	e.open = append(e.open, element{len(e.names), r})
	e.names = append(e.names, name...)
}

func (e *elementStack) pop() {
	last := len(e.open) - 1
	e.names = e.names[:e.open[last].start]
	e.open = e.open[:last]
}

// role returns the role of the innermost element, or roleOutside if there is none.
func (e *elementStack) role() role {
	if len(e.open) == 0 {
		return roleOutside
	}
	return e.open[len(e.open)-1].role
}

// name returns the name of the innermost element, or nil if there is none.
func (e *elementStack) name() []byte {
	if len(e.open) == 0 {
		return nil
	}
	return e.names[e.open[len(e.open)-1].start:]
}
