// Package kbfile reads dictionary files of many formats into a [kb.Dictionary], and
// writes one format.
//
// For basic usage, call [Read] with a path: the format is detected from the file's
// content, and the [Report] counts what was left out. [Find] returns the path of the
// dictionary in a folder. [Write] writes a dictionary so that Read restores it without
// loss. [ReadParents] and [WithParents] add the hierarchy of another file;
// [ReadConceptMap] and [WithConceptMap] merge concepts with equivalent identifiers.
//
// All files may be compressed, start with a byte-order mark and have CRLF line ends. docs/formats.md describes the
// formats, which [Formats] lists.
//
// Tables of the vocabularies that vocabularies.txt lists (SNOMED CT, LOINC, OMOP, HGNC and others) are read as their
// publishers define their columns, and so is RXNCONSO.RRF, as mrconso.
//
// If a format does not mark the preferred name, the concept has none, and
// [kb.Concept.PreferredName] returns the first name.
package kbfile
