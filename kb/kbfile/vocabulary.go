package kbfile

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// vocabulary is a table as its publisher distributes it.
type vocabulary struct {
	name string // in messages

	// header has names of columns that tell the table, besides others. The case is ignored.
	header []string
	// begins reports whether a row is the first of the table, which has no header. Its columns are called as in
	// header.
	begins func(row []string) bool
	dump   bool // the rows end as those of NCBI's dumps: see tsvRows

	roles     map[string]role // column -> what it has; columns that are not listed are not used
	separator string          // of the names in a cell of synonyms; empty if it has one name
	names     bool            // a row is a name, and its state is not that of the concept

	// languages maps what the column of languages has to the code of a language. Others are codes themselves.
	languages map[string]string

	// read completes the concept of a row, whose columns have been read by their roles. It may set its ID, of a
	// retired one to that of the concept in its place.
	read func(cell func(column string) string, concept *kb.Concept) rowUse

	// refused says why the table is not a dictionary, and what to do.
	refused string
}

// rowUse is what becomes of a row.
type rowUse int

const (
	useRow     rowUse = iota
	retiredRow        // of a retired concept or name
	otherScope        // a name of something else than the concept
	noName            // not of a concept
)

// vocabularies are the tables that are known. Their columns are those of the publishers' documentation, of
// October 2025.
var vocabularies = []*vocabulary{
	{
		// https://confluence.ihtsdotools.org/display/DOCRELFMT/4.2.2+Description+File+Specification
		name:   "SNOMED CT descriptions (RF2)",
		header: []string{"id", "effectiveTime", "active", "conceptId", "languageCode", "typeId", "term"},
		roles: map[string]role{
			"conceptid": roleID, "term": roleSynonyms, "active": roleStatus, "languagecode": roleLanguage,
		},
		names: true,
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			switch cell("typeid") {
			case rf2FullySpecifiedName:
				concept.Name, concept.Synonyms = cell("term"), nil
				if name, tag, ok := cutTag(concept.Name); ok {
					concept.Name, concept.Types = name, []string{tag}
				}
			case rf2Definition:
				return noName
			}
			return useRow
		},
	},
	{
		// https://confluence.ihtsdotools.org/display/DOCRELFMT/4.2.1+Concept+File+Specification
		name:   "SNOMED CT concepts (RF2)",
		header: []string{"id", "effectiveTime", "active", "moduleId", "definitionStatusId"},
		roles:  map[string]role{"id": roleID, "active": roleStatus},
	},
	{
		name:    "SNOMED CT relationships (RF2)",
		header:  []string{"sourceId", "destinationId", "relationshipGroup", "typeId"},
		roles:   map[string]role{"sourceid": roleID, "destinationid": roleParents, "active": roleStatus},
		refused: "it has no names: take sct2_Description_Snapshot, and this file as DictionaryOptions.Parents",
		read: func(cell func(string) string, _ *kb.Concept) rowUse {
			if cell("typeid") != rf2IsA {
				return noName
			}
			return useRow
		},
	},
	{
		// https://confluence.ihtsdotools.org/display/DOCRELFMT/5.2.5+Association+Reference+Set
		name:   "associations of SNOMED CT (RF2)",
		header: []string{"active", "refsetId", "referencedComponentId", "targetComponentId"},
		roles:  map[string]role{"targetcomponentid": roleID, "referencedcomponentid": roleAltIDs, "active": roleStatus},
		names:  true,
		read: func(cell func(string) string, _ *kb.Concept) rowUse {
			if kind := cell("refsetid"); kind != rf2ReplacedBy && kind != rf2SameAs {
				return noName
			}
			return useRow
		},
	},
	{
		name:    "a language reference set of SNOMED CT (RF2)",
		header:  languageReferenceSet,
		refused: "it has no names: take sct2_Description_Snapshot with it",
	},
	{
		name:    "a reference set of SNOMED CT (RF2)",
		header:  []string{"active", "moduleId", "refsetId", "referencedComponentId"},
		refused: "it has no names: take sct2_Description_Snapshot",
	},
	{
		// https://loinc.org/kb/users-guide/loinc-database-structure/. RELATEDNAMES2 has words to search by, most of
		// which are of many concepts.
		name:   "LOINC",
		header: []string{"LOINC_NUM", "COMPONENT", "LONG_COMMON_NAME"},
		roles: map[string]role{
			"loinc_num": roleID, "long_common_name": roleName, "shortname": roleSynonyms, "displayname": roleSynonyms,
			"consumer_name": roleSynonyms, "linguisticvariantdisplayname": roleSynonyms, "class": roleTypes,
			"status": roleStatus, "map_to": roleReplacedBy,
		},
	},
	{
		// MRCONSO.RRF as a program writes it that has read it.
		name:   "MRCONSO with a header",
		header: []string{"CUI", "LAT", "SAB", "CODE", "STR"},
		roles:  map[string]role{"cui": roleID, "str": roleSynonyms, "lat": roleLanguage, "suppress": roleStatus},
		names:  true,
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			if isPreferredAtom(cell("ts"), cell("stt"), cell("ispref")) {
				concept.Name, concept.Synonyms = cell("str"), nil
			}
			if code := cell("code"); code != "" && code != noCode && code != cell("cui") {
				concept.Xrefs = append(concept.Xrefs, kb.ConceptID(cell("sab")+":"+code))
			}
			return useRow
		},
	},
	{
		// https://phenotypes.healthdatagateway.org: the ids of concepts are those of lists of codes.
		name:   "codes of the HDR UK Phenotype Library",
		header: []string{"code", "description", "coding_system", "phenotype_id"},
		roles:  map[string]role{"code": roleID, "description": roleName, "coding_system": roleScheme},
	},
	{
		name:   "LOINC MapTo",
		header: []string{"LOINC", "MAP_TO", "COMMENT"},
		roles:  map[string]role{"map_to": roleID, "loinc": roleAltIDs},
	},
	{
		name:   "LOINC answers",
		header: []string{"AnswerListId", "AnswerStringId", "DisplayText"},
		roles:  map[string]role{"answerstringid": roleID, "displaytext": roleSynonyms},
	},
	{
		name:   "LOINC consumer names",
		header: []string{"LoincNumber", "ConsumerName"},
		roles:  map[string]role{"loincnumber": roleID, "consumername": roleSynonyms},
	},
	{
		name:   "LOINC panels and forms",
		header: []string{"ParentLoinc", "Loinc", "LoincName"},
		roles:  map[string]role{"loinc": roleID, "loincname": roleSynonyms, "parentloinc": roleParents},
	},
	{
		name:   "LOINC parts",
		header: []string{"PartNumber", "PartTypeName", "PartName", "PartDisplayName"},
		roles: map[string]role{
			"partnumber": roleID, "partdisplayname": roleName, "partname": roleSynonyms, "parttypename": roleTypes,
			"status": roleStatus,
		},
	},
	{
		// https://ohdsi.github.io/CommonDataModel/cdm54.html#concept. Codes are unique within a vocabulary alone.
		name:   "OMOP CONCEPT",
		header: []string{"concept_id", "concept_name", "domain_id", "vocabulary_id", "concept_code", "invalid_reason"},
		roles: map[string]role{
			"concept_id": roleID, "concept_name": roleName, "domain_id": roleTypes, "invalid_reason": roleStatus,
			"valid_end_date": roleStatus,
		},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			if scheme, code := cell("vocabulary_id"), cell("concept_code"); scheme != "" && code != "" {
				concept.AltIDs = append(concept.AltIDs, kb.ConceptID(scheme+":"+code))
				concept.Xrefs = append(concept.Xrefs, kb.ConceptID(scheme+":"+code))
			}
			return useRow
		},
	},
	{
		// https://ohdsi.github.io/CommonDataModel/cdm54.html#concept_synonym
		name:   "OMOP CONCEPT_SYNONYM",
		header: []string{"concept_id", "concept_synonym_name", "language_concept_id"},
		roles: map[string]role{
			"concept_id": roleID, "concept_synonym_name": roleSynonyms, "language_concept_id": roleLanguage,
		},
		languages: map[string]string{"4180186": "eng", "4182504": "deu", "4182511": "spa", "0": ""},
	},
	{
		name:    "OMOP CONCEPT_RELATIONSHIP",
		header:  []string{"concept_id_1", "concept_id_2", "relationship_id", "invalid_reason"},
		roles:   map[string]role{"concept_id_1": roleID, "concept_id_2": roleParents, "invalid_reason": roleStatus},
		refused: "it has no names: take CONCEPT.csv, and this file as DictionaryOptions.Parents",
		read: func(cell func(string) string, _ *kb.Concept) rowUse {
			if !strings.EqualFold(cell("relationship_id"), "Is a") {
				return noName
			}
			return useRow
		},
	},
	{
		name:      "BioPortal",
		header:    []string{"Class ID", "Preferred Label", "Obsolete"},
		separator: "|",
		roles: map[string]role{
			"class id": roleID, "preferred label": roleName, "synonyms": roleSynonyms, "obsolete": roleStatus,
			"semantic types": roleTypes, "parents": roleParents,
		},
	},
	{
		// https://ftp.ncbi.nlm.nih.gov/gene/DATA/README
		name:      "NCBI gene_info",
		header:    []string{"tax_id", "GeneID", "Symbol", "Synonyms", "description", "type_of_gene"},
		separator: "|",
		roles: map[string]role{
			"geneid": roleID, "symbol": roleName, "full_name_from_nomenclature_authority": roleSynonyms,
			"description": roleSynonyms, "synonyms": roleSynonyms, "other_designations": roleSynonyms,
			"type_of_gene": roleTypes, "dbxrefs": roleXrefs,
		},
		read: func(_ func(string) string, concept *kb.Concept) rowUse {
			if concept.Name == "NEWENTRY" { // a place for what is known of a species besides genes
				return noName
			}
			return useRow
		},
	},
	{
		// What https://www.ncbi.nlm.nih.gov/gene sends to a file, "Tabular (text)".
		name:      "NCBI Gene, results of a search",
		header:    []string{"tax_id", "GeneID", "CurrentID", "Status", "Symbol", "Aliases", "description"},
		separator: ", ",
		roles:     map[string]role{"geneid": roleID, "symbol": roleName, "aliases": roleSynonyms},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			if current := cell("currentid"); current != "" && current != "0" {
				concept.ID = kb.ConceptID(current)
				return retiredRow
			}
			if cell("status") == "discontinued" {
				return retiredRow
			}
			others := strings.Split(cell("other_designations"), "|")
			concept.Synonyms = slices.Concat(concept.Synonyms, []string{cell("description")}, others)
			return useRow
		},
	},
	{
		name:   "NCBI gene_history",
		header: []string{"tax_id", "GeneID", "Discontinued_GeneID"},
		roles:  map[string]role{"geneid": roleID, "discontinued_geneid": roleAltIDs},
	},
	{
		// https://ftp.ncbi.nlm.nih.gov/pub/taxonomy/taxdump_readme.txt
		name:   "NCBI Taxonomy names",
		header: []string{"tax_id", "name_txt", "unique name", "name class"},
		dump:   true,
		begins: func(row []string) bool { return len(row) == 4 && isNumber(row[0]) },
		roles:  map[string]role{"tax_id": roleID, "name_txt": roleSynonyms},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			switch taxonNames[cell("name class")] {
			case roleUnused:
				return otherScope
			case roleName:
				concept.Name, concept.Synonyms = cell("name_txt"), nil
			}
			return useRow
		},
	},
	{
		name:   "merged taxa of NCBI",
		header: []string{"old_tax_id", "new_tax_id"},
		dump:   true,
		begins: func(row []string) bool { return len(row) == 2 && isNumber(row[0]) && isNumber(row[1]) },
		roles:  map[string]role{"new_tax_id": roleID, "old_tax_id": roleAltIDs},
	},
	{
		name:    "NCBI Taxonomy nodes",
		header:  []string{"tax_id", "parent tax_id", "rank"},
		dump:    true,
		begins:  func(row []string) bool { return len(row) > 4 && isNumber(row[0]) && isNumber(row[1]) },
		roles:   map[string]role{"tax_id": roleID, "parent tax_id": roleParents},
		refused: "it has no names: take names.dmp, and this file as DictionaryOptions.Parents",
	},
	{
		// The comments at the top and at the end of the file. Titles are "NAME; SYMBOL;; NAME; SYMBOL".
		name:   "OMIM mimTitles",
		header: []string{"Prefix", "MIM Number", "Preferred Title; symbol", "Alternative Title(s); symbol(s)"},
		roles:  map[string]role{"mim number": roleID},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			title := cell("preferred title; symbol")
			if moved := omimMoved.FindStringSubmatch(title); moved != nil {
				concept.ID = kb.ConceptID(moved[1])
				return retiredRow
			}
			if cell("prefix") == "Caret" {
				return retiredRow
			}
			concept.Types = omimTypes[cell("prefix")]
			names := omimNames(title)
			if len(names) == 0 {
				return noName
			}
			alternative := omimNames(cell("alternative title(s); symbol(s)"))
			concept.Name, concept.Synonyms = names[0], append(names[1:], alternative...)
			return useRow
		},
	},
	{
		name:    "OMIM genemap2 or morbidmap",
		header:  []string{"Gene/Locus And Other Related Symbols", "MIM Number"},
		refused: "it relates genes to phenotypes, whose titles are in mimTitles.txt: take that",
	},
	{
		name:    "OMIM mim2gene",
		header:  []string{"MIM Number", "MIM Entry Type (see FAQ 1.3 at https://omim.org/help/faq)"},
		refused: "it has no titles: take mimTitles.txt",
	},
	{
		// https://www.genenames.org/download/archive/
		name:      "HGNC",
		header:    []string{"hgnc_id", "symbol", "name", "alias_symbol", "prev_symbol"},
		separator: "|",
		roles: map[string]role{
			"hgnc_id": roleID, "symbol": roleName, "name": roleSynonyms, "alias_symbol": roleSynonyms,
			"alias_name": roleSynonyms, "prev_symbol": roleSynonyms, "prev_name": roleSynonyms,
			"locus_group": roleTypes, "status": roleStatus,
		},
	},
	{
		// https://www.genenames.org/download/custom/
		name:      "HGNC, a custom download",
		header:    []string{"HGNC ID", "Approved symbol", "Approved name"},
		separator: ", ",
		roles: map[string]role{
			"hgnc id": roleID, "approved symbol": roleName, "approved name": roleSynonyms,
			"alias symbols": roleSynonyms,
			"alias names":   roleSynonyms, "synonyms": roleSynonyms, "previous symbols": roleSynonyms,
			"previous symbol": roleSynonyms, "previous name": roleSynonyms, "locus group": roleTypes,
			"status": roleStatus,
		},
	},
	{
		// https://icd.who.int/browse/latest-release/mms/en, "Info", spreadsheet. Dashes before a title show its depth.
		name:   "ICD-11",
		header: []string{"Foundation URI", "Code", "Title", "ClassKind"},
		roles:  map[string]role{"code": roleID, "title": roleName, "classkind": roleTypes},
		read: func(_ func(string) string, concept *kb.Concept) rowUse {
			concept.Name = strings.TrimLeft(concept.Name, "- ")
			return useRow
		},
	},
	{
		// https://evs.nci.nih.gov/ftp1/NCI_Thesaurus/ReadMe.txt: the first synonym is the preferred name.
		name: "NCI Thesaurus",
		header: []string{
			"code", "concept IRI", "parents", "synonyms", "definition", "display name", "concept status",
			"semantic type",
		},
		begins: func(row []string) bool {
			return len(row) >= 8 && ncitCode.MatchString(row[0]) && strings.Contains(row[1], "Thesaurus.owl#")
		},
		separator: "|",
		roles: map[string]role{
			"code": roleID, "parents": roleParents, "synonyms": roleSynonyms, "concept status": roleStatus,
			"semantic type": roleTypes,
		},
		read: func(_ func(string) string, concept *kb.Concept) rowUse {
			if len(concept.Synonyms) > 0 {
				concept.Name, concept.Synonyms = concept.Synonyms[0], concept.Synonyms[1:]
			}
			return useRow
		},
	},
	{
		// Code, three columns of where it is allowed, short and long title.
		name:   "CIM-10 of ATIH",
		header: []string{"code", "mco", "ssr", "psy", "short title", "title"},
		begins: func(row []string) bool {
			return len(row) == 6 && atihCode.MatchString(row[0]) && isNumber(row[1]) && isNumber(row[2]) && isNumber(row[3])
		},
		roles: map[string]role{"code": roleID, "title": roleName, "short title": roleSynonyms},
	},
	{
		// https://ftp.ebi.ac.uk/pub/databases/chebi/Flat_file_tab_delimited/README: ID is that of the name.
		name:   "ChEBI names",
		header: []string{"ID", "COMPOUND_ID", "TYPE", "SOURCE", "NAME", "LANGUAGE"},
		roles:  map[string]role{"compound_id": roleID, "name": roleSynonyms, "language": roleLanguage},
	},
	{
		// https://ftp.ebi.ac.uk/pub/databases/chebi/flat_files/, since 2025.
		name:   "ChEBI names, since 2025",
		header: []string{"id", "compound_id", "name", "type", "status_id", "language_code"},
		roles:  map[string]role{"compound_id": roleID, "ascii_name": roleSynonyms, "language_code": roleLanguage},
	},
	{
		// PARENT_ID is the compound with which another was merged.
		name:   "ChEBI compounds",
		header: []string{"ID", "CHEBI_ACCESSION", "PARENT_ID", "NAME"},
		roles:  map[string]role{"id": roleID, "chebi_accession": roleAltIDs, "name": roleName},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			if missingValues[concept.Name] {
				concept.Name = ""
			}
			if plain := cell("ascii_name"); plain != "" { // the name has tags of HTML
				concept.Name = plain
			}
			if by := cell("parent_id"); isNumber(by) {
				concept.ID = kb.ConceptID(by)
				return retiredRow
			}
			if state := cell("status"); state == "D" || state == "O" {
				return retiredRow
			}
			return useRow
		},
	},
	{
		// https://www.informatics.jax.org/downloads/reports/: MRK_List1.rpt, which has withdrawn markers, and MRK_List2.rpt
		name:      "MGI markers",
		header:    []string{"MGI Accession ID", "Marker Symbol", "Status", "Marker Name"},
		separator: "|",
		roles: map[string]role{
			"mgi accession id": roleID, "marker symbol": roleName, "marker name": roleSynonyms,
			"marker synonyms (pipe-separated)": roleSynonyms, "feature type": roleTypes,
		},
		read: func(cell func(string) string, _ *kb.Concept) rowUse {
			if cell("status") == "W" {
				return retiredRow
			}
			return useRow
		},
	},
	{
		// https://www.nlm.nih.gov/research/umls/Snomed/core_subset.html
		name:   "CORE Problem List Subset of SNOMED CT",
		header: []string{"SNOMED_CID", "SNOMED_FSN", "SNOMED_CONCEPT_STATUS"},
		roles: map[string]role{
			"snomed_cid": roleID, "snomed_fsn": roleName, "snomed_concept_status": roleStatus, "umls_cui": roleXrefs,
			"replaced_by_snomed_cid": roleReplacedBy,
		},
		read: func(_ func(string) string, concept *kb.Concept) rowUse {
			if name, tag, ok := cutTag(concept.Name); ok {
				concept.Name, concept.Types = name, []string{tag}
			}
			return useRow
		},
	},
	{
		// http://www2.datasus.gov.br/cid10/V2008/descrcsv.htm: categories, and subcategories. Short descriptions begin
		// with the code.
		name:   "CID-10 of DATASUS",
		header: []string{"CLASSIF", "DESCRICAO", "DESCRABREV", "REFER"},
		roles:  map[string]role{"cat": roleID, "subcat": roleID, "descricao": roleName},
	},
	{
		// https://esco.ec.europa.eu/en/use-esco/download
		name:      "ESCO",
		header:    []string{"conceptType", "conceptUri", "preferredLabel", "altLabels"},
		separator: "\n",
		roles: map[string]role{
			"concepturi": roleID, "preferredlabel": roleName, "altlabels": roleSynonyms, "hiddenlabels": roleSynonyms,
			"status": roleStatus, "concepttype": roleTypes,
		},
	},
	{
		// https://www.fda.gov/drugs/drug-approvals-and-databases/ndc-product-file-definitions
		name:   "FDA, National Drug Code",
		header: []string{"PRODUCTNDC", "PRODUCTTYPENAME", "PROPRIETARYNAME", "NONPROPRIETARYNAME"},
		roles: map[string]role{
			"productndc": roleID, "proprietaryname": roleName, "nonproprietaryname": roleSynonyms,
			"producttypename": roleTypes,
		},
	},
	{
		// https://precision.fda.gov/uniisearch/archive: a row a name, whose substance is called by the display name.
		name:   "FDA, names of substances",
		header: []string{"Name", "TYPE", "UNII", "Display Name"},
		roles:  map[string]role{"unii": roleID, "display name": roleName, "name": roleSynonyms},
	},
	{
		name:   "FDA, records of substances",
		header: []string{"UNII", "PT", "RN", "INCHIKEY"},
		roles:  map[string]role{"unii": roleID, "pt": roleName},
	},
	{
		// https://download.geonames.org/export/dump/readme.txt
		name: "GeoNames",
		header: []string{
			"geonameid", "name", "asciiname", "alternatenames", "latitude", "longitude", "feature class", "feature code",
		},
		begins: func(row []string) bool {
			return len(row) == 19 && isNumber(row[0]) && coordinate.MatchString(row[4]) && coordinate.MatchString(row[5])
		},
		separator: ",",
		roles: map[string]role{
			"geonameid": roleID, "name": roleName, "alternatenames": roleSynonyms, "feature code": roleTypes,
		},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			concept.Name = cell("name") // which may have a comma
			concept.Synonyms = append(concept.Synonyms, cell("asciiname"))
			return useRow
		},
	},
	{
		// Of WHO and BfArM: level, place in the tree, kind, chapter, group, code with signs, without, without a dot,
		// title.
		name:   "ICD-10 of WHO or BfArM",
		header: []string{"level", "place", "kind", "chapter", "group", "signed code", "code", "bare code", "title"},
		begins: func(row []string) bool {
			return len(row) > 12 && len(row[0]) == 1 && strings.Contains("345", row[0]) && (row[1] == "T" || row[1] == "N") &&
				whoCode.MatchString(row[6])
		},
		roles: map[string]role{"code": roleID, "title": roleName},
	},
	{
		// https://www.uniprot.org/help/protein_names: the recommended name, others in brackets, and what the chain is cut
		// into.
		name:   "UniProt",
		header: []string{"Entry", "Entry Name", "Protein names"},
		roles:  map[string]role{"entry": roleID, "protein names": roleName, "gene names": roleSynonyms},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			names := proteinNames(concept.Name)
			genes := strings.FieldsFunc(cell("gene names"), func(r rune) bool { return r == ' ' || r == ';' })
			concept.Name, concept.Synonyms = names[0], append(names[1:], genes...)
			return useRow
		},
	},
	{
		// https://github.com/gyorilab/gilda: a row a name. The number of a gene is of its database.
		name:   "terms of Gilda",
		header: []string{"norm_text", "text", "db", "id", "entry_name", "status"},
		roles:  map[string]role{"id": roleID, "entry_name": roleName, "text": roleSynonyms},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			if db := cell("db") + ":"; !strings.HasPrefix(string(concept.ID), db) {
				concept.ID = kb.ConceptID(db) + concept.ID
			}
			return useRow
		},
	},
	{
		// https://github.com/CogStack/MedCAT: a row a name, P for the preferred one.
		name:      "MedCAT",
		header:    []string{"cui", "name", "name_status"},
		separator: "|",
		roles:     map[string]role{"cui": roleID, "name": roleSynonyms, "type_ids": roleTypes},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			if cell("name_status") == "P" && len(concept.Synonyms) > 0 {
				concept.Name, concept.Synonyms = concept.Synonyms[0], concept.Synonyms[1:]
			}
			return useRow
		},
	},
	{
		// https://spacy.io/api/entityruler: a phrase, or a list of tokens.
		name:   "patterns of spaCy",
		header: []string{"label", "pattern"},
		roles:  map[string]role{"id": roleID, "pattern": roleName, "label": roleTypes},
		read: func(_ func(string) string, concept *kb.Concept) rowUse {
			if strings.HasPrefix(concept.Name, "[{") {
				concept.Name = phraseOfTokens(concept.Name)
			}
			return useRow
		},
	},
	{
		name:    "LOINC, links of parts",
		header:  []string{"LoincNumber", "PartNumber", "PartTypeName", "LinkTypeName"},
		refused: "it relates terms to parts: take Loinc.csv or Part.csv",
	},
	{
		// https://mapping-commons.github.io/sssom/spec-model/
		name:   "SSSOM",
		header: []string{"predicate_id", "object_id"},
		refused: "it maps identifiers or wordings to identifiers and is no list of names: " +
			"take the vocabulary of the identifiers",
	},
}

