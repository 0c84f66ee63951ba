package kbfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/table"
)

// Columns of a table
//
// The tables of known vocabularies have the columns of vocabularies. In others, if there is a
// header (the first row, or a comment above the rows), its names determine the columns, in
// any order: see roleOf. A header has the names of an identifier column and a column of
// names; columns with unknown names are not used, and the report says so. A header whose
// names are not known is a [*HeaderError]. Without a header, the identifier is in the first
// or the second column:
//
//	id, name [, synonyms]             if the first column is the identifier; no column of few values is synonyms
//	name, id [, synonyms|preferred]   if the second column is
//
// The identifier column is the one with more cells that look like identifiers (ASCII, no
// white space, at least one digit). If neither column has them in half of the rows, or
// both have equally many, it is the column with fewer distinct cells, and the first
// column if these are equally many too. A third column after a name and an identifier is
// synonyms if some cell contains a vertical bar, and otherwise the preferred name. "-" and
// "-1" stand for no identifier or no preferred name. The first row is taken for a header
// if it alone has a cell that does not look like an identifier, or the name of a column of
// identifiers or names and no cell that looks like an identifier.
//
// A cell may have several identifiers, parents or types, separated by vertical bars, and
// several synonyms: see Column.Separator. [Options.Columns] overrides all of this.

// role is the meaning of a column.
type role int

const (
	roleUnused role = iota
	roleID
	roleName
	rolePreferred
	roleSynonyms
	roleAltIDs
	roleXrefs
	roleParents
	roleTreeNumbers
	roleTypes
	roleStatus
	roleReplacedBy
	roleLanguage
	roleScheme
	roleMark
)

// roleLabels are the names of the roles in [ColumnRoles] and reports.
var roleLabels = [...]string{
	roleUnused:      "",
	roleID:          "id",
	roleName:        "name",
	rolePreferred:   "preferred_name",
	roleSynonyms:    "synonyms",
	roleAltIDs:      "alt_ids",
	roleXrefs:       "xrefs",
	roleParents:     "parents",
	roleTreeNumbers: "tree_numbers",
	roleTypes:       "types",
	roleStatus:      "status",
	roleReplacedBy:  "replaced_by",
	roleLanguage:    "language",
	roleScheme:      "scheme",
	roleMark:        "is_preferred",
}

// Column is a column of a table, as it was understood.
type Column struct {
	Name      string `json:"name,omitempty"`      // in the header
	Role      string `json:"role,omitempty"`      // one of [ColumnRoles]; empty if the column is not used
	Separator string `json:"separator,omitempty"` // of several names in a cell; empty if there are none
}

// ColumnChoice says what a column of a table has.
type ColumnChoice struct {
	Role   string // one of [ColumnRoles]
	Column string // name in the header, or number from 1
}

// ColumnRoles returns what a column can have.
func ColumnRoles() []string { return slices.Clone(roleLabels[roleID:]) }

// ParseColumns parses choices such as "id=Code", "name=2" and "synonyms=Synonyme". There
// may be several columns of synonyms, alt_ids, xrefs, parents and types. One column may be that of ids and of names, in
// a table without ids.
func ParseColumns(choices []string) ([]ColumnChoice, error) {
	var parsed []ColumnChoice
	for _, choice := range choices {
		label, column, _ := strings.Cut(choice, "=")
		if !slices.Contains(ColumnRoles(), label) || column == "" {
			return nil, fmt.Errorf("column %q: want ROLE=COLUMN with a role of %v", choice, ColumnRoles())
		}
		parsed = append(parsed, ColumnChoice{Role: label, Column: column})
	}
	if len(parsed) == 0 {
		return nil, nil
	}
	for _, needed := range []role{roleID, roleName} {
		if !slices.ContainsFunc(parsed, func(c ColumnChoice) bool { return c.Role == roleLabels[needed] }) {
			return nil, fmt.Errorf("columns %q: want one with the role %s", choices, roleLabels[needed])
		}
	}
	return parsed, nil
}

