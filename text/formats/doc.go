// Package formats reads documents with marked mentions (gold annotations for training and
// evaluation, and texts to link) and writes linked documents.
//
// For basic usage, open a file with [Open] and call [Reader.Next] until io.EOF. The format is detected from the file's
// content. Files may be compressed, start with a byte-order mark and have CRLF line ends. [text.Offsets] converts
// between the byte offsets of a [text.Document] and the code point offsets in files.
//
// A [Record] is a document with what the file says besides. A [Writer], made by [NewWriter], [NewBRATWriter] or an
// [OutputFormat], writes linked records: a record of its own format as it was read, with the concepts filled in, and
// any other anew.
//
//	pubtator  6794356|t|Tricuspid valve regurgitation …        https://www.ncbi.nlm.nih.gov/CBBresearch/Lu/Demo/tmTools/Format.html
//	          6794356|a|A newborn with …
//	          6794356 ⇥ 0 ⇥ 29 ⇥ Tricuspid valve regurgitation ⇥ Disease ⇥ D014262
//	bioc-xml  <collection><document><passage>…                 https://bioc.sourceforge.net/, BioC XML
//	jsonl     {"id": "1", "text": "…", "mentions": [{"start": 0, "end": 8, "text": "…", "ids": ["D014262"], "type": "Disease"}]}
//	bioc-json the same as JSON: a collection, PMC's list of them, PubTator3's documents
//	brat      note.txt with note.ann: T1 ⇥ Disease 0 29 ⇥ Tricuspid …   https://brat.nlplab.org/standoff.html
//	conll     token ⇥ B-Disease
//	conllu    # text = … and ten cells for each word; the text alone is read
//	csv, tsv  a row with a text, a mention or both; see [Options.Columns]
//	pubmed    <PubmedArticleSet>…
//	medline   PMID- 1, TI  - …, AB  - …: .nbib; ris, endnote and wos are like it
//	jats      <article>…, full texts of PubMed Central
//	plain     a whole file; never detected
//	text      a line with an [ENT] marked mention [/ENT], or with none
//
// The text of a JSON object may contain marks instead of having a list of mentions.
// [WriteJSONL] writes this format, also with the "group" of a document and the "sense" of a mention.
//
// If a file contains the text of a mention, it is compared with the text at the mention's offsets. Where only bytes or
// UTF-16 code units agree with it, these are taken, with a warning; text that a tool normalized is kept with one too. A
// malformed record is a [RecordError], after which Next can be called again.
package formats
