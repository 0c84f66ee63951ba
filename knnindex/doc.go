// Package knnindex finds the stored vectors that are nearest to a query's vector and counts the votes of these
// neighbors for their concepts.
//
// For basic usage, open the vectors with [OpenNPY], make an [Index] with [NewFlat] or [BuildHNSW], search it with
// Search or SearchBatch, and pass the hits to [WeightedVotes] or, for the vote of the BioCoM paper, to [MajorityVotes].
// [OpenHNSW] opens a graph that [HNSW.WriteFile] wrote.
//
// [Flat] is exact. It rules out most rows with a 4-bit quantization, which takes a microsecond a row to compute and 13
// % more memory than the vectors, and reads the others. [HNSW] searches a graph. It takes a millisecond of one
// processor per row to build and 9 % more memory than the vectors, misses one neighbor in a thousand on clustered
// vectors, and answers a query in a millisecond or two, nearly independent of the number of rows. [Choose] chooses
// between them by size.
//
// [NewJoin] searches several indexes as one, such as shards of vectors that do not fit on one machine or in one file.
//
// Everything is deterministic: the same vectors, options and seed give the same graph and the same hits with any number
// of workers. On one machine, similarities have the same bits from every index and from single and batch searches. On
// other processors the last bits may be rounded differently.
package knnindex
