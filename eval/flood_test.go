package eval

import (
	"errors"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// TestGoldIsLimited reads gold, which is kept in memory, beyond the limit: documents with and
// without mentions, and malformed records.
func TestGoldIsLimited(t *testing.T) {
	for name, line := range map[string]string{
		"documents":        `{"text":"Breast cancer NUMBER","mentions":[{"start":0,"end":13,"ids":["M1"]}]}`,
		"without mentions": `{"text":"Breast cancer NUMBER"}`,
		"malformed":        `{"text":`,
	} {
		path := writeGold(t, strings.Split(strings.TrimSuffix(strings.Repeat(line+"\n", 1000), "\n"), "\n")...)
		_, err := ReadGold([]string{path}, nil, smallSet(), files.Limits{InMemory: 10_000})
		var limit *files.LimitError
		if !errors.As(err, &limit) || limit.Field != "InMemory" || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: error %v, want one of Limits.InMemory that names the file", name, err)
		}
	}
}
