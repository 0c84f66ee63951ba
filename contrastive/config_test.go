package contrastive

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestConfigJSON pins the keys in manifests and checkpoints of trained models, with a configuration without zero
// fields.
func TestConfigJSON(t *testing.T) {
	want := Config{
		Seed: 7, Steps: 9, ConceptsPerBatch: 3, NameBatchRatio: 0.25,
		ContextLoss: MultiSimilarity{Alpha: 1, Beta: 2, Lambda: 0.3, Epsilon: 0.4}, NameLoss: MultiSimilarity{Alpha: 5, Beta: 6, Lambda: 0.7, Epsilon: 0.8},
		LearningRate: 1e-5, WeightDecay: 0.1, WarmupRatio: 0.2, ClipNorm: 3, MaxTokens: 64, Pooling: PoolEnt,
		MarkAll: true, SynonymReplaceProb: 0.5, WeightInterpolation: 0.25, FreezeEmbeddings: true, Precision: PrecisionBFloat16, ValidateEvery: 10, CheckpointEvery: 20,
	}
	const text = `{"seed":7,"steps":9,"concepts_per_batch":3,"name_batch_ratio":0.25,"context":{"alpha":1,"beta":2,"lambda":0.3,"epsilon":0.4},` +
		`"names":{"alpha":5,"beta":6,"lambda":0.7,"epsilon":0.8},"learning_rate":0.00001,"weight_decay":0.1,"warmup_ratio":0.2,"clip_norm":3,` +
		`"max_tokens":64,"pooling":"ent","mark_all":true,"synonym_replace_prob":0.5,"weight_interpolation":0.25,"freeze_embeddings":true,` +
		`"precision":"bfloat16","validate_every":10,"checkpoint_every":20}`
	fields := reflect.ValueOf(want)
	for i := range fields.NumField() {
		if fields.Field(i).IsZero() {
			t.Errorf("field %s is zero, so the round trip does not test it", fields.Type().Field(i).Name)
		}
	}
	data := must.Get(json.Marshal(want))
	var got Config
	must.Succeed(t, json.Unmarshal([]byte(text), &got))
	must.Equal(t, got, want, "written and read")
	must.Equal(t, string(data), text, "written again")
}

// TestValidateRejectsNonFinite sets each number of the configuration to NaN and to infinities.
func TestValidateRejectsNonFinite(t *testing.T) {
	var check func(c *Config, v reflect.Value, path string)
	check = func(c *Config, v reflect.Value, path string) {
		for i := range v.NumField() {
			field, name := v.Field(i), path+v.Type().Field(i).Name
			switch field.Kind() {
			case reflect.Struct:
				check(c, field, name+".")
			case reflect.Float64:
				valid := field.Float()
				for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					field.SetFloat(x)
					must.Fail(t, c.Validate(), "", name, x, "is valid")
				}
				field.SetFloat(valid)
			}
		}
	}
	c := DefaultConfig()
	check(&c, reflect.ValueOf(&c).Elem(), "")
}

func TestConfigValidate(t *testing.T) {
	must.Succeed(t, DefaultConfig().Validate())
	tests := []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Steps = -1 }, "training.steps is -1, want 0 (derived) or more"},
		{func(c *Config) { c.ConceptsPerBatch = 1 }, "training.concepts_per_batch is 1, want 2 or more"},
		{func(c *Config) { c.NameBatchRatio = 1.5 }, "training.name_batch_ratio is 1.5, want 0 to 1"},
		{func(c *Config) { c.NameBatchRatio = math.NaN() }, "training.name_batch_ratio is NaN, want 0 to 1"},
		{func(c *Config) { c.LearningRate = 0 }, "training.learning_rate is 0, want a finite number above 0"},
		{func(c *Config) { c.LearningRate = math.Inf(1) }, "training.learning_rate is +Inf, want a finite number above 0"},
		{func(c *Config) { c.WeightDecay = -1 }, "training.weight_decay is -1, want 0 or more"},
		{func(c *Config) { c.WarmupRatio = 1 }, "training.warmup_ratio is 1, want 0 to below 1"},
		{func(c *Config) { c.ClipNorm = -1 }, "training.clip_norm is -1, want 0 (never) or more"},
		{func(c *Config) { c.MaxTokens = 7 }, "training.max_tokens is 7, want 8 or more"},
		{func(c *Config) { c.Pooling = "text" }, `training.pooling is "text", want "span", "ent", "cls" or "mean"`},
		{func(c *Config) { c.SynonymReplaceProb = -0.1 }, "training.synonym_replace_prob is -0.1, want 0 to 1"},
		{func(c *Config) { c.WeightInterpolation = 1 }, "training.weight_interpolation is 1, want 0 to below 1"},
		{func(c *Config) { c.Precision = "half" }, `training.precision is "half", want "auto", "float32" or "bfloat16"`},
		{func(c *Config) { c.ValidateEvery = -2 }, "training.validate_every is -2, want -1 (never), 0 (derived) or more"},
		{func(c *Config) { c.CheckpointEvery = 0 }, "training.checkpoint_every is 0, want -1 (never), 1 or more"},
		{func(c *Config) { c.ContextLoss.Alpha = 0 }, "training.context.alpha is 0, want above 0"},
		{func(c *Config) { c.NameLoss.Beta = math.NaN() }, "training.names.beta is NaN, want above 0"},
		{func(c *Config) { c.NameLoss.Lambda = 2 }, "training.names.lambda is 2, want a cosine, -1 to 1"},
		{func(c *Config) { c.NameLoss.Epsilon = -1 }, "training.names.epsilon is -1, want 0 or more"},
		{func(c *Config) { c.NameLoss.TripletMargin = -1 }, "training.names.triplet_margin is -1, want 0 or more"},
	}
	for _, test := range tests {
		c := DefaultConfig()
		test.change(&c)
		must.Equal(t, fmt.Sprint(c.Validate()), test.want)
	}
}
