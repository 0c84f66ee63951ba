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

// columnLists are the lists of columns.txt, by their names.
var columnLists = make(map[string]string)

// headerWords say what a column has by its name: see roleOf. Those of states have [roleStatus], or one of these roles.
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

// remark is what follows "Code" in "Code (ICD-10)".
var remark = regexp.MustCompile(`\s*[(\[][^()\[\]]*[)\]]\s*$`)

// roleOf returns the role of a column from its name, such as DiseaseID, MESH_ID, icd10,
// "Preferred Label", ParentIDs, CTDCuratedSynonyms or syn1.
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

// languageSuffix is the name of a column that ends in a code of two letters, and the code.
var languageSuffix = regexp.MustCompile(`^(.+?)(?:\s*[(\[]|[_@])([A-Za-z]{2})[)\]]?$`)

// cutLanguage cuts the code of a language from the end of a column's name: "label_en", "Preferred Name (ja)".
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

// hasWord reports whether the name of a column is one of the words, and inList whether it is in a list of columns.txt.
func hasWord(words, cell string) bool { return table.Has(words, table.Plain(cell)) }

func inList(list, cell string) bool { return hasWord(columnLists[list], cell) }

// rolesOf returns the roles of the columns of a header. Only the first identifier and the
// first name are used, but name1, name2 and so on are all names, as are name_en, name_fr and so on.
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
		// The id of a name, as "id" beside "concept_id", of a species, as "tax_id" beside "GeneID", or another one.
		isOther := i < concept || ownIDs && inList("other ids", cell)
		if cols[i] == roleID && (isOther || cols[:i].has(roleID)) {
			cols[i] = roleUnused
		}
	}
	if id := cols.first(roleID); id >= 0 && hasWord("*code", header[id]) {
		for i, cell := range header { // the same code of two sources is of two concepts
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

// isQueryVariable reports whether a column is that of a variable of a SPARQL query whose labels are in another column,
// as the label service of Wikidata calls it. It joins the other labels, in a column that ends in "AltLabel", by commas.
func isQueryVariable(cell string, sorted []string) bool {
	_, hasLabel := slices.BinarySearch(sorted, cell+"Label")
	return hasLabel && cell != ""
}

// describe gives the first description in a header, a long one before others, the role of the name,
// and other long and short ones that of synonyms: they are names where a table has no others, as
// tables of codes do. Beside synonyms only what is called after an entity is a name.
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

// headerWord is a word of a column's name: "hpo_id" has hpo and id, "MESHName" MESH and Name.
var headerWord = regexp.MustCompile(`\p{Lu}+\p{Ll}*[\p{Ll}\d]*|[\p{Ll}\d]+`)

// ownerOf returns the qualifier of a column's name, the words before the last in small letters: "hpo" for hpo_name, none
// for name.
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

// isOf reports whether a name is that of what has an id, by their owners: "gene" of "ncbi gene".
func isOf(name, id []string) bool {
	shared := min(len(name), len(id))
	return shared > 0 && slices.Equal(name[len(name)-shared:], id[len(id)-shared:])
}

// keepOwn tells the names of a row's concept from those of others, where a table relates two kinds of concepts: of
// gene_id, gene_symbol, hpo_id and hpo_name the last is no name of the gene. A name whose owner has another column of
// ids is used only if the row has no other.
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
	var foreign []int // columns of names of others
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
