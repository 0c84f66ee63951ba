// Package knnindex finds the exemplars whose vectors are nearest to a query's,
// and lets them vote.
//
// For basic usage, open the vectors with [OpenNPY], take an index from [Build],
// ask it with Search or SearchBatch, and give what it found to [WeightedVotes]
// or, for the vote of the paper, to [MajorityVotes].
//
// [Flat] is exact: it tells most rows apart from the nearest by sketches, which take
// a microsecond a row to make and 13 % more memory than the vectors, and reads the
// others. [HNSW] walks a graph instead: it takes a millisecond of a
// processor for each row to build and 9 % more memory than the vectors, misses
// one neighbour in a thousand on clustered vectors, and answers a query in a
// millisecond or two, almost however many rows there are. [Choose] draws the line.
//
// Everything is deterministic: the same vectors, options and seed give the same
// graph and the same hits whatever the number of workers. Similarities are the
// same to the last bit from every index and from single and batch searches on
// one machine; another kind of processor may round the last bits differently.
package knnindex
