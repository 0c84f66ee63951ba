package main

import (
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestLinkSettings: a run resumes one with other workers, and none whose settings change a result.
func TestLinkSettings(t *testing.T) {
	model, err := ctxnorm.NewDictionaryModel(kb.NewDictionary([]kb.Concept{{ID: "C1", Name: "gout"}}), "gout.tsv")
	if err != nil {
		t.Fatal(err)
	}
	settings := func(change func(o *ctxnorm.LinkOptions, e *ctxnorm.EncoderOptions)) string {
		var f linkFlags
		var options ctxnorm.LinkOptions
		change(&options, &f.source.encoder.Encoder)
		hash, err := f.hashSettings(model, options)
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	plain := settings(func(*ctxnorm.LinkOptions, *ctxnorm.EncoderOptions) {})
	for name, test := range map[string]struct {
		change func(o *ctxnorm.LinkOptions, e *ctxnorm.EncoderOptions)
		same   bool
	}{
		"workers":   {func(_ *ctxnorm.LinkOptions, e *ctxnorm.EncoderOptions) { e.Workers = 7 }, true},
		"precision": {func(_ *ctxnorm.LinkOptions, e *ctxnorm.EncoderOptions) { e.Precision = "bfloat16" }, false},
		"top":       {func(o *ctxnorm.LinkOptions, _ *ctxnorm.EncoderOptions) { o.TopK = 3 }, false},
		"tag":       {func(o *ctxnorm.LinkOptions, _ *ctxnorm.EncoderOptions) { o.Tag = true }, false},
		"assertion": {func(o *ctxnorm.LinkOptions, _ *ctxnorm.EncoderOptions) { o.Assertion = true }, false},
	} {
		if same := settings(test.change) == plain; same != test.same {
			t.Errorf("other %s: the settings are the same: %t, want %t", name, same, test.same)
		}
	}
}
