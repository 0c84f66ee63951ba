// Package contrastive is the pure-Go part of training: configuration, batch
// sampling, the loss and the learning rate schedule. It needs no C library.
//
// To train an encoder, use package contrastive/train, which takes a [Config]. To see
// how training works, follow one step:
//
//	Config.BatchAt         the kind of batch, contexts or bare names, and its number
//	Sampler.Batch          its rows: ConceptsPerBatch concepts, two exemplars of each
//	NewPairMasks           which pairs of rows are positive and which are negative
//	MultiSimilarity        mined pairs, loss and gradient; the float64 reference
//	Config.LearningRateAt  the learning rate of the step
//	TrainingLog            a line of figures that is appended to a file
//
// The method is BioCoM: Ujiie, Iso & Aramaki, "文脈化埋め込み表現を用いた対照学習による病名正規化"
// (Biomedical entity normalization with contextualized contrastive learning), 2021.
// Equation and section numbers in this package are those of that paper unless another
// is named.
package contrastive
