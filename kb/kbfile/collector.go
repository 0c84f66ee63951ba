package kbfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// collector collects the concepts of one file and counts what it skips.
type collector struct {
	file       string
	opts       Options
	report     *Report // separate, because it outlives the concepts
	concepts   kb.Builder
	edges      []Edge // that are listed apart from the concepts
	positions  []treePosition
	replaced   map[kb.ConceptID]kb.ConceptID // a retired concept -> its replacement
	named      map[string]kb.ConceptID       // name in lower case -> its concept, if names are ids
	schemes    map[kb.ConceptID]string       // of identifiers, if the file gives them
	inputNames int                           // number of non-empty names in the file, including duplicates

	members   []string       // of JSON objects, unused
	languages map[string]int // language -> number of its names, which are skipped
	markedUp  string         // the first name that had markup
	mojibake  string         // the first name that was repaired

	kept int64 // approximate size of the dictionary in bytes
	full error // the limit that kept exceeds; ends reading
}

func newCollector(file string, opts Options) *collector {
	if opts.Language == "" {
		opts.Language = defaultLanguage
	}
	opts.Limits = opts.Limits.WithDefaults()
	report := &Report{Counts: make(map[string]int), Retired: make(map[kb.ConceptID]bool), Sources: make(map[kb.ConceptID]bool)}
	return &collector{file: file, opts: opts, kept: opts.Memory, report: report, languages: make(map[string]int),
		replaced: make(map[kb.ConceptID]kb.ConceptID), named: make(map[string]kb.ConceptID),
		schemes: make(map[kb.ConceptID]string)}
}

// recordCost is the approximate size of a concept or a name without its text, and idCost that of another id, in bytes.
const (
	recordCost = 64
	idCost     = 32
)

// charge counts bytes towards the limit for all dictionaries: all rows that were read, even if they are skipped, but of
// the long rows of UMLS only the parts that were added; and the overhead of each record.
func (c *collector) charge(bytes int) {
	if c.kept += int64(bytes); c.full == nil {
		c.full = c.opts.Limits.CheckInMemory("a dictionary", c.kept)
	}
}

// add adds a concept, or further names of a concept.
func (c *collector) add(concept kb.Concept) {
	if c.full != nil {
		return
	}
	if separator := c.opts.Separator; separator != "" {
		var synonyms []string
		for _, name := range concept.Synonyms {
			synonyms = append(synonyms, namesIn(name, separator)...)
		}
		names := namesIn(concept.Name, separator)
		concept.Name, concept.Synonyms = names[0], append(names[1:], synonyms...)
	}
	if obsoleteLabel.MatchString(concept.Name) {
		c.report.Counts[obsoleteTerms]++
		return
	}
	concept.Name = c.clean(concept.Name)
	for i, name := range concept.Synonyms {
		concept.Synonyms[i] = c.clean(name)
	}
	size := recordCost + idCost*(len(concept.AltIDs)+len(concept.Xrefs)+len(concept.Parents))
	for _, name := range concept.Names() {
		if size += recordCost + len(name); strings.TrimSpace(name) == "" {
			c.report.Counts[emptyNames]++
		} else {
			c.inputNames++
		}
	}
	if c.charge(size); c.full == nil {
		c.concepts.Add(&concept)
	}
}

// addChecked adds the concept of a line, or rejects it if an id is malformed. line is 0 in a format without lines.
func (c *collector) addChecked(line int, concept kb.Concept) error {
	if bad := checkIDs([]kb.ConceptID{concept.ID}, concept.AltIDs, concept.Xrefs, concept.Parents); bad != nil {
		return c.reject(line, bad)
	}
	c.add(concept)
	return nil
}

// otherScheme records the scheme of an identifier, which is unique only within its scheme. It returns the earlier
// scheme of the identifier, and whether that is a different one.
func (c *collector) otherScheme(id kb.ConceptID, scheme string) (before string, isOther bool) {
	before, known := c.schemes[id]
	if !known {
		c.schemes[id] = scheme
	}
	return before, known && before != scheme
}