// chooseColumns returns the chosen columns of a table whose first row is first, and
// reports whether that row is a header: a column is chosen by its name in it, or it has
// the names of an identifier column and a name column. A column of ids and names has [roleName]; there is no [roleID]
// then.
func chooseColumns(first []string, choices []ColumnChoice) (cols columns, headed bool, err error) {
	headed = rolesOf(first).areNamed()
	for _, choice := range choices {
		at := slices.IndexFunc(first, func(cell string) bool { return strings.TrimSpace(cell) == choice.Column })
		headed = headed || at >= 0
		if number, err := strconv.Atoi(choice.Column); err == nil && at < 0 {
			at = number - 1
		}
		if at < 0 || at >= len(first) {
			return nil, false, fmt.Errorf("column %q of %s: the first row has the %d columns %q", choice.Column,
				choice.Role, len(first), first)
		}
		for len(cols) <= at {
			cols = append(cols, roleUnused)
		}
		chosen := role(slices.Index(roleLabels[:], choice.Role))
		switch both := []role{min(cols[at], chosen), max(cols[at], chosen)}; {
		case cols[at] == roleUnused, cols[at] == chosen, slices.Equal(both, []role{roleID, roleName}):
			cols[at] = max(cols[at], chosen)
		default:
			return nil, false, fmt.Errorf("column %q is %s and %s, want one of them",
				choice.Column, roleLabels[cols[at]], choice.Role)
		}
	}
	return cols, headed, nil
}

// columns is the roles of a table's columns, from left to right.
type columns []role

// rolesOf returns the roles of the columns of a header. Only the first identifier and the
// first name are used, but name1, name2 and so on are all names, as are name_en, name_fr and so on.
func rolesOf(header []string) columns {
	cols := make(columns, len(header))
	concept := slices.IndexFunc(header, func(cell string) bool { return table.Plain(cell) == "conceptid" })
	isOthers := func(cell string) bool { // of species, of synonyms, or of the rows of a database
		plain := table.Plain(cell)
		return slices.ContainsFunc(otherHeaders, func(start string) bool { return strings.HasPrefix(plain, start) })
	}
	ownIDs := slices.ContainsFunc(header, func(cell string) bool { return roleOf(cell) == roleID && !isOthers(cell) })
	for i, cell := range header {
		cols[i] = roleOf(cell)
		if isQueryVariable(cell, header) {
			cols[i] = roleID
		}
		if cols[i] == roleID && (i < concept || ownIDs && isOthers(cell)) {
			cols[i] = roleUnused // of a name, as "id" beside "concept_id", or of a species, as "tax_id" beside "GeneID"
		}
		if cols[i] == roleID && cols[:i].has(roleID) {
			cols[i] = roleUnused
		}
	}
	if id := cols.first(roleID); id >= 0 && strings.HasSuffix(table.Plain(header[id]), "code") {
		for i, cell := range header { // the same code of two sources is of two concepts
			if slices.Contains(sourceHeaders, table.Plain(cell)) {
				cols[i] = roleScheme
			}
		}
	}
	cols.keepOwn(header)
	for i, cell := range header {
		switch {
		case cols[i] != roleName, !cols[:i].has(roleName):
		case numberedName.MatchString(table.Plain(cell)), kindOfName.MatchString(table.Plain(cell)), isTranslation(cell):
			cols[i] = roleSynonyms
		default:
			cols[i] = roleUnused
		}
	}
	if !cols.has(roleName) && !cols.has(rolePreferred) {
		cols.describe(header)
	}
	return cols
}

// isTranslation reports whether the name of a column ends in the code of a language.
func isTranslation(cell string) bool {
	_, found := cutLanguage(cell)
	return found
}

// isQueryVariable reports whether a column is that of a variable of a SPARQL query whose labels are in another column,
// as the label service of Wikidata calls it. It joins the other labels, in a column that ends in "AltLabel", by commas.
func isQueryVariable(cell string, header []string) bool {
	return cell != "" && slices.Contains(header, cell+"Label")
}

