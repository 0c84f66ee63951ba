// Package pipeline spreads the jobs of ctxnorm over the workers of an Apache Beam runner: Prism on one
// machine, Flink, Dataflow and others.
//
// The unit of work is an input file, or a part of them, and what a worker makes of it goes to a folder that all
// workers see under the same path. It is renamed into its place when it is complete, so that a runner may try
// each as often as it likes: the result is that of one process to the byte.
package pipeline