// term is a concept of an ontology, which may be obsolete.
type term struct {
	kb.Concept
	line       int // where it begins; 0 in a format without lines
	obsolete   bool
	replacedBy []kb.ConceptID
}

// addValue adds the value of a property with a role. The first preferred name is the name of the concept.
func (t *term) addValue(role role, value string) {
	switch id := kb.ConceptID(value); {
	case role == roleName && t.Name == "":
		t.Name = value
	case role == roleName, role == roleSynonyms, role == rdfLiteralForm:
		t.Synonyms = append(t.Synonyms, value)
	case role == roleAltIDs:
		t.AltIDs = append(t.AltIDs, id)
	case role == roleXrefs:
		t.Xrefs = append(t.Xrefs, id)
	case role == roleParents:
		t.Parents = append(t.Parents, id)
	case role == roleReplacedBy:
		t.replacedBy = append(t.replacedBy, id)
	case role == roleTypes:
		t.Types = append(t.Types, value)
	}
}

// addTerm adds the concept of a term. If the term is obsolete, its identifiers lead to its replacement, unless there is
// none or several: which of several is right depends on the use.
func (c *collector) addTerm(t *term) error {
	if !t.obsolete {
		return c.addChecked(t.line, t.Concept)
	}
	c.report.Counts[obsoleteTerms]++
	slices.Sort(t.replacedBy)
	by := slices.DeleteFunc(slices.Compact(t.replacedBy), func(id kb.ConceptID) bool { return id == "" })
	if len(by) == 1 {
		for _, old := range append(t.AltIDs, t.ID) {
			c.replace(old, by[0])
		}
	}
	return nil
}

// addEdge adds an edge that is listed apart from the concepts.
func (c *collector) addEdge(edge Edge) {
	c.charge(2 * idCost)
	c.edges = append(c.edges, edge)
}

// wants reports whether names in this language are wanted. If not, it counts the name.
func (c *collector) wants(language string) bool {
	wanted := c.selects(language)
	if !wanted {
		c.leaveOut(language)
	}
	return wanted
}

// selects reports whether the options select names in this language.
func (c *collector) selects(language string) bool { return selectsLanguage(c.opts.Language, language) }

// leaveOut counts a name in an unwanted language.
func (c *collector) leaveOut(language string) {
	if _, known := c.languages[language]; !known {
		language = strings.Clone(language) // does not keep the row in memory
		c.charge(recordCost)
	}
	c.languages[language]++
}

// badRow calls [collector.reject] with what the format requires and what the row has instead.
func (c *collector) badRow(line int, want, got string) error {
	return c.reject(line, &input.LineError{Want: want, Got: got})
}

// reject records a malformed row. It returns the row's error if the options are strict,
// and otherwise nil: reading continues.
func (c *collector) reject(line int, bad *input.LineError) error {
	row := c.rowError(line, bad)
	c.report.BadRows++
	if len(c.report.Errors) < maxErrors {
		c.report.Errors = append(c.report.Errors, row)
	}
	if c.opts.Strict {
		return row
	}
	return nil
}

// rowError returns the error for a malformed row, which may also end the file.
func (c *collector) rowError(line int, bad *input.LineError) *RowError {
	return &RowError{c.file, line, bad.Want, bad.Got}
}

// nextLine returns the next line. Lines that are too long or not UTF-8 count as malformed rows and are skipped.
func (c *collector) nextLine(lines *input.Lines) (string, error) {
	for {
		if c.full != nil {
			return "", fmt.Errorf("line %d: %w", lines.Number(), c.full)
		}
		text, err := lines.Next()
		bad, ok := err.(*input.LineError)
		if err == nil && strings.IndexByte(text, 0) >= 0 {
			bad, ok = hasNUL(text), true
		}
		if c.charge(len(text)); !ok {
			return text, err
		}
		c.report.Rows++
		if err := c.reject(lines.Number(), bad); err != nil {
			return "", err
		}
	}
}

// hasNUL returns the error for a row with a NUL byte, which occurs in UTF-16 without a byte-order mark.
func hasNUL(text string) *input.LineError {
	return &input.LineError{Want: "UTF-8, without NUL bytes", Got: input.Quote(text)}
}

