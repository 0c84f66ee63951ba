// Package dictionary reads other people's dictionaries into a
// [ctxnorm.Dictionary].
//
// For basic usage call [Read] with a path: the format is recognised by the
// file's content, and the [Report] counts what was left out. [Find] picks the
// dictionary of a folder, [Write] stores one so that Read gives it back without
// loss. [ReadParents] and [WithParents] add the tree of another file,
// [ReadConceptMap] and [WithConceptMap] the identifiers that belong together.
//
// All files may be gzip, open with a byte-order mark and end lines with CRLF.
// The formats, with a line of each:
//
//	tsv      DOID:9351 ⇥ diabetes mellitus ⇥ diabetes|DM      columns: see columns.go
//	csv      疼痛,R529,疼痛                                    as tsv
//	ctd      # Fields: / # DiseaseName ⇥ DiseaseID ⇥ …        https://ctdbase.org/downloads/, TSV or CSV
//	obo      [Term] / id: … / name: … / synonym: "…" EXACT [] https://owlcollab.github.io/oboformat/doc/GO.format.obo-1_4.html
//	mrconso  C0000039|ENG|P|L0000039|PF|…                     UMLS MRCONSO.RRF, https://www.ncbi.nlm.nih.gov/books/NBK9685/
//	biosyn   C567755|613097||Tooth Agenesis|STHAG6            id, alternative ids, two bars, names
//	jsonl    ["sthag6", ["C567755", "613097"]]                name and its concepts
//	         {"id": "C567755", "name": "…", "synonyms": […]}  what Write produces
//	json     {"C567755": ["sthag6"]}                          concept and its names
//
// Where a format does not say which name is preferred, it is the first.
package dictionary
