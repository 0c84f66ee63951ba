package checks

import (
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
)

func init() {
	qualityModels["MiniLM, untrained, float32 (--untrained)"] = func(t *testing.T, o *ctxnorm.TrainOptions) {
		o.EncoderKind = ctxnorm.UntrainedEncoder
		o.BaseModel = fixtures.MiniLM(t)
		o.Run = ctxnorm.EncoderOptions{Precision: "float32", Workers: 1}
	}
}
