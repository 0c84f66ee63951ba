package kbfile

import (
	"cmp"
	_ "embed" // the known tables
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// vocabulary is a table as distributed by its publisher: see vocabularies.txt.
type vocabulary struct {
	name, refused string
	header        []string
	begins        *regexp.Regexp
	format        Format
	roles         map[string]role // column in lower case -> role
	separator     string
	names, tags   bool
	languages     map[string]string
	conditions    map[string]condition // "where", "unless", "retired", "scope", "preferred" and "target"

	read func(*rowContent) // completes a row whose columns have been read by role; may be nil
}

// condition is met by rows with one of the values in a column, ignoring case. The column * is met by all rows.
type condition struct {
	column string // in lower case
	values []string
}

func (c condition) isMet(cell func(column string) string) bool {
	return c.column == "*" || slices.ContainsFunc(c.values, func(value string) bool { return strings.EqualFold(value, cell(c.column)) })
}

// rowUse says how a row is used.
type rowUse int

const (
	useRow     rowUse = iota
	retiredRow        // of a retired concept or name
	otherScope        // a name of something other than the concept
	noName            // not of a concept
)

// These formats are used only by known tables: the dumps of NCBI, and files that are not tables, which are refused.
const (
	dumpFormat Format = "dump"
	noTable    Format = "none"
)

//go:embed vocabularies.txt
var vocabularyList string

// vocabularies are the known tables.
var vocabularies = parseVocabularies(vocabularyList)

func parseVocabularies(list string) (parsed []*vocabulary) {
	for block := range strings.SplitSeq(list, "\n\n") {
		v := &vocabulary{roles: make(map[string]role), languages: make(map[string]string),
			conditions: make(map[string]condition)}
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			key, value, isField := strings.Cut(line, ": ")
			switch {
			case strings.HasPrefix(line, "#"):
			case !isField:
				v.name = line
			default:
				v.set(key, value)
			}
		}
		if v.name != "" {
			v.read = hooks[v.name]
			parsed = append(parsed, v)
		}
	}
	return parsed
}

func (v *vocabulary) set(key, value string) {
	switch key {
	case "header":
		v.header = strings.Split(value, ", ")
	case "begins":
		v.begins = regexp.MustCompile("^(?:" + value + ")")
	case "format":
		v.format = Format(value)
	case "roles", "languages":
		for field := range strings.SplitSeq(value, "; ") {
			name, columns, _ := strings.Cut(field, "=")
			for column := range strings.SplitSeq(columns, ", ") {
				if key == "roles" {
					v.roles[strings.ToLower(column)] = role(name)
				} else {
					v.languages[column] = name
				}
			}
		}
	case "separator":
		v.separator, _ = strconv.Unquote(value)
	case "names":
		v.names = true
	case "tags":
		v.tags = true
	case "refused":
		v.refused = value
	case "where", "unless", "retired", "scope", "preferred", "target":
		column, values, _ := strings.Cut(value, "=")
		v.conditions[key] = condition{strings.ToLower(column), strings.Split(values, "|")}
	default:
		panic("vocabularies.txt: there is no key " + key)
	}
}

// complete completes the concept of a row and decides how the row is used.
func (v *vocabulary) complete(r *rowContent) {
	if v.read != nil {
		v.read(r)
	}
	isMet := func(key string) bool { return v.conditions[key].isMet(r.cell) }
	lacks := func(key string) bool { return v.conditions[key].column != "" && !isMet(key) }
	switch {
	case r.use != useRow:
	case lacks("where"), isMet("unless"):
		r.use = noName
	case lacks("scope"):
		r.use = otherScope
	case isMet("retired"):
		r.use = retiredRow
	case len(r.Synonyms) > 0 && isMet("preferred"):
		r.Name, r.Synonyms = r.Synonyms[0], r.Synonyms[1:]
	}
	if v.tags && r.use == useRow {
		if name, tag, ok := normalize.CutTag(r.Name); ok {
			r.Name, r.Types = name, []string{tag}
		}
	}
}

// knownVocabulary returns the vocabulary with this header, or with this first row if its table has no header, or the
// first one with the given format. It returns nil if there is none.
func knownVocabulary(first []string, format Format) *vocabulary {
	at, row := columnsOf(first), strings.Join(first, "\t")
	var ofFormat *vocabulary
	for _, v := range vocabularies {
		isFormat := v.format != "" && v.format == format
		if v.format != "" && !isFormat {
			continue
		}
		lacks := func(column string) bool { _, found := at[strings.ToLower(column)]; return !found }
		if !isFormat && !slices.ContainsFunc(v.header, lacks) || v.begins != nil && v.begins.MatchString(row) {
			return v
		}
		if isFormat && ofFormat == nil && format != dumpFormat {
			ofFormat = v
		}
	}
	return ofFormat
}

// columnsOf maps the column names of a header, in lower case, to their indexes. Of equal names, the first counts.
func columnsOf(header []string) map[string]int {
	at := make(map[string]int, len(header))
	for i, column := range slices.Backward(header) {
		at[strings.ToLower(strings.TrimSpace(column))] = i
	}
	return at
}

