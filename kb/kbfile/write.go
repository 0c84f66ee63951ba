package kbfile

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Write writes a dictionary as JSON lines, one concept per line in the order of IDs,
// compressed with gzip if path ends in .gz. Concepts without a name are included. [Read]
// returns a dictionary with the same hash. The file is written atomically.
func Write(path string, d *kb.Dictionary) error {
	return artifact.Write(path, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return write(w, d)
		}
		compressed := gzip.NewWriter(w)
		if err := write(compressed, d); err != nil {
			return err
		}
		return compressed.Close()
	})
}

func write(w io.Writer, d *kb.Dictionary) error {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	for _, c := range d.All() {
		err := encoder.Encode(conceptJSON{
			ID:       jsonID(c.ID),
			Name:     c.Name,
			Synonyms: c.Synonyms,
			AltIDs:   jsonIDs(c.AltIDs),
			Xrefs:    jsonIDs(c.Xrefs),
			Parents:  jsonIDs(c.Parents),
			Types:    c.Types,
			HeldOut:  c.NameHeldOut,
			Shown:    c.ShownName,
		})
		if err != nil {
			return err
		}
	}
	return buffered.Flush()
}

func jsonIDs(ids []kb.ConceptID) []jsonID {
	converted := make([]jsonID, len(ids))
	for i, id := range ids {
		converted[i] = jsonID(id)
	}
	return converted
}
