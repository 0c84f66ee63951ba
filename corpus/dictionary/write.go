package dictionary

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/gzip"

	"ctxnorm"
)

// Write stores a dictionary as JSON lines, one concept a line in the order of
// IDs, gzipped where path ends in .gz. Concepts without a name are kept. Read
// gives back a dictionary of the same hash. The file is complete or not there.
func Write(path string, d *ctxnorm.Dictionary) error {
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer file.Cleanup()
	if strings.HasSuffix(path, ".gz") {
		packed := gzip.NewWriter(file)
		if err := write(packed, d); err != nil {
			return err
		}
		if err := packed.Close(); err != nil {
			return err
		}
	} else if err := write(file, d); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}

func write(w io.Writer, d *ctxnorm.Dictionary) error {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	for i := range d.Len() {
		c := d.At(i)
		err := encoder.Encode(conceptJSON{
			ID:       jsonID(c.ID),
			Name:     c.Name,
			Synonyms: c.Synonyms,
			AltIDs:   jsonIDs(c.AltIDs),
			Parents:  jsonIDs(c.Parents),
		})
		if err != nil {
			return err
		}
	}
	return buffered.Flush()
}

func jsonIDs(ids []ctxnorm.ConceptID) []jsonID {
	converted := make([]jsonID, len(ids))
	for i, id := range ids {
		converted[i] = jsonID(id)
	}
	return converted
}
