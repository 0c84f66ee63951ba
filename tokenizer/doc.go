// Package tokenizer turns a query into the WordPiece tokens for a BERT encoder: [CLS] the sentence [SEP], with [ENT]
// and [/ENT] around its mentions.
//
// For basic usage, [Open] the folder of a Hugging Face model and call [Tokenizer.Encode]. [Tokenizer.Save] writes a
// folder that Python's AutoTokenizer opens with the markers in it.
//
// BERT's own tokenizer (BertNormalizer, BertPreTokenizer, WordPiece) is written in Go and part of every build:
// wordpiece.go. WordPiece after another normalizer or pre-tokenizer is left to Hugging Face's tokenizers library, by
// way of github.com/daulet/tokenizers, which the build tag torch links (libtokenizers.a). Other builds refuse such
// tokenizers by name. That library is the reference in the tests.
//
// The tokens are those of transformers' BertTokenizerFast for the sentence with the markers written into it. Known
// differences:
//
//   - a special token in the text itself ("[SEP]", "[ENT]") is tokenized as text, so
//     that no text can break the input;
//   - a sentence that is too long is cut around its mention, not at its end;
//   - if tokenizer_config.json does not set lower case, accents or Chinese characters,
//     tokenizer.json decides; transformers overrides it with its own default.
package tokenizer
