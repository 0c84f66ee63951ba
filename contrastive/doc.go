// Package contrastive is the pure-Go part of training: the definition of a recipe, BioCoM as the first one, the
// samplers and losses that several recipes use, the learning rate schedule and the log. It needs no C library.
//
// A [Recipe] is one value: the data that a way of training needs, its settings, its sampler and its loss, and the
// linker of its paper. Together with data it is a [Task]. The trainer is the same for all:
//
//	Recipe.Needs       contexts, labels, word vectors, validation
//	Recipe.Settings    the settings of the recipe alone, each with its flag
//	Recipe.New         the Task on its data
//	Task.Describe      its Plan: optimizer, schedule, pooling, checkpoints, steps, and trained
//	                   numbers besides the encoder, such as a weight in the loss
//	Task.Resample      makes the samples of an epoch with the current encoder, if they depend on it
//	Task.Batch         the rows of a step: mentions or bare names, with their labels, and the Loss
//	Loss.Evaluate      the loss and its gradient in float64, from the vectors of the rows
//
// A new recipe is a package that imports this one and adds its settings, its batches and its loss. It is tested without
// an encoder: its batches against cases made by hand, its gradient against finite differences. The packages in papers/
// have the recipes of other papers, and papers.Recipes lists all.
//
//	BioCoM    contexts and names, concept-balanced batches, Multi-Similarity within a batch
//	sapbert   pairs of names of one concept, Multi-Similarity on mined triplets
//	dilbert   labeled mentions with names of their concept and of others, triplet loss; hard
//	          negatives by the current encoder
//	biosyn    labeled mentions with candidate names that are retrieved every epoch, marginal
//	          likelihood of sparse and dense scores; BERT ranking is its dense half
//	bne       names with another name of their concept, logistic loss of dot products; trains a
//	          name encoder on word vectors, and not a BERT
//
// To see how training with BioCoM works, follow one step:
//
//	Config.batchAt         the kind of batch, contexts or bare names, and its number
//	Sampler.Batch          its rows: ConceptsPerBatch concepts, two exemplars of each
//	NewPairMasks           which pairs of rows are positive and which are negative
//	MultiSimilarity        mined pairs, loss and gradient
//	Config.LearningRateAt  the learning rate of the step
//	TrainingLog            a line of figures that is appended to a file
//
// BioCoM is Ujiie, Iso & Aramaki, "文脈化埋め込み表現を用いた対照学習による病名正規化" (Biomedical entity normalization with contextualized
// contrastive learning), 2021. Equation and section numbers in this package are those of that paper unless another
// paper is named.
package contrastive
