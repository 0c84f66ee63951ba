// Package annotated reads documents in which mentions are marked: gold
// annotations to train or measure with, and texts to link.
//
// For basic usage open a file with [Open] and call [Reader.Next] until io.EOF;
// the format is recognised by the file's content. Files may be gzip, open with
// a byte-order mark and end lines with CRLF. [Offsets] turns the byte offsets of
// a [ctxnorm.Document] into the code points that files count, and back.
//
//	pubtator  6794356|t|Tricuspid valve regurgitation …        https://www.ncbi.nlm.nih.gov/CBBresearch/Lu/Demo/tmTools/Format.html
//	          6794356|a|A newborn with …
//	          6794356 ⇥ 0 ⇥ 29 ⇥ Tricuspid valve regurgitation ⇥ Disease ⇥ D014262
//	bioc      <collection><document><passage>…                 https://bioc.sourceforge.net/, BioC XML
//	jsonl     {"id": "1", "text": "…", "mentions": [{"start": 0, "end": 8, "text": "…", "ids": ["D014262"], "type": "Disease"}]}
//	text      a text with an [ENT] marked mention [/ENT] in it, or without
//
// The text of a JSON object may hold marks, too, instead of a list of mentions.
//
// A mention that states its own text is compared with the text at its offsets,
// so a document that counts bytes or UTF-16 units is found out and not
// misread. A bad record is a [RecordError], after which Next can be called
// again.
package annotated