// describe gives the first description in a header, a long one before others, the role of the name,
// and other long and short ones that of synonyms: they are names where a table has no others, as
// tables of codes do. Beside synonyms only what is called after an entity is a name.
func (c columns) describe(header []string) {
	headers := slices.Concat(descriptionHeaders, entityHeaders)
	if c.has(roleSynonyms) {
		headers = entityHeaders
	}
	is := func(prefixes ...string) func(string) bool {
		return func(cell string) bool {
			plain := table.Plain(cell)
			return roleOf(cell) == roleUnused && slices.ContainsFunc(prefixes,
				func(prefix string) bool { return strings.HasPrefix(plain, prefix) })
		}
	}
	described := func(cell string) bool {
		owner := ownerOf(cell)
		isOthers := len(owner) > 0 && slices.Contains(attributes, owner[len(owner)-1])
		return is(headers...)(cell) || !c.has(roleSynonyms) && !isOthers && isDescription(table.Plain(cell))
	}
	at := slices.IndexFunc(header, func(cell string) bool { return described(cell) && is("long")(cell) })
	if at < 0 {
		at = slices.IndexFunc(header, described)
	}
	for i, cell := range header {
		switch {
		case c[i] != roleUnused:
		case i == at:
			c[i] = roleName
		case described(cell) && is("long", "short")(cell):
			c[i] = roleSynonyms
		}
	}
}

var (
	// syn1, syn_2, Syns
	numberedSynonym = regexp.MustCompile(`^syns?\d*$`)
	// name2, term_3, Label 1
	numberedName = regexp.MustCompile(`^(name|term|label)\d+$`)
	// full_name, Common Name
	kindOfName = regexp.MustCompile(`^(?:full|long|short|common|scientific|official|systematic|local|vernacular)name$`)
	// what follows "Code" in "Code (ICD-10)"
	remark = regexp.MustCompile(`\s*[(\[][^()\[\]]*[)\]]\s*$`)
	// Code CIM-10, Código CIE
	codeOf = regexp.MustCompile(`^(?:code|c[oó]digo|codice)(?:icd|cim|cie|cid|snomed|loinc|atc|ccam|ops)\d*$`)
	// altLabels, Alternate Title, itemAltLabel
	alternativeName = regexp.MustCompile(`^alt.*(?:name|label|title|term)s?$|altlabels?$`)
)

// The names of columns in some other languages, in plain form.
var (
	nameHeaders = []string{
		"names", "term", "terms", "label", "labels", "preferredlabel", "str", "title", "display",
		"bezeichnung", "begriff", "benennung", "nom", "libelle", "libellé", "terme", "nombre", "término", "termino",
		"termo", "nome",
		"naam", "nazwa", "navn", "namn", "název", "название", "наименование",
		"名称", "病名", "用語", "名前", "疾病名称", "诊断名称", "中文名称", "명칭", "한글명", "질병명",
	}
	idHeaders = []string{
		"id", "identifier", "cui", "ui", "code", "concept", "child", "iri", "uri", "curie", "accession", "loincnum",
		"mimnumber", "hcpc", "unii", "concepturi", "partnumber", "partno", "itemnumber", "itemno", "articlenumber",
		"sku", "schlüssel", "kennung", "código", "codigo", "codice", "kod", "kode", "код", "コード",
		"编码", "代码", "疾病编码", "疾病代码", "诊断编码", "코드", "질병코드", "상병코드", "질병분류코드",
	}
	// Beginnings of the names of columns whose texts are names if no others are.
	descriptionHeaders = []string{"longdesc", "shortdesc", "desc", "fulldesc", "omschrijving", "beschreibung", "opis"}
	entityHeaders      = []string{"disease", "disorder", "diagnosis", "condition", "phenotype", "drug"}

	// Columns of the languages of names.
	languageHeaders = []string{"lang", "language", "languagecode", "langcode", "locale"}

	xrefHeaders = []string{"xref", "xrefs", "dbxref", "dbxrefs", "databasecrossreference", "crossreferences"}

	// Columns of the schemes of codes, which are unique within a scheme alone.
	schemeHeaders = []string{
		"system", "codesystem", "codingsystem", "scheme", "codingscheme", "codesystemname", "vocabulary",
		"vocabularyid",
		"terminology",
	}
	// The same beside codes; beside other ids, they are those of names.
	sourceHeaders = []string{"source", "sab", "sourcevocabulary", "codetype", "ontology", "icdversion"}
	// Beginnings of the names of columns whose ids are not those of concepts, if others are.
	otherHeaders   = []string{"tax", "syn", "rowid", "recordid", "user", "patient", "department"}
	synonymHeaders = []string{"othernames", "otherterms", "entryterms", "variants", "namevariants", "alsoknownas",
		"alsocalled", "aka", "abbreviation", "abbreviations", "abbr", "acronym", "acronyms", "sinónimos", "sinonimos", "sinonimi", "同義語", "別名"}
	// Whether the name of a row is the preferred one, or what kind of name it is.
	markHeaders = []string{"preferred", "ispreferred", "termtype", "nametype", "tty"}
	typeHeaders = []string{"type", "types", "semantictype", "semantictypes", "semtype", "sty", "tui", "tuis"}
)