// checkIDs returns an error if an id contains characters that a line of a document cannot hold, or nil.
func checkIDs(lists ...[]kb.ConceptID) *input.LineError {
	for _, ids := range lists {
		for _, id := range ids {
			if strings.ContainsFunc(string(id), unicode.IsControl) {
				return &input.LineError{Want: "an id without control characters", Got: input.Quote(string(id))}
			}
			if strings.ContainsFunc(string(id), isInvisible) {
				return &input.LineError{Want: "an id without invisible characters", Got: input.Quote(string(id))}
			}
		}
	}
	return nil
}

// eachLine calls row for each line that is not blank.
func (c *collector) eachLine(lines *input.Lines, row func(text string, line int) error) error {
	for {
		text, err := c.nextLine(lines)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		c.report.Rows++
		if err := row(text, lines.Number()); err != nil {
			return err
		}
	}
}

// dictionary returns the dictionary of the collected concepts and completes the report.
func (c *collector) dictionary() *kb.Dictionary {
	d := c.concepts.Dictionary()
	if edges := append(c.edges, edgesOfTree(c.positions)...); len(edges) > 0 {
		d, _ = WithParents(d, edges)
	}
	d, replaced := withReplaced(d, c.replaced)
	c.count("replaced terms", replaced)
	maps.DeleteFunc(c.report.Retired, func(id kb.ConceptID, _ bool) bool {
		at, living := d.Index(id)
		return living && d.At(at).ID == id
	})
	c.count("repeated names", c.inputNames-d.CountNames())
	d = c.addBareNames(d)
	c.report.Concepts = d.Len()
	c.report.Names = d.CountNames()
	c.report.Memory = c.kept
	c.noteDoubts(d)
	return d
}

// These are the keys of [Report.Counts] that are counted while rows are read.
const (
	obsoleteTerms = "obsolete terms"
	otherNames    = "narrow, broad or other names left out"
	rowsWithoutID = "rows without an id"
	emptyNames    = "empty names"
	extraCells    = "cells behind the last column"
	markupNames   = "names with entities or tags of HTML"
	repairedNames = "names decoded twice"
)

// count adds to a count of the report.
func (c *collector) count(what string, n int) {
	if n > 0 {
		c.report.Counts[what] += n
	}
}

// note adds a sentence to the report.
func (c *collector) note(format string, args ...any) {
	c.report.Notes = append(c.report.Notes, fmt.Sprintf(format, args...))
}

// noteDoubts counts the other ids of a dictionary, and reports what was skipped or may have been misunderstood.
func (c *collector) noteDoubts(d *kb.Dictionary) {
	if len(c.members) > 0 {
		c.note("members not used: %q", c.members)
	}
	if len(c.languages) > 0 {
		c.note("skipped names in other languages: %s", counts(c.languages))
	}
	if c.markedUp != "" {
		c.note("entities and tags of HTML in names were read as text, such as %q", c.markedUp)
	}
	if c.mojibake != "" {
		c.note("names such as %q look as if UTF-8 had been read in another encoding, and were repaired", c.mojibake)
	}
	listLike, first, named := 0, "", "" // named: a name that is used as a parent
	parents := unknownParents(d)
	for _, concept := range d.All() {
		c.count("alternative ids", len(concept.AltIDs))
		c.count("ids of other vocabularies", len(concept.Xrefs))
		for _, name := range concept.Names() {
			if slices.ContainsFunc(cellSeparators, func(separator string) bool { // too many names have commas
				return strings.Contains(name, separator) && len(namesIn(name, separator)) > 1
			}) {
				listLike++
				first = cmp.Or(first, name)
			}
			if named == "" && parents[name] {
				named = name
			}
		}
	}
	if listLike > 0 {
		c.note("names that look like lists but are read as single names: %d, such as %q", listLike, first)
	}
	r := c.report
	id := slices.IndexFunc(r.Columns, func(column Column) bool { return column.Role == string(roleID) })
	if r.Vocabulary == "" && id >= 0 && r.Names >= leastNames && r.Names > namesPerID*r.Concepts {
		c.note("%d ids for %d names; the ids may be in a column other than %q: set DictionaryOptions.Columns",
			r.Concepts, r.Names, r.Columns[id].Name)
	}
	if named != "" {
		c.note("no parent is an id of the dictionary; %q is a name", named)
	}
}

