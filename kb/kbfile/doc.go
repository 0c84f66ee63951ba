// Package kbfile reads dictionary files of many formats into a [kb.Dictionary], and
// writes one format.
//
// For basic usage, call [Read] with a path: the format is detected from the file's
// content, and the [Report] counts what was left out. [Find] returns the path of the
// dictionary in a folder. [Write] writes a dictionary so that Read restores it without
// loss. [ReadParents] and [WithParents] add the hierarchy of another file;
// [ReadConceptMap] and [WithConceptMap] merge concepts with equivalent identifiers.
//
// All files may be compressed, start with a byte-order mark and have CRLF
// line ends. The formats, with an example line of each:
//
//	tsv      DOID:9351 ⇥ diabetes mellitus ⇥ diabetes|DM      columns: see columns.go
//	csv      疼痛,R529,疼痛                                    as tsv
//	ctd      # Fields: / # DiseaseName ⇥ DiseaseID ⇥ …        https://ctdbase.org/downloads/, TSV or CSV
//	obo      [Term] / id: … / name: … / synonym: "…" EXACT [] https://owlcollab.github.io/oboformat/doc/GO.format.obo-1_4.html
//	mrconso  C0000039|ENG|P|L0000039|PF|…                     UMLS MRCONSO.RRF, https://www.ncbi.nlm.nih.gov/books/NBK9685/
//	biosyn   C567755|613097||Tooth Agenesis|STHAG6            ids separated by |, then ||, then names separated by |
//	jsonl    ["sthag6", ["C567755", "613097"]]                name and its concept ids
//	         {"id": "C567755", "name": "…", "synonyms": […]}  the format of Write
//	json     {"C567755": ["sthag6"]}                          concept id and its names
//	mesh     <DescriptorRecordSet>, <SupplementalRecordSet>   XML of MeSH
//	rdf      <rdf:RDF> with owl:Class or skos:Concept         OWL and SKOS in RDF/XML
//	obograph {"graphs": [{"nodes": […], "edges": […]}]}       https://github.com/geneontology/obographs
//	scispacy {"concept_id": "C0000005", "canonical_name": …}  JSON lines of scispaCy's knowledge bases
//	fhir     {"resourceType": "CodeSystem", "concept": […]}   https://hl7.org/fhir/codesystem.html, or a ValueSet
//	xlsx     a sheet of an Excel workbook                     as tsv
//	mrsty    C0000039|T109|A1.4.1.2.1|Organic Chemical|…      UMLS MRSTY.RRF and RxNorm RXNSTY.RRF: types, without names
//	icd      A000    Cholera due to Vibrio cholerae 01, …     code and order files of ICD-10-CM, ICD-10-PCS and ICD-9-CM, of CMS
//	meddra   90000001$River fever$90000001$$$$$$$Y$$          llt.asc and pt.asc of MedDRA
//	orphanet <JDBOR><DisorderList><Disorder>                  XML of Orphanet
//	claml    <ClaML><Class code="A00" kind="category">        classifications, such as ICD-10 of WHO
//	uniprot  ID   River fever. / AC   DI-00001 / … / //       UniProt's vocabularies, Cellosaurus, enzyme.dat of Expasy
//	names    river fever                                      a name a line, which is its own id
//
// Tables of the vocabularies that vocabulary.go lists (SNOMED CT, LOINC, OMOP, HGNC and others) are read as their
// publishers define their columns, and so is RXNCONSO.RRF, as mrconso.
//
// If a format does not mark the preferred name, the concept has none, and
// [kb.Concept.PreferredName] returns the first name.
package kbfile
