//go:build torch

package checks

import (
	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

func init() {
	liveTensors = tensor.Live
	leakModels["tiny BERT"] = func(o *ctxnorm.TrainOptions) {
		o.EncoderKind = ctxnorm.UntrainedEncoder
		o.BaseModel = fixtures.TinyBERT()
		o.Run = ctxnorm.EncoderOptions{Precision: "float32"}
	}
}