// isDescription reports whether a column with this name, in plain form, has descriptions or titles: "icd10_description",
// "ReadcodeDescr".
func isDescription(plain string) bool {
	return slices.ContainsFunc([]string{"desc", "descr", "description", "title"},
		func(end string) bool { return strings.HasSuffix(plain, end) })
}

// roleOf returns the role of a column from its name, such as DiseaseID, MESH_ID, icd10,
// "Preferred Label", ParentIDs, CTDCuratedSynonyms or syn1.
func roleOf(cell string) role {
	cell = strings.TrimSpace(cell)
	if name, found := cutLanguage(cell); found {
		if r := roleOf(name); r.names() {
			return r
		}
	}
	plain := table.Plain(cell)
	switch {
	case plain == "treenumbers", plain == "treenumber":
		return roleTreeNumbers
	case strings.Contains(plain, "tree"), strings.Contains(plain, "category"):
		return roleUnused
	case slices.Contains(languageHeaders, plain):
		return roleLanguage
	case strings.HasPrefix(plain, "lang"): // language_id
		return roleUnused
	case isStatusHeader(plain):
		return roleStatus
	case slices.Contains(schemeHeaders, plain):
		return roleScheme
	case slices.Contains(replacedHeaders, plain):
		return roleReplacedBy
	case slices.Contains(typeHeaders, plain):
		return roleTypes
	case slices.Contains(markHeaders, plain):
		return roleMark
	case slices.Contains(xrefHeaders, plain):
		return roleXrefs
	case strings.HasPrefix(plain, "parent"):
		return roleParents
	case strings.HasPrefix(plain, "broad"), strings.HasPrefix(plain, "narrow"): // synonyms of other concepts
		return roleUnused
	case strings.Contains(plain, "synonym"), strings.Contains(plain, "alias"), strings.HasSuffix(plain, "symbol"),
		numberedSynonym.MatchString(plain), slices.Contains(synonymHeaders, plain),
		alternativeName.MatchString(plain):
		return roleSynonyms
	case strings.HasPrefix(plain, "alt"):
		return roleAltIDs
	case slices.Contains(nameHeaders, plain), strings.HasSuffix(plain, "name"), strings.HasSuffix(plain, "preferredterm"),
		strings.HasSuffix(plain, "label"),
		numberedName.MatchString(plain):
		return roleName
	case isDescription(plain):
		return roleUnused // see describe
	case slices.Contains(idHeaders, plain), strings.HasPrefix(plain, "icd"), strings.HasSuffix(plain, "code"),
		codeOf.MatchString(plain),
		strings.HasSuffix(plain, "cui"),
		strings.HasSuffix(cell, "ID"), strings.HasSuffix(cell, "Id"), strings.HasSuffix(cell, "_id"),
		strings.HasSuffix(cell, " id"):
		return roleID
	}
	if named := remark.ReplaceAllString(cell, ""); named != cell && named != "" {
		return roleOf(named)
	}
	return roleUnused
}

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

// languageSuffix is the name of a column that ends in a code of two letters, and the code.
var languageSuffix = regexp.MustCompile(`^(.+?)(?:\s*[(\[]|[_@])([A-Za-z]{2})[)\]]?$`)

