// Package formats reads documents with marked mentions (gold annotations for training and evaluation, and texts to
// link) and writes linked documents.
//
// For basic usage, open a file with [Open] and call [Reader.Next] until io.EOF. The format is detected from the file's
// content. Files may be compressed, start with a byte-order mark and have CRLF line endings. [text.Offsets] converts
// between the byte offsets of a [text.Document] and the code point offsets in files.
//
// A [Record] is a document with the other data of the file. A [Writer], made by [NewWriter], [NewBRATWriter] or an
// [OutputFormat], writes linked records. It writes a record of its own format as it was read, with the concepts filled
// in, and builds any other record from scratch.
//
// docs/formats.md describes the formats.
//
// The text of a JSON object may contain marks instead of having a list of mentions. [WriteJSONL] writes this format,
// also with the "group" of a document and the "sense" of a mention.
//
// If a file contains the text of a mention, it is compared with the text at the mention's offsets. If the texts agree
// only when offsets count bytes or UTF-16 code units, that unit is used, with a warning. Text that a tool normalized is
// accepted with a warning, too. A malformed record is a [RecordError], after which Next can be called again.
package formats