// A table of an unknown vocabulary with at least leastNames names, and more than namesPerID names per id, probably has
// its ids in another column: the chosen one may identify, for instance, the kind of record.
const leastNames, namesPerID = 100, 50

// clean returns a name without markup (see [normalize.Markup]), repaired if it was decoded twice, and counts both.
func (c *collector) clean(name string) string {
	plain := normalize.WithoutMarkup(name)
	if plain != name {
		c.report.Counts[markupNames]++
		c.markedUp = cmp.Or(c.markedUp, strings.Clone(name))
	}
	whole := repaired(plain)
	if whole != plain {
		c.report.Counts[repairedNames]++
		c.mojibake = cmp.Or(c.mojibake, strings.Clone(name))
	}
	return whole
}

// unknownParents returns the parents of all concepts, or nil if one of them is an id of the dictionary.
func unknownParents(d *kb.Dictionary) map[string]bool {
	parents := make(map[string]bool)
	for _, c := range d.All() {
		for _, parent := range c.Parents {
			if _, known := d.Index(parent); known {
				return nil
			}
			parents[string(parent)] = true
		}
	}
	return parents
}

// wrap adds the file name to an error, except to a RowError, which already has it.
func (c *collector) wrap(err error) error {
	var named *RowError
	if err == nil || errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", c.file, err)
}

// errEmpty returns the error for a file without concepts.
func (c *collector) errEmpty() error {
	if c.opts.edgesOnly {
		return fmt.Errorf("%s: %w", c.file, ErrNoParents)
	}
	err := fmt.Errorf("%s: no concept in %d rows of %s", c.file, c.report.Rows, c.report.Format)
	if len(c.languages) > 0 {
		err = fmt.Errorf("%w; names in other languages than %s: %s", err, c.opts.Language,
			counts(c.languages))
	}
	if len(c.report.Errors) > 0 {
		err = fmt.Errorf("%w; the first malformed row is %w", err, c.report.Errors[0])
	}
	return err
}

// counts lists the largest counts of a map: "FRE 10, GER 2".
func counts(of map[string]int) string {
	const shown = 20
	keys := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
	var listed []string
	for _, key := range keys[:min(len(keys), shown)] {
		listed = append(listed, fmt.Sprintf("%s %d", key, of[key]))
	}
	if len(keys) > shown {
		listed = append(listed, fmt.Sprintf("and %d more", len(keys)-shown))
	}
	return strings.Join(listed, ", ")
}

// isNone reports whether a cell is a placeholder for a missing value.
func isNone[T ~string](cell T) bool { return cell == "-" || cell == "-1" }

// splitIDs returns the identifiers in a cell, separated by vertical bars: "D001|D002".
func splitIDs(cell string) []kb.ConceptID {
	var ids []kb.ConceptID
	for id := range strings.SplitSeq(cell, "|") {
		if id := trimID(kb.ConceptID(id)); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// trimIDs trims ids in place.
func trimIDs(ids []kb.ConceptID) []kb.ConceptID {
	for i, id := range ids {
		ids[i] = trimID(id)
	}
	return ids
}

// trimID returns an id without surrounding white space and invisible characters, and without the apostrophe with which
// spreadsheets mark text.
func trimID(id kb.ConceptID) kb.ConceptID {
	trimmed := strings.TrimFunc(string(id), func(r rune) bool { return unicode.IsSpace(r) || isInvisible(r) })
	if typed, found := strings.CutPrefix(trimmed, "'"); found && !strings.Contains(typed, "'") {
		trimmed = typed
	}
	return kb.ConceptID(trimmed)
}

// isInvisible reports whether r is a byte-order mark or a zero-width space, which copied tables may contain.
func isInvisible(r rune) bool { return r == '\uFEFF' || r == '\u200B' || r == '\u2060' }
