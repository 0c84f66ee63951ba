package pgvector

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// Format is the format of the table, stated in its comment. The history:
//
//	1  kind, exemplar, concepts, preferred_names, mention, mention_start, mention_end, sentence, document, source, vector
const Format = 1

// DefaultTable is the name of the table if [Options].Table is empty.
const DefaultTable = "ctxnorm_exemplars"

// maxIndexed is the largest dimension that an index of pgvector takes.
const maxIndexed = 2000

// maxPlain is the largest dimension stored in the row itself: 4 kB of a page's 8 kB. A longer vector
// is stored out of line, where a scan reads it with an access of its own.
const maxPlain = 1024

// Options say what is written. The zero value is the recommended setting.
type Options struct {
	// Table is the table's name, also with a schema: letters, digits and underscores;
	// [DefaultTable] if it is empty.
	Table string
	// Exact leaves out the HNSW graph, so that every query compares all rows.
	Exact bool
	// Progress is called with the number of rows written, every thousand rows and at the end; may be nil.
	Progress func(done, total int)
}

var tableName = regexp.MustCompile(`^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,47}$`)

// Check returns an error if the table's name is none that can be written without quotes.
func (o *Options) Check() error {
	if o.Table != "" && !tableName.MatchString(o.Table) {
		return fmt.Errorf("table is %q, want small letters, digits and underscores, up to 48 of them, or a schema "+
			"before it: schema.table", o.Table)
	}
	return nil
}

// rows are exemplars of one kind.
type rows struct {
	kind      string // "name" or "context"
	exemplars []text.Exemplar
	vectors   *knnindex.Vectors
}

// WriteScript writes a script for psql that replaces the table by one of all names and contexts of
// a model, in one transaction. A table of that name that no such script made is refused by the
// script. The last line that psql prints with --tuples-only is "ROWS|SIZE OF TABLE|SIZE OF INDEXES".
//
// The model must have been opened with its vectors, else the error is [model.ErrNoVectors]. Other errors
// are those of the model's files, of w and of ctx; then the script has no COMMIT.
func WriteScript(ctx context.Context, w io.Writer, m *model.Model, o Options) error {
	if m.Vectors == nil {
		return model.ErrNoVectors
	}
	if err := m.Verified(ctx); err != nil {
		return err
	}
	names, err := m.Names.Exemplars()
	if err != nil {
		return err
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return err
	}
	preferred := func(e *text.Exemplar) []string {
		names := make([]string, len(e.Mention.Concepts))
		for i, id := range e.Mention.Concepts {
			if concept := m.Dictionary.Lookup(id); concept != nil {
				names[i] = concept.PreferredName()
			}
		}
		return names
	}
	comment := fmt.Sprintf("%s; encoder %s; dictionary %s", marker, m.Manifest.Encoder.Fingerprint,
		m.Manifest.Dictionary.Hash)
	return writeScript(ctx, w, []rows{{"name", names, m.Vectors.Names.Vectors},
		{"context", contexts, m.Vectors.Contexts.Vectors}}, preferred, comment, o)
}

// marker begins the comment of a table that a script made.
var marker = fmt.Sprintf("ctxnorm exemplars, format %d", Format)

func writeScript(ctx context.Context, w io.Writer, all []rows, preferred func(*text.Exemplar) []string, comment string,
	o Options) error {
	if o.Table == "" {
		o.Table = DefaultTable
	}
	if err := o.Check(); err != nil {
		return err
	}
	dim, total := 0, 0
	for i := range all {
		dim, total = max(dim, all[i].vectors.Dim), total+len(all[i].exemplars)
	}
	if dim > maxIndexed && !o.Exact {
		return fmt.Errorf("vectors have %d numbers, and an index of pgvector takes at most %d", dim, maxIndexed)
	}
	s := &script{Writer: bufio.NewWriterSize(w, 1<<20), preferred: preferred}
	s.begin(o.Table, dim, comment)
	done := 0
	for i := range all {
		for row := range all[i].exemplars {
			if done%1000 == 0 {
				if err := ctx.Err(); err != nil {
					return errors.Join(err, s.Flush())
				}
				if o.Progress != nil {
					o.Progress(done, total)
				}
			}
			s.row(&all[i], row)
			if s.err != nil {
				return s.err
			}
			done++
		}
	}
	s.end(o)
	if err := s.Flush(); err != nil {
		return err
	}
	if o.Progress != nil {
		o.Progress(total, total)
	}
	return nil
}

// script writes the parts of a script. Errors of the writer are sticky: Flush returns them.
type script struct {
	*bufio.Writer
	preferred func(*text.Exemplar) []string
	line      []byte // of COPY
	err       error  // the first of Write
}

