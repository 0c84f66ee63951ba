package contrastive

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConfigJSON(t *testing.T) {
	// Every field at a value that is not its zero.
	want := Config{
		Seed: 7, Steps: 9, Pairs: 3, NameShare: 0.25,
		Context: MultiSimilarity{1, 2, 0.3, 0.4}, Names: MultiSimilarity{5, 6, 0.7, 0.8},
		LearningRate: 1e-5, WeightDecay: 0.1, WarmupShare: 0.2, ClipNorm: 3, MaxTokens: 64, Pooling: PoolEnt,
		MarkAll: true, RewordMention: 0.5, BaseShare: 0.25, FreezeEmbeddings: true, Precision: PrecisionBFloat16, ValidateEvery: 10, CheckpointEvery: 20,
	}
	fields := reflect.ValueOf(want)
	for i := range fields.NumField() {
		if fields.Field(i).IsZero() {
			t.Errorf("field %s is not tested", fields.Type().Field(i).Name)
		}
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Config
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
	if strings.ToLower(string(data)) != string(data) {
		t.Errorf("a key has capitals: %s", data)
	}
}

func TestConfigValidate(t *testing.T) {
	for _, c := range []Config{DefaultConfig(), PaperConfig()} {
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
	}
	tests := []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Steps = -1 }, "training: steps is -1, want 0 (derived) or more"},
		{func(c *Config) { c.Pairs = 1 }, "training: pairs is 1, want 2 or more"},
		{func(c *Config) { c.NameShare = 1.5 }, "training: name_share is 1.5, want 0 to 1"},
		{func(c *Config) { c.NameShare = math.NaN() }, "training: name_share is NaN, want 0 to 1"},
		{func(c *Config) { c.LearningRate = 0 }, "training: learning_rate is 0, want above 0"},
		{func(c *Config) { c.LearningRate = math.Inf(1) }, "training: learning_rate is +Inf, want above 0"},
		{func(c *Config) { c.WeightDecay = -1 }, "training: weight_decay is -1, want 0 or more"},
		{func(c *Config) { c.WarmupShare = 1 }, "training: warmup_share is 1, want 0 to below 1"},
		{func(c *Config) { c.ClipNorm = -1 }, "training: clip_norm is -1, want 0 (never) or more"},
		{func(c *Config) { c.MaxTokens = 7 }, "training: max_tokens is 7, want 8 or more"},
		{func(c *Config) { c.Pooling = "cls" }, `training: pooling is cls, want "span" or "ent"`},
		{func(c *Config) { c.RewordMention = -0.1 }, "training: reword_mention is -0.1, want 0 to 1"},
		{func(c *Config) { c.BaseShare = 1 }, "training: base_share is 1, want 0 to below 1"},
		{func(c *Config) { c.Precision = "half" }, `training: precision is half, want "auto", "float32" or "bfloat16"`},
		{func(c *Config) { c.ValidateEvery = -2 }, "training: validate_every is -2, want -1 (never), 0 (derived) or more"},
		{func(c *Config) { c.CheckpointEvery = 0 }, "training: checkpoint_every is 0, want -1 (never), 1 or more"},
		{func(c *Config) { c.Context.Alpha = 0 }, "training: context: alpha is 0, want above 0"},
		{func(c *Config) { c.Names.Beta = math.NaN() }, "training: names: beta is NaN, want above 0"},
		{func(c *Config) { c.Names.Base = 2 }, "training: names: base is 2, want a cosine, -1 to 1"},
		{func(c *Config) { c.Names.Epsilon = -1 }, "training: names: epsilon is -1, want 0 or more"},
	}
	for _, test := range tests {
		c := DefaultConfig()
		test.change(&c)
		if err := c.Validate(); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}