// taxonNames maps the classes of names of NCBI Taxonomy to what they are. Names of other classes, such as "in-part",
// "authority" and "type material", are not those of the taxon alone or are in no text.
var taxonNames = map[string]role{
	"scientific name": roleName, "synonym": roleSynonyms, "equivalent name": roleSynonyms, "common name": roleSynonyms,
	"genbank common name": roleSynonyms, "genbank synonym": roleSynonyms, "acronym": roleSynonyms,
	"genbank acronym": roleSynonyms, "anamorph": roleSynonyms, "genbank anamorph": roleSynonyms,
	"teleomorph": roleSynonyms,
	"blast name": roleSynonyms, "misspelling": roleSynonyms, "misnomer": roleSynonyms,
}

// omimTypes maps the prefixes of OMIM entries, spelled out, to what the entry describes.
var omimTypes = map[string][]string{
	"Asterisk": {"gene"}, "Plus": {"gene", "phenotype"}, "Number Sign": {"phenotype"}, "Percent": {"phenotype"},
	"NULL": {"phenotype"},
}

var (
	omimMoved = regexp.MustCompile(`^MOVED TO (\d{6})$`)
	ncitCode  = regexp.MustCompile(`^C\d+$`)

	// What UniProt says behind the names of a protein, of its parts.
	proteinParts = regexp.MustCompile(` \[(?:Cleaved into|Includes): .*$`)

	coordinate = regexp.MustCompile(`^-?\d{1,3}\.\d+$`)
	atihCode   = regexp.MustCompile(`^[A-Z]\d{2}[\d+]* *$`)
	whoCode    = regexp.MustCompile(`^[A-Z]\d{2}(?:\.[\d-]+)?$`)
)

