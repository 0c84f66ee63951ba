package kbfile

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
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

	// read completes the concept of a row, whose columns have been read by their roles. Of one that is not in use
	// anymore it may set the ID to that of the concept in its place.
	read func(cell func(column string) string, concept *kb.Concept) rowUse

	// refused says why the table is not a dictionary, and what to do.
	refused string
}

// rowUse is what becomes of a row.
type rowUse int

const (
	useRow     rowUse = iota
	retiredRow        // of a concept or a name that is not in use anymore
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
				if name, tag, ok := cutTag(cell("term")); ok {
					concept.Types = append(concept.Types, tag)
					concept.Synonyms = []string{name}
				}
				concept.Name, concept.Synonyms = concept.Synonyms[0], nil
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
		refused: "it has no names: name it with --parents, and sct2_Description_Snapshot with --dict",
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
		refused: "it has no names: name sct2_Description_Snapshot with a further --dict",
	},
	{
		name:    "a reference set of SNOMED CT (RF2)",
		header:  []string{"active", "moduleId", "refsetId", "referencedComponentId"},
		refused: "it has no names: name sct2_Description_Snapshot with --dict",
	},
	{
		// https://loinc.org/kb/users-guide/loinc-database-structure/. RELATEDNAMES2 has words to search by, most of
		// which are of many concepts.
		name:   "LOINC",
		header: []string{"LOINC_NUM", "COMPONENT", "LONG_COMMON_NAME"},
		roles: map[string]role{
			"loinc_num": roleID, "long_common_name": roleName, "shortname": roleSynonyms, "displayname": roleSynonyms,
			"consumer_name": roleSynonyms, "class": roleTypes, "status": roleStatus, "map_to": roleReplacedBy,
		},
	},
	{
		name:   "LOINC MapTo",
		header: []string{"LOINC", "MAP_TO", "COMMENT"},
		roles:  map[string]role{"map_to": roleID, "loinc": roleAltIDs},
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
		},
		read: func(cell func(string) string, concept *kb.Concept) rowUse {
			if scheme, code := cell("vocabulary_id"), cell("concept_code"); scheme != "" && code != "" {
				concept.AltIDs = append(concept.AltIDs, kb.ConceptID(scheme+":"+code))
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
		refused: "it has no names: name it with --parents, and CONCEPT.csv with --dict",
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
			"type_of_gene": roleTypes,
		},
		read: func(_ func(string) string, concept *kb.Concept) rowUse {
			if concept.Name == "NEWENTRY" { // a place for what is known of a species besides genes
				return noName
			}
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
		refused: "it has no names: name it with --parents, and names.dmp with --dict",
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
		// https://ftp.ebi.ac.uk/pub/databases/chebi/Flat_file_tab_delimited/README: ID is that of the name.
		name:   "ChEBI names",
		header: []string{"ID", "COMPOUND_ID", "TYPE", "SOURCE", "NAME", "LANGUAGE"},
		roles:  map[string]role{"compound_id": roleID, "name": roleSynonyms, "language": roleLanguage},
	},
	{
		// https://mapping-commons.github.io/sssom/spec-model/
		name:   "SSSOM",
		header: []string{"subject_id", "predicate_id", "object_id"},
		refused: "it maps identifiers to each other and is no list of names: " +
			"name the vocabulary of the identifiers with --dict",
	},
}

// Types of descriptions and relationships in SNOMED CT.
const (
	rf2FullySpecifiedName = "900000000000003001"
	rf2Definition         = "900000000000550004"
	rf2IsA                = "116680003"
	rf2Preferred          = "900000000000548007"
	rf2ReplacedBy         = "900000000000526001"
	rf2SameAs             = "900000000000527005"
)

// languageReferenceSet has the columns that tell a language reference set of SNOMED CT
// (https://confluence.ihtsdotools.org/display/DOCRELFMT/5.2.4+Language+Reference+Set).
var languageReferenceSet = []string{"active", "refsetId", "referencedComponentId", "acceptabilityId"}

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
	// The last parentheses of a fully specified name of SNOMED CT.
	finalTag = regexp.MustCompile(`^(.*\S)\s+\(([^()]+)\)$`)
)

// semanticTags are the semantic tags of SNOMED CT that are in no name of their own.
var semanticTags = map[string]bool{
	"disorder": true, "finding": true, "body structure": true, "procedure": true, "substance": true, "organism": true,
	"morphologic abnormality": true, "observable entity": true, "situation": true, "event": true,
	"qualifier value": true,
	"regime/therapy":  true, "physical object": true, "product": true, "medicinal product": true, "clinical drug": true,
	"medicinal product form": true, "cell structure": true, "cell": true, "specimen": true, "occupation": true,
	"assessment scale": true, "navigational concept": true, "environment": true, "attribute": true, "person": true,
	"social concept": true, "religion/philosophy": true, "ethnic group": true, "life style": true,
	"staging scale": true, "tumor staging": true, "record artifact": true, "physical force": true,
	"geographic location": true, "dose form": true,
}

