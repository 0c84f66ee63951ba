package bert

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestHostileSizes checks that sizes in config.json that do not match the weights are errors that name the field or the
// tensor, before memory is allocated for them.
func TestHostileSizes(t *testing.T) {
	tests := []struct {
		field string
		value int64
		want  string
	}{
		{"num_hidden_layers", 10_000_000, "num_hidden_layers is 10000000, want 1 to 1000"},
		{"num_hidden_layers", 1000, `tensor "encoder.layer.2.attention.self.query.weight" is missing`},
		{"hidden_size", 1 << 62, "hidden_size is 4611686018427387904, want 1 to 65536"},
		{"hidden_size", 1 << 16, `tensor "embeddings.word_embeddings.weight" has shape [125 32], want [125 65536]`},
		{"vocab_size", 1 << 40, "vocab_size is 1099511627776, want 1 to 10000000"},
		{"vocab_size", 10_000_000, "has shape [125 32], want [10000000 32]"},
		{"intermediate_size", 1 << 61, "intermediate_size is 2305843009213693952, want 1 to 1048576"},
		{"intermediate_size", 1 << 20, "want [1048576 32]"},
		{"max_position_embeddings", 1 << 61, "max_position_embeddings is 2305843009213693952, want 1 to 1048576"},
		{"max_position_embeddings", 1 << 20, "want [1048576 32]"},
		{"type_vocab_size", 1 << 61, "type_vocab_size is 2305843009213693952, want 1 to 65536"},
		{"type_vocab_size", 0, "type_vocab_size is 0, want 1 to 65536"},
	}
	for _, test := range tests {
		dir := fixtures.ChangedBERT(t, func(fields map[string]any) { fields[test.field] = test.value }, nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadCheckpoint(dir, 10, 1)
		runtime.ReadMemStats(&after)
		must.Fail(t, err, test.want, test.field, test.value)
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%s %d: %d bytes were allocated", test.field, test.value, used)
		}
	}
}

// TestWeightsThatShareBytes checks that a file cannot claim more weights than it has bytes.
func TestWeightsThatShareBytes(t *testing.T) {
	dir := fixtures.ChangedBERT(t, nil, nil)
	config := must.Get(ReadConfig(dir))
	path := filepath.Join(dir, safetensorsFile)
	weights := must.Get(openWeights(dir))
	defer weights.Close()
	must.Succeed(t, (&Checkpoint{Config: config}).list(newCheckpointNames(weights)))
	// The mapped file keeps its header; the size on disk is compared.
	must.Succeed(t, os.Truncate(path, 1000))
	must.Fail(t, (&Checkpoint{Config: config}).list(newCheckpointNames(weights)), "has 1000 bytes, want at least")
}