// omimNames returns the names and symbols in the titles of an OMIM entry.
func omimNames(titles string) []string {
	var names []string
	for name := range strings.SplitSeq(titles, ";") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// proteinNames returns the names in a cell of UniProt, such as "Aspartate aminotransferase (mAspAT) (EC 2.6.1.1)":
// first the one before the brackets at the end. Numbers of enzymes and marks of fragments are none.
func proteinNames(cell string) []string {
	cell = proteinParts.ReplaceAllString(cell, "")
	var others []string
	for strings.HasSuffix(cell, ")") {
		open, depth := len(cell)-1, 1
		for depth > 0 && open > 0 {
			switch open--; cell[open] {
			case ')':
				depth++
			case '(':
				depth--
			}
		}
		if depth > 0 || open == 0 || cell[open-1] != ' ' {
			break
		}
		name := cell[open+1 : len(cell)-1]
		if cell = cell[:open-1]; !strings.HasPrefix(name, "EC ") && !strings.HasPrefix(name, "Fragment") {
			others = append(others, name)
		}
	}
	slices.Reverse(others)
	return append([]string{cell}, others...)
}

// phraseOfTokens returns the words of a pattern of spaCy, each of whose tokens is one word, or "" for any other
// pattern.
func phraseOfTokens(pattern string) string {
	var tokens []map[string]json.RawMessage
	if json.Unmarshal([]byte(pattern), &tokens) != nil {
		return ""
	}
	words := make([]string, len(tokens))
	for i, token := range tokens {
		for attribute, value := range token {
			isWord := slices.Contains([]string{"LOWER", "TEXT", "ORTH", "NORM"}, strings.ToUpper(attribute))
			if !isWord || len(token) > 1 || json.Unmarshal(value, &words[i]) != nil {
				return ""
			}
		}
	}
	return strings.Join(words, " ")
}
