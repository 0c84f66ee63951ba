package ctxnorm

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// maxUnknownShare is the largest share of unknown tokens at which a vocabulary is taken to fit. Of
// MEDIC and of PubMed the vocabularies of MiniLM and PubMedBERT lack less than .001; of the Japanese
// names of manbyo .7 and more.
const maxUnknownShare = .05

// vocabularySample is the number of names, and of contexts, that are looked at before training.
const vocabularySample = 20_000

// checkVocabulary logs how much of names and contexts the vocabulary of an encoder lacks, and warns
// of one that does not fit, before it is trained.
func (o *TrainOptions) checkVocabulary(ctx context.Context, base string, counter model.TokenCounter,
	in *trainingInputs) error {
	names, _, err := model.CountTokens(ctx, counter, sampleEvenly(model.NameExemplars(in.dict), vocabularySample),
		o.Run.Workers)
	if err != nil {
		return err
	}
	contexts, _, err := model.CountTokens(ctx, counter, sampleEvenly(in.contexts, vocabularySample), o.Run.Workers)
	if err != nil {
		return err
	}
	o.Observer.logf("%s: its vocabulary lacks %.2g %% of the tokens of names and %.2g %% of those of contexts", base,
		100*names.UnknownShare(), 100*contexts.UnknownShare())
	if max(names.UnknownShare(), contexts.UnknownShare()) > maxUnknownShare {
		o.Observer.logf("warning: the vocabulary of %s does not fit the dictionary or the corpus: the encoder reads "+
			"all that it lacks as the same token, [UNK]; "+
			"take a base model for their language, or no encoder", base)
	}
	return nil
}

// sampleEvenly returns about limit rows, evenly spread, or all if there are fewer.
func sampleEvenly(rows []text.Exemplar, limit int) []text.Exemplar {
	if len(rows) <= limit {
		return rows
	}
	sample := make([]text.Exemplar, limit)
	for i := range sample {
		sample[i] = rows[i*len(rows)/limit]
	}
	return sample
}
