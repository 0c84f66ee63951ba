package kbfile

import (
	_ "embed" // the names of columns
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/table"
)

//go:embed columns.txt
var columnList string

// columnLists are the lists in columns.txt, by name.
var columnLists = make(map[string]string)

// headerWords maps column names to roles (see roleOf), and those of states to roleStatus, stateActive and so on.
var headerWords = func() table.Words[role] {
	var words []table.Word[role]
	for line := range strings.Lines(columnList) {
		has, names, isWords := strings.Cut(line, ": ")
		if line[0] == '#' || !isWords {
			continue
		}
		if list, isList := strings.CutPrefix(has, "list "); isList {
			columnLists[list] = names
			continue
		}
		if has == string(stateObsolete) {
			for word := range strings.FieldsSeq(names) {
				for _, end := range []string{"since", "date", "on", "at", "in", "reason", "flag", "version", "inversion"} {
					names += " " + word + end
				}
			}
		}
		words = append(words, table.Word[role]{Role: role(has), Names: names})
	}
	return table.NewWords(words)
}()

// remark matches a remark in brackets at the end of a name, as in "Code (ICD-10)".
var remark = regexp.MustCompile(`\s*[(\[][^()\[\]]*[)\]]\s*$`)

// roleOf returns the role of a column from its name, such as DiseaseID, MESH_ID, icd10, "Preferred Label", ParentIDs,
// CTDCuratedSynonyms or syn1.
func roleOf(cell string) role {
	cell = strings.TrimSpace(cell)
	if name, found := cutLanguage(cell); found {
		if r := roleOf(name); r.names() {
			return r
		}
	}
	switch r, found := headerWords.Role(table.Plain(cell)); {
	case r == stateActive, r == stateEnd, r == stateObsolete:
		return roleStatus
	case found:
		return r
	}
	for _, end := range []string{"ID", "Id", "_id", " id"} {
		if strings.HasSuffix(cell, end) {
			return roleID
		}
	}
	if named := remark.ReplaceAllString(cell, ""); named != cell && named != "" {
		return roleOf(named)
	}
	return roleUnused
}

// languageSuffix matches a column name that ends in a two-letter code, and captures both.
var languageSuffix = regexp.MustCompile(`^(.+?)(?:\s*[(\[]|[_@])([A-Za-z]{2})[)\]]?$`)

// cutLanguage cuts the language code from the end of a column name: "label_en", "Preferred Name (ja)".
func cutLanguage(cell string) (name string, found bool) {
	parts := languageSuffix.FindStringSubmatch(cell)
	if parts == nil {
		return cell, false
	}
	for _, code := range languageNames {
		found = found || strings.EqualFold(code, parts[2])
	}
	return parts[1], found
}

// hasWord reports whether a column name is one of the words, and inList whether it is in a list of columns.txt.
func hasWord(words, cell string) bool { return table.Has(words, table.Plain(cell)) }

func inList(list, cell string) bool { return hasWord(columnLists[list], cell) }

// rolesOf returns the roles of the columns of a header. Only the first identifier and the first name are used, but
// name1, name2 and so on, or name_en, name_fr and so on, are all used as names.
func rolesOf(header []string) columns {
	cols := make(columns, len(header))
	concept := slices.IndexFunc(header, func(cell string) bool { return hasWord("conceptid", cell) })
	ownIDs := slices.ContainsFunc(header,
		func(cell string) bool { return roleOf(cell) == roleID && !inList("other ids", cell) })
	sorted := slices.Sorted(slices.Values(header))
	for i, cell := range header {
		cols[i] = roleOf(cell)
		if isQueryVariable(cell, sorted) {
			cols[i] = roleID
		}
		// The id of a name ("id" beside "concept_id") or of a species ("tax_id" beside "GeneID"), or another id.
		isOther := i < concept || ownIDs && inList("other ids", cell)
		if cols[i] == roleID && (isOther || cols[:i].has(roleID)) {
			cols[i] = roleUnused
		}
	}
	if id := cols.first(roleID); id >= 0 && hasWord("*code", header[id]) {
		for i, cell := range header { // the same code from two sources means two concepts
			if inList("sources", cell) {
				cols[i] = roleScheme
			}
		}
	}
	cols.keepOwn(header)
	for i, cell := range header {
		if cols[i] == roleName && cols[:i].has(roleName) {
			cols[i] = roleUnused
			if _, inLanguage := cutLanguage(cell); inLanguage || inList("more names", cell) {
				cols[i] = roleSynonyms
			}
		}
	}
	if !cols.has(roleName) && !cols.has(rolePreferred) {
		cols.describe(header)
	}
	return cols
}

