package formats

import (
	"archive/zip"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// bratWriter writes two files for each document.
type bratWriter struct {
	write   func(name, content string) error // writes a file
	close   func() error
	options WriterOptions
	written map[string]bool // names in lower case, because some file systems ignore case
	renamed map[string]bool // types
}

// NewBRATWriter returns a writer of BRAT. For each document it calls write twice, with the name (in one folder) and
// content of its text file and of its annotation file, both named by its identifier.
func NewBRATWriter(write func(name, content string) error, o WriterOptions) Writer {
	return &bratWriter{write, func() error { return nil }, o, make(map[string]bool), make(map[string]bool)}
}

// newBRATArchive is like [NewBRATWriter], but writes the files to w as a zip archive.
func newBRATArchive(w io.Writer, o WriterOptions) Writer {
	archive := zip.NewWriter(w)
	write := func(name, content string) error {
		file, err := archive.Create(name)
		if err == nil {
			_, err = io.WriteString(file, content)
		}
		return err
	}
	return &bratWriter{write, archive.Close, o, make(map[string]bool), make(map[string]bool)}
}

// Write implements [Writer].
func (w *bratWriter) Write(r *Record, d *linked.Document) error {
	l := newLinkedRecord(r, d)
	name := fileName(l.ID)
	if w.written[strings.ToLower(name)] {
		return fmt.Errorf("duplicate document id %q", l.ID)
	}
	w.written[strings.ToLower(name)] = true
	if name != l.ID {
		w.options.lost(l.ID, "its identifier is written as %q", name)
	}
	for i := range l.Mentions {
		kind := typeOf(&l.Mentions[i])
		if written := bratType(kind); written != kind && !w.renamed[kind] {
			w.renamed[kind] = true
			w.options.lost(l.ID, "the type %q is written as %q, also of other mentions", kind, written)
		}
		for _, c := range l.Mentions[i].Best() {
			if c != nil && strings.ContainsFunc(string(c.Concept), unicode.IsSpace) {
				return fmt.Errorf("document %q: the concept %q has a space, which cannot be written as %s, want jsonl",
					l.ID, c.Concept, BRAT)
			}
		}
	}
	var b strings.Builder
	writeANN(&b, l)
	content := printable(l.Text)
	w.options.lostControls(l.ID, l.Text)
	if rest, ok := strings.CutPrefix(content, "\ufeff"); ok { // readers would take it for a byte-order mark
		content = "\u2060" + rest
	}
	if err := w.write(name+txtExtension, content); err != nil {
		return err
	}
	return w.write(name+annExtension, b.String())
}

// Close implements [Writer].
func (w *bratWriter) Close() error { return w.close() }

// fileName turns an identifier into a file name.
func fileName(id string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, id)
	if name = strings.Trim(name, "."); name == "" {
		return "document"
	}
	return name
}

// writeANN writes the annotations of a document. Those of a BRAT source stay as they were, with new normalizations.
func writeANN(b *strings.Builder, l *linkedRecord) {
	w := &annWriter{b, map[byte]int{'N': 1, 'A': 1}, make(map[string]bool)}
	source, _ := l.source.(bratSource)
	placed, own := byPlace(l)
	if source == nil || !own {
		for i := range l.Mentions {
			m, target := &l.Mentions[i], fmt.Sprintf("T%d", i+1)
			fmt.Fprintf(w, "%s\t%s %s\t%s\n", target, bratType(typeOf(m)), bratOffsets(l, m), oneLine(m.Text))
			w.describe(target, m)
		}
		return
	}
	idOf := func(line string) string { id, _, _ := strings.Cut(line, "\t"); return id }
	relinked := make(map[string]bool) // identifiers of mentions that are relinked
	for place := range placed {
		relinked[idOf(source[place])] = true
	}
	isReplaced := func(line string) bool {
		fields := bratReference(strings.Split(line, "\t"))
		return strings.HasPrefix(line, "N") && fields != nil && relinked[fields[1]]
	}
	for _, line := range source {
		if !isReplaced(line) {
			w.keep(line)
		}
	}
	for i, line := range source {
		if isReplaced(line) {
			continue
		}
		w.WriteString(line + "\n")
		if m := placed[i]; m != nil {
			w.describe(idOf(line), m)
		}
	}
}

// annWriter writes normalizations and attributes. It numbers them after those of the lines that stay.
type annWriter struct {
	*strings.Builder
	next map[byte]int    // number of each kind, by its letter
	said map[string]bool // attributes that stay, such as "Negated T1"
}

// keep records the number of a line that stays.
func (w *annWriter) keep(line string) {
	id, said, _ := strings.Cut(line, "\t")
	if id == "" {
		return
	}
	number, _ := strconv.Atoi(id[1:])
	w.next[id[0]] = max(w.next[id[0]], number+1)
	if id[0] == 'A' {
		w.said[strings.TrimSpace(said)] = true
	}
}

// describe writes the concepts and attributes of a mention.
func (w *annWriter) describe(target string, m *linked.Mention) {
	for _, c := range m.Best() {
		if c == nil {
			continue
		}
		id := string(c.Concept)
		if !strings.Contains(id, ":") {
			id = bratDatabase + ":" + id
		}
		fmt.Fprintf(w, "N%d\tReference %s %s\t%s\n", w.next['N'], target, id, oneLine(c.Name))
		w.next['N']++
	}
	for _, name := range attributesOf(m) {
		if said := bratAttribute(name) + " " + target; !w.said[said] {
			fmt.Fprintf(w, "A%d\t%s\n", w.next['A'], said)
			w.next['A']++
		}
	}
}

// bratAttribute returns the name of an assertion's attribute in BRAT's style: "OtherPerson" for "other_person".
func bratAttribute(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// bratOffsets returns the offsets of a mention, with one range for each line of a fragment.
func bratOffsets(l *linkedRecord, m *linked.Mention) string {
	var ranges []string
	for _, fragment := range fragmentsOf(m) {
		start := fragment.Start
		for line := range strings.SplitSeq(l.between(fragment), "\n") {
			if end := start + CodePoints.count(strings.TrimSuffix(line, "\r")); end > start {
				ranges = append(ranges, fmt.Sprintf("%d %d", start, end))
			}
			start += CodePoints.count(line) + 1
		}
	}
	return strings.Join(ranges, ";")
}

// bratType replaces characters that BRAT does not allow in types: it allows letters, digits, hyphens and underscores.
func bratType(kind string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || isWord(string(r)) || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, kind)
}

// breaksToSpaces replaces each line break and tab.
var breaksToSpaces = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ", "\r", " ")

// oneLine replaces each line break and tab in s by a space.
func oneLine(s string) string { return breaksToSpaces.Replace(printable(s)) }