func (s *script) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// begin writes the statements before the rows. A table of the same name must have the comment of a
// script's table.
func (s *script) begin(table string, dim int, comment string) {
	s.printf(`\set ON_ERROR_STOP on
SET client_encoding = 'UTF8';
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
BEGIN;
DO $$ BEGIN
  IF to_regclass('%[1]s') IS NOT NULL AND coalesce(obj_description(to_regclass('%[1]s'), 'pg_class'), '') NOT LIKE 'ctxnorm exemplars, format %%' THEN
    RAISE EXCEPTION 'table %[1]s exists and was not made by ctxnorm: it stays as it is';
  END IF;
END $$;
CREATE TABLE %[1]s_new (
  kind text NOT NULL,               -- 'name' or 'context'
  exemplar integer NOT NULL,        -- its row in the model's index of this kind
  concepts text[] NOT NULL,         -- none for a sense outside the dictionary (NIL)
  preferred_names text[] NOT NULL,  -- of these concepts
  mention text NOT NULL,
  mention_start integer NOT NULL,   -- in the sentence, in code points
  mention_end integer NOT NULL,     -- exclusive
  sentence text,                    -- NULL for a name
  document text,                    -- the PMID; NULL for a name
  source text,                      -- of a name that is not the dictionary's
  vector vector(%[2]d),             -- NULL for a name that the encoder cannot read
  PRIMARY KEY (kind, exemplar)
);
COMMENT ON TABLE %[1]s_new IS '%[3]s';
`, table, dim, strings.ReplaceAll(comment, "'", "''"))
	if dim <= maxPlain {
		s.printf("ALTER TABLE %s_new ALTER COLUMN vector SET STORAGE PLAIN;\n", table)
	}
	s.printf("COPY %s_new FROM STDIN;\n", table)
}

// end ends the rows, builds the index and puts the new table in the place of the old one. Readers wait for the swap
// alone.
func (s *script) end(o Options) {
	s.printf("\\.\n")
	if !o.Exact {
		s.printf("CREATE INDEX ON %s_new USING hnsw (vector vector_cosine_ops);\n", o.Table)
	}
	s.printf(`ANALYZE %[1]s_new;
DROP TABLE IF EXISTS %[1]s;
ALTER TABLE %[1]s_new RENAME TO %[2]s;
COMMIT;
SELECT count(*), pg_size_pretty(pg_table_size('%[1]s')), pg_size_pretty(pg_indexes_size('%[1]s')) FROM %[1]s;
`, o.Table, o.Table[strings.IndexByte(o.Table, '.')+1:])
}

// row writes a line of COPY in its text format.
func (s *script) row(r *rows, i int) {
	e := &r.exemplars[i]
	mention := e.Mention.Of(e.Text)
	s.line = append(s.line[:0], r.kind...)
	s.line = strconv.AppendInt(append(s.line, '\t'), int64(i), 10)
	concepts := make([]string, len(e.Mention.Concepts))
	for j, id := range e.Mention.Concepts {
		concepts[j] = string(id)
	}
	s.line = appendArray(append(s.line, '\t'), concepts)
	s.line = appendArray(append(s.line, '\t'), s.preferred(e))
	s.line = appendText(append(s.line, '\t'), mention)
	sentence := e.Sentence.Of(e.Text)
	offsets := text.NewOffsets(sentence)
	for _, at := range []int{e.Mention.Start, e.Mention.End} {
		s.line = strconv.AppendInt(append(s.line, '\t'), int64(offsets.CodePoint(at-e.Sentence.Start)), 10)
	}
	if r.kind == "name" {
		s.line = append(s.line, "\t\\N\t\\N"...)
	} else {
		s.line = appendText(append(s.line, '\t'), sentence)
		s.line = appendText(append(s.line, '\t'), e.ID)
	}
	s.line = append(s.line, '\t')
	if origin := e.Origin.String(); origin == "" {
		s.line = append(s.line, `\N`...)
	} else {
		s.line = appendText(s.line, origin)
	}
	s.line = append(appendVector(append(s.line, '\t'), r.vectors.Row(i)), '\n')
	_, s.err = s.Write(s.line)
}

// appendText appends a value of COPY. PostgreSQL has neither NUL nor invalid UTF-8 in a text: the
// replacement character stands for such a byte, so that offsets in code points stay right.
func appendText(dst []byte, s string) []byte {
	for _, c := range s {
		switch c {
		case '\\':
			dst = append(dst, `\\`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case 0:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		default:
			dst = utf8.AppendRune(dst, c)
		}
	}
	return dst
}

var arrayEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// appendArray appends an array of texts as a value of COPY.
func appendArray(dst []byte, values []string) []byte {
	dst = append(dst, '{')
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(appendText(dst, arrayEscape.Replace(value)), '"')
	}
	return append(dst, '}')
}

// appendVector appends the shortest numbers that are read back as the same float32, or NULL for a row
// of zeros, which has no direction.
func appendVector(dst []byte, row []float32) []byte {
	first := len(dst)
	zero := true
	dst = append(dst, '[')
	for i, x := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		zero = zero && x == 0
		dst = strconv.AppendFloat(dst, float64(x), 'g', -1, 32)
	}
	if zero {
		return append(dst[:first], `\N`...)
	}
	return append(dst, ']')
}
