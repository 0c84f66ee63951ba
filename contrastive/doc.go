// Package contrastive is the part of training that is plain arithmetic: what to
// draw, what is near and what is far, and how fast to learn. It needs no C.
//
// To train an encoder, use contrastive/torch, which takes a [Config] from here.
// To read how it is trained, follow one step:
//
//	Config.BatchAt   is this a batch of contexts or of bare names, and which one
//	Sampler.Batch    the rows: Pairs concepts, two exemplars each
//	NewPairs         which rows are of one concept, which are not
//	MultiSimilarity  mined pairs, loss and gradient; the float64 reference
//	Config.LearningRateAt
//	Curve            a row of figures appended to a file, drawn by WritePNG
//
// The method is BioCoM: Ujiie, Iso & Aramaki, "文脈化埋め込み表現を用いた対照学習による病名正規化"
// (Biomedical entity normalisation with contextualised contrastive learning),
// 2021; equation and section numbers in this package are those of that paper
// unless another is named.
package contrastive
