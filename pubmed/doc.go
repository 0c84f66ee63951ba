// Package pubmed reads citations from PubMed XML, the format of the yearly baseline, the daily update files and efetch.
//
// For basic usage, call [Open], then [Reader.Next] until it returns io.EOF. The data flow through these stages:
//
//	file.xml(.gz) -> source (decompress) -> window (check characters) -> token -> elementStack (roles) -> Record
//
// # Records
//
// A record is a PubmedArticle, a PubmedBookArticle, or a MedlineCitation without an
// enclosing element, as in the MEDLINE files of former years. A [Record] has
//
//   - PMID: the citation's own (MedlineCitation/PMID or BookDocument/PMID, the
//     first if there are several), with its Version. PMIDs of CommentsCorrections
//     and of references are ignored.
//   - Title: Article/ArticleTitle; for a chapter BookDocument/ArticleTitle, and for
//     a whole book Book/BookTitle. VernacularTitle is ignored.
//   - Sections: every AbstractText of Article/Abstract (BookDocument/Abstract)
//     that is not empty. CopyrightInformation is ignored.
//   - OtherSections: the sections of the first OtherAbstract in English (Language is eng or missing) that is not empty.
//   - Year: the year of publication, from the first Article/Journal/JournalIssue/PubDate
//     (Book/PubDate), in its Year or MedlineDate.
//
// # Text
//
// The text of an element is all its character data in document order, at any depth: inline tags (i, sup, mml:math) are
// removed but their content is kept, and references and CDATA sections are decoded. Superscripts that are numbers of
// references or letters of footnotes ("fever<sup>3,4</sup>") are dropped. Then each run of white space (space, tab, CR,
// LF, literal or as a reference) becomes one space, and leading and trailing white space is removed. Other Unicode
// spaces, such as U+2009 and U+00A0, are kept. After that, XML's normalization of line ends (CRLF to LF) makes no
// difference.
//
// # Malformed files
//
// The whole file is checked for well-formedness, as in encoding/xml: legal characters in UTF-8, matching tags,
// references to characters. DTDs are not read, so the only known entities are those predefined by XML. Malformed XML is
// returned as a [SyntaxError], and the next call of Next continues at the next record. Memory use does not depend on
// the length of the file. A record may be up to 32 MiB long, unless [Reader.SetLimits] sets another limit.
package pubmed