// isQueryVariable reports whether a column holds a SPARQL variable whose labels are in another column, as named by
// Wikidata's label service. That service joins the other labels by commas, in a column that ends in "AltLabel".
func isQueryVariable(cell string, sorted []string) bool {
	_, hasLabel := slices.BinarySearch(sorted, cell+"Label")
	return hasLabel && cell != ""
}

// describe uses the first description in a header as the name, preferring a long one, and other long and short
// descriptions as synonyms: they are the names in tables without other names, such as tables of codes. If there are
// synonyms, only a column named after an entity is a name.
func (c columns) describe(header []string) {
	list, hasSynonyms := "descriptions", c.has(roleSynonyms)
	if hasSynonyms {
		list = "entities"
	}
	described := func(cell string) bool {
		isOthers := lastIs("attributes", ownerOf(cell))
		return roleOf(cell) == roleUnused && inList(list, cell) ||
			!hasSynonyms && !isOthers && inList("description ends", cell)
	}
	isKind := func(cell, kinds string) bool {
		return roleOf(cell) == roleUnused && described(cell) && hasWord(kinds, cell)
	}
	at := slices.IndexFunc(header, func(cell string) bool { return isKind(cell, "long*") })
	if at < 0 {
		at = slices.IndexFunc(header, described)
	}
	for i, cell := range header {
		switch {
		case c[i] != roleUnused:
		case i == at:
			c[i] = roleName
		case isKind(cell, "long* short*"):
			c[i], hasSynonyms = roleSynonyms, true
		}
	}
}

// headerWord matches a word in a column name: hpo and id in "hpo_id", MESH and Name in "MESHName".
var headerWord = regexp.MustCompile(`\p{Lu}+\p{Ll}*[\p{Ll}\d]*|[\p{Ll}\d]+`)

// ownerOf returns the qualifier of a column name, the words before the last in lower case: "hpo" for hpo_name, none for
// name.
func ownerOf(cell string) []string {
	var words []string
	for _, word := range headerWord.FindAllString(cell, -1) {
		capitals := len(word) - len(strings.TrimLeft(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		if capitals > 1 && capitals < len(word) { // MESHName
			words = append(words, strings.ToLower(word[:capitals-1]))
			word = word[capitals-1:]
		}
		words = append(words, strings.ToLower(word))
	}
	return words[:max(0, len(words)-1)]
}

// lastIs reports whether the last word of an owner is in a list of columns.txt.
func lastIs(list string, owner []string) bool {
	return len(owner) > 0 && inList(list, owner[len(owner)-1])
}

// isOf reports whether a name column belongs to an id column, given their owners: "gene" belongs to "ncbi gene".
func isOf(name, id []string) bool {
	shared := min(len(name), len(id))
	return shared > 0 && slices.Equal(name[len(name)-shared:], id[len(id)-shared:])
}

// keepOwn separates the names of a row's concept from those of others in tables that relate two kinds of concepts: in a
// table with gene_id, gene_symbol, hpo_id and hpo_name, the last is not a name of the gene. A name whose owner has
// another column of ids is used only if the row has no other name.
func (c columns) keepOwn(header []string) {
	id := c.first(roleID)
	if id < 0 {
		return
	}
	owner := ownerOf(header[id])
	var others [][]string // owners of the other columns of ids
	for _, cell := range header {
		if cell != header[id] && roleOf(cell) == roleID {
			others = append(others, ownerOf(cell))
		}
	}
	var foreign []int // name columns of other concepts
	own, named := -1, false
	for i, cell := range header {
		role := roleOf(cell)
		if role != roleName && role != roleSynonyms {
			continue
		}
		name := ownerOf(cell)
		isOthers := slices.ContainsFunc(others, func(other []string) bool { return isOf(name, other) })
		switch {
		case isOf(name, owner):
			if role == roleName && own < 0 {
				own = i
			}
			named = true
		case lastIs("attributes", name):
			c[i] = roleUnused
		case isOthers, lastIs("organisms", name):
			foreign = append(foreign, i)
		case c[i] != roleUnused:
			named = true
		}
	}
	if !named {
		return
	}
	for _, i := range foreign {
		c[i] = roleUnused
	}
	if own >= 0 && !c.has(roleName) {
		c[own] = roleName
	}
}
