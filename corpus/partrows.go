package corpus

import (
	"encoding/binary"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/s2"
)

// The sentences of a part are written once and read twice, right away and by this
// program alone. Parquet would take several times as long, so they have a format
// of their own:
//
//	file     rows, 0; in blocks of S2, which are checked when they are read
//	row      record + 1, PMID, section, index, text, number of mentions, mentions
//	mention  start, end, name, number of concepts, concepts
//
// Numbers are unsigned varints. PMID and text are a length in bytes and the bytes.
// Section, name and concept are words: the number of an earlier word, from 1, or 0
// and then a new one, as a text.

// writeRows writes rows as those of a part.
func writeRows(path string, rows sorted[*storedRow]) error {
	pending, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return err
	}
	defer pending.Cleanup()
	packed := s2.NewWriter(pending, s2.WriterConcurrency(1), s2.WriterBlockSize(packedBlock))
	w := rowWriter{words: make(map[string]uint64)}
	for r, err := range rows {
		if err != nil {
			return err
		}
		w.row(r)
		if _, err := packed.Write(w.buf); err != nil {
			return err
		}
		w.buf = w.buf[:0]
	}
	w.number(0)
	if _, err := packed.Write(w.buf); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return pending.CloseAtomicallyReplace()
}

const packedBlock = 256 << 10 // bytes

// rowWriter appends rows to buf.
type rowWriter struct {
	buf   []byte
	words map[string]uint64
}

func (w *rowWriter) number(n int) { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }

func (w *rowWriter) text(s string) {
	w.number(len(s))
	w.buf = append(w.buf, s...)
}

func (w *rowWriter) word(s string) {
	n, known := w.words[s]
	w.buf = binary.AppendUvarint(w.buf, n)
	if !known {
		w.words[s] = uint64(len(w.words) + 1)
		w.text(s)
	}
}

func (w *rowWriter) row(r *storedRow) {
	w.number(int(r.Record) + 1)
	w.text(r.PMID)
	w.word(r.Section)
	w.number(int(r.Index))
	if r.text != nil {
		w.number(len(r.text))
		w.buf = append(w.buf, r.text...)
	} else {
		w.text(r.Text)
	}
	w.number(len(r.Mentions))
	for i := range r.Mentions {
		m := &r.Mentions[i]
		w.number(int(m.Start))
		w.number(int(m.End))
		w.word(m.Name)
		w.number(len(m.Concepts))
		for _, id := range m.Concepts {
			w.word(string(id))
		}
	}
}