// hooks read those columns of a vocabulary that roles do not cover.
var hooks = map[string]func(*rowContent){
	"MRCONSO":               readAtom,
	"MRCONSO with a header": readAtom,
	"MedDRA": func(r *rowContent) {
		code, preferred := r.cell("code"), r.cell("preferred")
		switch {
		case preferred != "" && r.cell("current") == "N":
			r.use = retiredRow
		case preferred != "" && preferred != code:
			r.ID, r.AltIDs = kb.ConceptID(preferred), []kb.ConceptID{kb.ConceptID(code)}
		case len(r.Synonyms) > 0:
			r.Name, r.Synonyms = r.Synonyms[0], nil
		}
	},
	"OMOP CONCEPT": func(r *rowContent) {
		if scheme, code := r.cell("vocabulary_id"), r.cell("concept_code"); scheme != "" && code != "" {
			r.AltIDs = append(r.AltIDs, kb.ConceptID(scheme+":"+code))
			r.Xrefs = append(r.Xrefs, kb.ConceptID(scheme+":"+code))
		}
	},
	"OMOP CONCEPT_RELATIONSHIP": func(r *rowContent) {
		if strings.EqualFold(r.cell("relationship_id"), "Maps to") {
			r.Xrefs, r.Parents = r.Parents, nil
		}
	},
	"NCBI Gene, results of a search": func(r *rowContent) {
		others := strings.Split(r.cell("other_designations"), "|")
		r.Synonyms = slices.Concat(r.Synonyms, []string{r.cell("description")}, others)
		if current := r.cell("currentid"); current != "" && current != "0" {
			r.ID, r.use = kb.ConceptID(current), retiredRow
		}
	},
	"OMIM mimTitles": func(r *rowContent) {
		title := r.cell("preferred title; symbol")
		if moved := omimMoved.FindStringSubmatch(title); moved != nil {
			r.ID, r.use = kb.ConceptID(moved[1]), retiredRow
			return
		}
		names := namesBySemicolons(title)
		if len(names) == 0 {
			r.use = noName
			return
		}
		alternative := namesBySemicolons(r.cell("alternative title(s); symbol(s)"))
		r.Name, r.Synonyms, r.Types = names[0], append(names[1:], alternative...), omimTypes[r.cell("prefix")]
	},
	"ICD-11": func(r *rowContent) { r.Name = strings.TrimLeft(r.Name, "- ") },
	"ChEBI compounds": func(r *rowContent) {
		if missingValues[r.Name] {
			r.Name = ""
		}
		r.Name = cmp.Or(r.cell("ascii_name"), r.Name) // which may have HTML tags
		if by := r.cell("parent_id"); by != "" && strings.Trim(by, "0123456789") == "" {
			r.ID, r.use = kb.ConceptID(by), retiredRow
		}
	},
	"GeoNames": func(r *rowContent) { r.Synonyms = append(r.Synonyms, r.cell("asciiname")) }, // which may have a comma
	"UniProt": func(r *rowContent) {
		names := proteinNames(r.Name)
		genes := strings.FieldsFunc(r.cell("gene names"), func(r rune) bool { return r == ' ' || r == ';' })
		r.Name, r.Synonyms = names[0], append(names[1:], genes...)
	},
	"terms of Gilda": func(r *rowContent) {
		if db := r.cell("db") + ":"; !strings.HasPrefix(string(r.ID), db) {
			r.ID = kb.ConceptID(db) + r.ID
		}
	},
	"patterns of spaCy": func(r *rowContent) {
		if strings.HasPrefix(r.Name, "[{") {
			r.Name = phraseOfTokens(r.Name)
		}
	},
}

// readAtom reads a row of MRCONSO. The preferred name is the preferred atom of the preferred form of the preferred
// term, or none if a concept has no such row. In RxNorm, where these fields are empty, it is the name from source
// RXNORM that is not a synonym, and its term type (IN, BN, SCD, …) is the type of the concept. The codes in the sources
// of names are identifiers in other vocabularies.
func readAtom(r *rowContent) {
	isPreferred := r.cell("ts") == "P" && r.cell("stt") == "PF" && r.cell("ispref") == "Y"
	rxnormSynonyms := []string{"SY", "TMSY", "PSN", "ET"}
	if kind := r.cell("tty"); r.cell("ts") == "" && r.cell("sab") == "RXNORM" && !slices.Contains(rxnormSynonyms, kind) {
		isPreferred, r.Types = true, append(r.Types, kind)
	}
	if isPreferred && len(r.Synonyms) > 0 {
		r.Name, r.Synonyms = r.Synonyms[0], nil
	}
	if code := r.cell("code"); code != "" && code != "NOCODE" && code != r.cell("cui") {
		r.Xrefs = append(r.Xrefs, kb.ConceptID(r.cell("sab")+":"+code))
	}
}

// omimTypes maps the prefixes of OMIM entries, spelled out, to the types of the entries.
var omimTypes = map[string][]string{
	"Asterisk": {"gene"}, "Plus": {"gene", "phenotype"}, "Number Sign": {"phenotype"}, "Percent": {"phenotype"},
	"NULL": {"phenotype"},
}

var omimMoved = regexp.MustCompile(`^MOVED TO (\d{6})$`)

// namesBySemicolons splits names at semicolons, such as names and symbols in the title of an OMIM entry.
func namesBySemicolons(list string) (names []string) {
	for name := range strings.SplitSeq(list, ";") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// proteinParts matches the list of a protein's parts after its names in UniProt.
var proteinParts = regexp.MustCompile(` \[(?:Cleaved into|Includes): .*$`)

// proteinNames returns the names in a cell of UniProt, such as "Aspartate aminotransferase (mAspAT) (EC 2.6.1.1)",
// first the one before the brackets at the end. It skips enzyme numbers and fragment marks.
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

// phraseOfTokens returns the words of a spaCy pattern in which each token is one word, or "" for any other pattern.
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
