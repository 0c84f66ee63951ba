package encoder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// FuzzReadSettings checks that settings stay the same when they are written and read again.
func FuzzReadSettings(f *testing.F) {
	f.Add([]byte(`{"pooling": "span", "max_tokens": 128}`))
	f.Add([]byte(`{"pooling": "text", "max_tokens": -1}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		must.Succeed(t, os.WriteFile(filepath.Join(dir, settingsFile), data, 0o666))
		s, stated, err := ReadSettings(dir)
		if err != nil {
			return
		}
		if !stated {
			t.Fatal("the settings of a file are not stated")
		}
		must.Succeed(t, artifact.WriteJSON(filepath.Join(dir, settingsFile), s))
		if again, _, err := ReadSettings(dir); err != nil || again != s {
			t.Fatalf("read %+v, %v after it was written, want %+v", again, err, s)
		}
	})
}