// inferColumns returns the columns of a table without a header, from a sample of its rows.
func inferColumns(sample []row) columns {
	switch {
	case !firstIsID(sample):
	case hasFewValues(sample, 2): // species or types
		return columns{roleID, roleName}
	default:
		return columns{roleID, roleName, roleSynonyms}
	}
	for _, r := range sample {
		if len(r.Cells) > 2 && strings.Contains(r.Cells[2], "|") {
			return columns{roleName, roleID, roleSynonyms}
		}
	}
	return columns{roleName, roleID, rolePreferred}
}

// hasFewValues reports whether the cells of a column have each value twice on average, as synonyms have not.
func hasFewValues(sample []row, column int) bool {
	cells, values := 0, make(map[string]bool)
	for _, r := range sample {
		if column < len(r.Cells) && r.Cells[column] != "" {
			cells++
			values[r.Cells[column]] = true
		}
	}
	return cells > 1 && 2*len(values) <= cells
}

// firstIsID reports whether the first column, rather than the second, is the identifier.
func firstIsID(sample []row) bool {
	first, second := statsOf(sample, 0), statsOf(sample, 1)
	if most := max(first.idLikeCells, second.idLikeCells); first.idLikeCells != second.idLikeCells &&
		2*most >= len(sample) {
		return first.idLikeCells == most
	}
	return first.distinctCells <= second.distinctCells
}

// isHeader reports whether the first row is a header, given the column of identifiers: its
// cell does not look like an identifier, and those of all other rows do, or it has the name
// of a column of identifiers or names and no cell that looks like an identifier.
func isHeader(sample []row, id int) bool {
	if len(sample) < 2 || id < 0 || id >= len(sample[0].Cells) {
		return false
	}
	first := strings.TrimSpace(sample[0].Cells[id])
	if !isIDLike(first) && !isNone(first) && statsOf(sample[1:], id).idLikeCells == len(sample)-1 {
		return true
	}
	cols := rolesOf(sample[0].Cells)
	return (cols.has(roleID) || cols.has(roleName)) && !slices.ContainsFunc(sample[0].Cells, isIDLike)
}

// columnStats counts properties of the cells of a column.
type columnStats struct {
	idLikeCells, distinctCells int
}

func statsOf(sample []row, column int) columnStats {
	var stats columnStats
	seen := make(map[string]bool)
	for _, r := range sample {
		if column >= len(r.Cells) {
			continue
		}
		cell := r.Cells[column]
		seen[cell] = true
		if isIDLike(cell) {
			stats.idLikeCells++
		}
	}
	stats.distinctCells = len(seen)
	return stats
}

// isIDLike reports whether a cell looks like an identifier: ASCII without white space, with
// at least one digit.
func isIDLike(cell string) bool {
	digit := false
	for i := 0; i < len(cell); i++ {
		b := cell[i]
		if b <= ' ' || b >= 0x7f {
			return false
		}
		digit = digit || '0' <= b && b <= '9'
	}
	return digit
}

// areNamed reports whether the columns have identifiers and names: those of a dictionary.
func (c columns) areNamed() bool {
	return c.has(roleID) && (c.has(roleName) || c.has(roleSynonyms))
}

func (c columns) has(want role) bool { return c.first(want) >= 0 }

// first returns the index of the first column with the role, or -1.
func (c columns) first(want role) int {
	for i, have := range c {
		if have == want {
			return i
		}
	}
	return -1
}

// firstCell returns the cell in the first column with the role, trimmed, or "" if there is
// none.
func (c columns) firstCell(r row, want role) string {
	if i := c.first(want); i >= 0 && i < len(r.Cells) {
		return strings.TrimSpace(r.Cells[i])
	}
	return ""
}

// cells returns the cells, trimmed, in all columns with the role.
func (c columns) cells(r row, want role) []string {
	var cells []string
	for i, have := range c {
		if have == want && i < len(r.Cells) {
			cells = append(cells, strings.TrimSpace(r.Cells[i]))
		}
	}
	return cells
}

// names reports whether a column has names of the row's concepts.
func (r role) names() bool { return r == roleName || r == rolePreferred || r == roleSynonyms }
