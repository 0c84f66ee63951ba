// Package kbfile reads dictionary files in many formats into a [kb.Dictionary], and writes one format.
//
// For basic usage, call [Read] with a path: the format is detected from the file's content, and the [Report] counts
// what was skipped. [Find] returns the path of the dictionary in a folder. [Write] writes a dictionary so that Read
// restores it without loss. [ReadParents] and [WithParents] add the hierarchy of another file; [ReadConceptMap] and
// [WithConceptMap] merge concepts with equivalent identifiers.
//
// All files may be compressed, start with a byte-order mark and have CRLF line endings. docs/formats.md describes the
// formats, and [Formats] lists them.
//
// For the vocabularies listed in vocabularies.txt (SNOMED CT, LOINC, OMOP, HGNC and others), tables are read according
// to their publishers' column definitions. RXNCONSO.RRF is read like this too, as mrconso.
//
// If a format does not mark the preferred name, the concept has none, and [kb.Concept.PreferredName] returns the first
// name.
package kbfile
