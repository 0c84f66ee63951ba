package formats

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// A document of BRAT (https://brat.nlplab.org/standoff.html) is a text file with an annotation file beside it.
const (
	txtExtension = ".txt"
	annExtension = ".ann"
)

// bratDatabase is written as the database of identifiers, because BRAT wants "database:identifier".
const bratDatabase = "ctxnorm"

// isBRAT reports whether to read the file at path as BRAT.
func isBRAT(path string, format Format) bool {
	if format == BRAT {
		return path != "-"
	}
	if format != "" {
		return false
	}
	switch filepath.Ext(path) {
	case annExtension:
		return true
	case txtExtension:
		return isFile(strings.TrimSuffix(path, txtExtension) + annExtension)
	}
	return false
}

// bratSource holds the annotation lines of a document. The place of a mention is the index of its line.
type bratSource []string

// openBRAT opens a document of BRAT; path is its text file or its annotation file.
func openBRAT(path string, opts Options) (*Reader, error) {
	base := strings.TrimSuffix(strings.TrimSuffix(path, txtExtension), annExtension)
	if base == path {
		return nil, fmt.Errorf("%s: want the name of a BRAT document to end with %s or %s", path, txtExtension,
			annExtension)
	}
	p := &bratReader{file: newFile(base+annExtension, opts), index: make(map[string]int)}
	content, err := p.readText(base + txtExtension)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noTextError(p.name)
	}
	if err != nil {
		return nil, err
	}
	if at := input.InvalidUTF8(content); at >= 0 {
		return nil, fmt.Errorf("%s%s: %w", base, txtExtension, input.NotUTF8(content, at))
	}
	p.doc = text.Document{ID: filepath.Base(base), Text: content}
	annotations, err := input.OpenEncoded(p.name, opts.Encoding)
	if err != nil {
		return nil, err
	}
	p.places = p.spans(content)
	p.Format = BRAT
	return &Reader{file: p.file, parser: p.parseLines(annotations.Reader, p), closer: annotations}, nil
}

// noTextError returns the error for an annotation file without its text file.
func noTextError(ann string) error {
	return fmt.Errorf("%s: there is no text beside these annotations, want %s", ann,
		strings.TrimSuffix(ann, annExtension)+txtExtension)
}

// readText reads the whole text of the document.
func (p *bratReader) readText(path string) (string, error) {
	f, err := input.OpenEncoded(path, p.Encoding)
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := p.readWhole(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return content, nil
}

// bratReader reads the annotations of one document. Mentions are its text-bound annotations (T), and their concepts are
// the normalizations (N) that refer to them.
type bratReader struct {
	*file
	doc            text.Document
	places         *spans
	source         bratSource
	mentions       builder
	index          map[string]int // of mentions, by their identifiers
	normalizations [][2]string    // mention and concept
}

func (p *bratReader) line(line string) error {
	p.source = append(p.source, line)
	cells := strings.Split(line, "\t")
	switch {
	case strings.HasPrefix(line, "T"):
		m, reason := p.mention(cells)
		if reason != "" {
			p.failLine(reason)
			break
		}
		m.annotation.place = len(p.source) - 1
		p.index[cells[0]] = len(p.mentions)
		p.mentions = append(p.mentions, m)
	case strings.HasPrefix(line, "N"):
		fields := bratReference(cells)
		if fields == nil {
			p.failLine(fmt.Sprintf("want N1, Reference T1 database:identifier, and a name, separated by tabs, got %s",
				input.Quote(line)))
			break
		}
		p.normalizations = append(p.normalizations, [2]string(fields[1:]))
	}
	return p.grow(p.doc.ID, line, len(p.mentions))
}

// endDocument emits the document with its mentions and their concepts.
func (p *bratReader) endDocument() {
	for _, n := range p.normalizations {
		if i, ok := p.index[n[0]]; ok {
			id := strings.TrimPrefix(n[1], bratDatabase+":")
			p.mentions[i].Concepts = append(p.mentions[i].Concepts, kb.ConceptID(id))
		}
	}
	p.emit(p.mentions.record(&p.doc, p.source))
}

// bratReference returns the words of a normalization's second cell: "Reference", the target and the identifier. It
// returns nil if there are fewer than three.
func bratReference(cells []string) []string {
	if len(cells) < 2 {
		return nil
	}
	fields := strings.SplitN(cells[1], " ", 3)
	if len(fields) < 3 {
		return nil
	}
	return fields
}

// mention parses "T1 ⇥ Disease 0 5;8 12 ⇥ text".
func (p *bratReader) mention(cells []string) (m annotated, reason string) {
	const want = "want T1, type and offsets, and the text, separated by tabs"
	if len(cells) < 2 {
		return m, fmt.Sprintf("%s, got %s", want, input.Quote(strings.Join(cells, "\t")))
	}
	kind, offsets, _ := strings.Cut(cells[1], " ")
	var where place
	for fragment := range strings.SplitSeq(offsets, ";") {
		from, to, _ := strings.Cut(strings.TrimSpace(fragment), " ")
		start, errStart := strconv.Atoi(from)
		end, errEnd := strconv.Atoi(strings.TrimSpace(to))
		if errStart != nil || errEnd != nil {
			return m, fmt.Sprintf("%s, got the offsets %s", want, input.Quote(offsets))
		}
		where.ranges = append(where.ranges, [2]int{start, end})
	}
	if len(cells) > 2 {
		stated := strings.Join(cells[2:], "\t")
		where.text = &stated
	}
	found, note, reason := p.places.find(where)
	if reason != "" {
		return m, reason
	}
	p.note(p.at, note)
	m.Mention = found
	m.Type = kind
	m.annotation = Annotation{ID: cells[0], Start: where.start(), End: where.end()}
	return m, ""
}
