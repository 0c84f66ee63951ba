// Package pubmed reads citations out of PubMed XML, the format of the yearly
// baseline, of the daily updates and of efetch.
//
// For basic usage use [Open], then [Reader.Next] until it gives io.EOF:
//
//	file.xml(.gz) -> source (gunzip) -> window (legal characters) -> token -> elements (roles) -> Record
//
// # What is read
//
// A record is a PubmedArticle, a PubmedBookArticle, or a MedlineCitation that
// stands alone as it did in the MEDLINE files of former years. Of it are kept
//
//   - PMID: the citation's own (MedlineCitation/PMID or BookDocument/PMID, the
//     first if there are several), never one of CommentsCorrections or of the
//     references; with its Version.
//   - Title: Article/ArticleTitle; of a book BookDocument/ArticleTitle, or
//     Book/BookTitle where the record is the book itself. VernacularTitle is not
//     a title.
//   - Sections: every AbstractText of Article/Abstract (BookDocument/Abstract)
//     that has any text. CopyrightInformation and OtherAbstract are not part of
//     the abstract.
//
// # Text
//
// The text of an element is all its character data in document order, at any
// depth: inline tags (i, sup, mml:math) are dropped and what they hold is kept,
// references and CDATA sections are decoded. Then runs of white space (space,
// tab, CR, LF, however they were written) become one space, and the ends are
// trimmed. Other Unicode spaces, such as U+2009 and U+00A0, are text and stay.
// The line-end rule of XML (CRLF is LF) has no trace after that.
//
// # Broken files
//
// All of the file is checked for being well-formed, as encoding/xml would: legal
// characters in UTF-8, tags that match, references that mean a character. DTDs
// are not read, so the references are those that XML itself defines. What is
// broken is reported as a [SyntaxError], and the next call to Next goes on at
// the next record. Memory does not depend on the length of the file; a record
// may be 64 MiB long.
package pubmed
