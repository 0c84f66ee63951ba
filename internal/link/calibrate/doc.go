// Package calibrate learns the ranking weights and the default threshold of a model.
//
// To build a calibrated model, call [model.Build] with [Learn] as its Calibrate. To calibrate a model again, or on
// annotated mentions, call [Recalibrate]. To measure how much a component of the model contributes, make a
// [NewAblation] and link with its rankers.
//
// A calibration has four steps:
//
//	training set   queries whose concepts are known. Without annotation, names are held out of the dictionary and their
//	               mentions in the corpus are linked (silver data). Composite mentions are left out.
//	fit            the weights that maximize the log-likelihood of the gold candidates (softmax over the candidates of a
//	               query), with a Gaussian prior; then the weights of NIL, from the same queries, once with their concepts
//	               in the dictionary and once with them held out.
//	threshold      a tenth of the concepts is held out, so that some queries are NIL; the default minimum probability
//	               costs hardly any right answers, see [model.Abstention.BestThreshold].
//	write          calibration.json in the model folder
//
// An ablation fits weights for each set of components: every set is a system of its own. All results are determined by
// the model and its seed.
package calibrate
