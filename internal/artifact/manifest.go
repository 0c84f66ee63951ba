package artifact

import (
	"encoding/json"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// ReadManifest reads the checked JSON at path, the manifest of a kind of folder such as "model",
// into m. Its member format must be first to last, the formats that this version of ctxnorm reads.
// It returns a [*files.DamagedError] for a file that differs from what was written, for another
// format, and for other JSON. If there is no file, the error wraps [io/fs.ErrNotExist].
func ReadManifest(path, kind string, first, last int, m any) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	checked, err := CheckJSON(data)
	if err != nil {
		return WithPath(path, err)
	}
	notManifest := func(err error) error {
		return Damaged(path, "is not the manifest of a %s: %v", kind, input.JSONError(err))
	}
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return notManifest(err)
	}
	switch {
	case head.Format > last:
		return Damaged(path, "%s format is %d, want at most %d: a later version of ctxnorm wrote it, use that "+
			"version, or it is no %s",
			kind, head.Format, last, kind)
	case head.Format < first:
		return Damaged(path, "%s format is %d, want at least %d: make the %s again with this version of ctxnorm",
			kind, head.Format, first, kind)
	}
	if err := json.Unmarshal(data, m); err != nil {
		return notManifest(err)
	}
	if !checked {
		return Damaged(path, "is damaged: it does not end with its checksum")
	}
	return nil
}