// cutTag returns a fully specified name without its semantic tag, and the tag.
func cutTag(term string) (name, tag string, ok bool) {
	parts := finalTag.FindStringSubmatch(term)
	if parts == nil {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// addUntagged adds to the synonyms of a concept its names that end in a semantic tag of SNOMED CT, without the tag,
// which no text has, and adds the tags to its types.
func addUntagged(name string, synonyms, types *[]string) {
	add := func(term string) {
		if !strings.HasSuffix(term, ")") {
			return
		}
		if untagged, tag, ok := cutTag(term); ok && semanticTags[tag] {
			*synonyms, *types = append(*synonyms, untagged), append(*types, tag)
		}
	}
	add(name)
	for _, synonym := range *synonyms {
		add(synonym)
	}
}

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

// knownVocabulary returns the vocabulary whose table has this header, or whose first row this is if it has none, or
// nil.
func knownVocabulary(first []string, dump bool) *vocabulary {
	at := columnsOf(first)
	for _, v := range vocabularies {
		if v.dump != dump {
			continue
		}
		missing := slices.ContainsFunc(v.header, func(column string) bool {
			_, found := at[strings.ToLower(column)]
			return !found
		})
		if !missing || v.begins != nil && v.begins(first) {
			return v
		}
	}
	return nil
}

// columnsOf maps the names of the columns of a header, in lower case, to their positions. Of equal names it has the
// first.
func columnsOf(header []string) map[string]int {
	at := make(map[string]int, len(header))
	for i := len(header) - 1; i >= 0; i-- {
		at[strings.ToLower(strings.TrimSpace(header[i]))] = i
	}
	return at
}

// vocabularyColumns returns the columns of a table of a vocabulary that is known, nil if it is none. It removes the
// header from the sample.
func (t *table) vocabularyColumns() columns {
	first := t.header
	if first == nil && len(t.sample) > 0 {
		first = t.sample[0].cells
	}
	v := knownVocabulary(first, t.isDump())
	if v == nil {
		return nil
	}
	switch {
	case v.begins != nil && v.begins(first):
		t.header = v.header
	case t.header == nil:
		t.header, t.sample = first, t.sample[1:]
	}
	t.vocabulary, t.at = v, columnsOf(t.header)
	cols := make(columns, len(t.header))
	for name, role := range v.roles {
		if i, found := t.at[name]; found {
			cols[i] = role
		}
	}
	return cols
}

// ReadLanguageReferenceSet returns the identifiers of the descriptions that a language reference set of SNOMED CT in
// release format 2 (der2_cRefset_LanguageSnapshot) marks as preferred, for [Options.PreferredDescriptions]. They are
// nil if the file at path is not such a set.
func ReadLanguageReferenceSet(path string, limits files.Limits) (map[string]bool, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := file.Peek(file.Size())
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	header := columnsOf(strings.Split(firstRow(head), "\t"))
	for _, column := range languageReferenceSet {
		if _, found := header[strings.ToLower(column)]; !found {
			return nil, nil
		}
	}
	c := newCollector(path, Options{Strict: true, Limits: limits})
	c.report.Format = TSV
	t, err := openTable(file.Reader, input.NewLines(file.Reader, limits), c)
	if err != nil {
		return nil, c.wrap(err)
	}
	t.vocabularyColumns()
	preferred := make(map[string]bool)
	err = t.each(func(r row) error {
		id := t.cell(r, "referencedcomponentid")
		if t.cell(r, "active") == "1" && t.cell(r, "acceptabilityid") == rf2Preferred {
			preferred[strings.Clone(id)] = true
			c.rowBytes = 0
			c.charge(mapEntrySize, id)
		}
		return nil
	})
	if err != nil {
		return nil, c.wrap(err)
	}
	return preferred, nil
}

// mark marks the name of a row as preferred, or not, as a language reference set says.
func (t *table) mark(r row, concept *kb.Concept) {
	preferred := t.c.opts.PreferredDescriptions
	id, isRF2 := t.at["id"]
	if preferred == nil || !isRF2 || !t.vocabulary.names {
		return
	}
	concept.Synonyms, concept.Name = concept.Names(), ""
	if preferred[r.cells[id]] {
		concept.Name, concept.Synonyms = concept.Synonyms[0], nil
	}
}

// errRefused returns the error for a table of a vocabulary that has no names.
func (v *vocabulary) errRefused() error { return fmt.Errorf("the table is %s: %s", v.name, v.refused) }

// errFull is the error for a release of SNOMED CT with the history of its rows.
var errFull = errors.New("the file has several states of one row, as the Full files of SNOMED CT have: " +
	"want the Snapshot file")

// checkSnapshot returns errFull if the sample has an identifier of a row twice.
func (t *table) checkSnapshot() error {
	id, isRF2 := t.at["id"]
	if _, dated := t.at["effectivetime"]; !dated || !isRF2 {
		return nil
	}
	seen := make(map[string]bool)
	for _, r := range t.sample {
		if id < len(r.cells) {
			if seen[r.cells[id]] {
				return errFull
			}
			seen[r.cells[id]] = true
		}
	}
	return nil
}

func isNumber(cell string) bool {
	return cell != "" && strings.Trim(cell, "0123456789") == ""
}

// Words that say in a cell of a column of states that a row is not in use anymore, in lower case.
var retiredWords = []string{
	"deprecated", "retired", "obsolete", "withdrawn", "inactive", "invalid", "removed", "merged", "suppressed",
	"deleted", "superseded", "replaced",
}

// Names of columns of states, in plain form, and of what takes the place of a row.
var (
	// Whether a row is in use.
	activeHeaders = []string{"active", "isactive", "iscurrent", "enabled"}
	// Whether, when or why it is not in use anymore.
	obsoleteHeaders = []string{
		"obsolete", "isobsolete", "deprecated", "isdeprecated", "retired", "isretired", "inactive", "isinactive",
		"withdrawn", "invalid", "invalidreason", "isinvalid", "suppress", "suppressed",
	}
	statusHeaders   = []string{"status", "conceptstatus", "termstatus", "entrystatus", "lifecyclestatus"}
	replacedHeaders = []string{"replacedby", "isreplacedby", "termreplacedby", "mapto", "mergedinto", "supersededby"}
)

// What cells have for "no", and for no value, in lower case.
var (
	noCells    = []string{"0", "false", "no", "n", "f"}
	emptyCells = []string{"", "-", `\n`, "none", "null", "na", "n/a"}
)

// isStatusHeader reports whether a column with this name, in plain form, has the states of rows.
func isStatusHeader(plain string) bool {
	return slices.Contains(activeHeaders, plain) || slices.Contains(obsoleteHeaders, plain) ||
		slices.Contains(statusHeaders, plain)
}

// isRetired reports whether a cell says that its row is not in use anymore, given the name of its column.
func isRetired(column, cell string) bool {
	column, cell = plainHeader(column), strings.ToLower(strings.TrimSpace(cell))
	isNo := slices.Contains(noCells, cell)
	said := slices.ContainsFunc(retiredWords, func(word string) bool { return strings.Contains(cell, word) })
	switch {
	case slices.Contains(activeHeaders, column):
		return isNo || said
	case slices.Contains(obsoleteHeaders, column):
		return !isNo && !slices.Contains(emptyCells, cell) && cell != "active" && cell != "valid"
	}
	return said
}

// retire records identifiers of concepts that are not in use anymore, so that names in other files do not bring them
// back.
func (c *collector) retire(ids ...kb.ConceptID) {
	if c.report.Retired == nil {
		c.report.Retired = make(map[kb.ConceptID]bool)
	}
	for _, id := range ids {
		if !c.report.Retired[id] {
			id = kb.ConceptID(strings.Clone(string(id)))
			c.report.Retired[id] = true
			c.charge(mapEntrySize, string(id))
		}
	}
}

// replace records that a concept which is not in use anymore was replaced by another.
func (c *collector) replace(old, by kb.ConceptID) {
	if old == "" || by == "" || old == by {
		return
	}
	if c.replaced == nil {
		c.replaced = make(map[kb.ConceptID]kb.ConceptID)
	}
	if _, known := c.replaced[old]; !known {
		c.replaced[kb.ConceptID(strings.Clone(string(old)))] = kb.ConceptID(strings.Clone(string(by)))
		c.charge(mapEntrySize, string(old), string(by))
	}
}

// withReplaced returns the dictionary in which identifiers of concepts that were replaced are alternative identifiers
// of the concept that is in use in their place, if there is one, and their number.
func withReplaced(d *kb.Dictionary, replaced map[kb.ConceptID]kb.ConceptID) (*kb.Dictionary, int) {
	concepts := make([]kb.Concept, 0, d.Len()+len(replaced))
	for i := range d.Len() {
		concepts = append(concepts, *d.At(i))
	}
	for _, old := range slices.Sorted(maps.Keys(replaced)) {
		if d.Lookup(old) != nil {
			continue
		}
		by := replaced[old]
		for range len(replaced) { // the replacement may have been replaced itself; a cycle ends here, too
			next, again := replaced[by]
			if !again || d.Lookup(by) != nil {
				break
			}
			by = next
		}
		if c := d.Lookup(by); c != nil {
			concepts = append(concepts, kb.Concept{ID: c.ID, AltIDs: []kb.ConceptID{old}})
		}
	}
	n := len(concepts) - d.Len()
	if n == 0 {
		return d, 0
	}
	return kb.NewDictionary(concepts), n
}

// WithoutRetired returns the dictionary without the concepts of which another file says that they are not in use
// anymore, and their number.
func WithoutRetired(d *kb.Dictionary, retired map[kb.ConceptID]bool) (*kb.Dictionary, int) {
	var kept []kb.Concept
	for i := range d.Len() {
		if c := d.At(i); !retired[c.ID] {
			kept = append(kept, *c)
		}
	}
	if len(kept) == d.Len() {
		return d, 0
	}
	return kb.NewDictionary(kept), d.Len() - len(kept)
}
