// Package corpus builds and reads the distant corpus: the sentences of PubMed in
// which names of a dictionary stand.
//
// For basic usage, call [Build] on PubMed XML files, then [Open] the folder and
// range over [Corpus.Sentences] and [Corpus.Pairs]. To join corpora built apart, use [Merge]; for
// figures, [Corpus.Stats].
//
// # The folder
//
//	sentences.parquet   one row a sentence, ordered by PMID, then index
//	records.parquet     one row a PubMed record that was read, ordered by input
//	                    file, then place in it: what [Merge] needs to find
//	                    records that stand in both corpora
//	pairs.parquet       one row a pair of strings that a [Miner] found, ordered by
//	                    kind, left, right; missing where there was no miner
//	manifest.json       see [Manifest]; written last
//	parts/              finished input files of a build that goes on; removed at its end
//
// The columns of sentences.parquet (Zstandard) are pmid, section ("title", the
// label of a structured abstract, or "abstract"), index (the sentence's number
// in its record, from 0 in the title), text, and mentions, a list of
// struct{start, end, name, concepts}. Offsets in the file count Unicode code
// points, as Python's and SQL's strings do; in Go they are bytes, as everywhere.
// A row has every mention of its sentence, those of names too that hold enough
// sentences without it.
//
// The columns of records.parquet are pmid, version, file (position in the
// manifest's inputs), record (number in the file, from 0), deleted (a PMID under
// DeleteCitation, no record), sentences, tagged (sentences with a mention) and
// mentions. Records whose PMID the user excluded are not in it.
//
// The columns of pairs.parquet are kind, left, right, records (how many records
// have the pair; in a record it counts once) and pmids (which they are, in order:
// with them [Merge] counts exactly, whatever supersedes what). Pairs are mined
// from all sentences of the records that count, not from the sample.
//
// # The sample
//
// Of every name, the PerName sentences are kept whose [ctxnorm.Hash] of (seed,
// PMID, index, name) is smallest; a sentence stays if one of its names keeps it.
// So the corpus depends on the set of input files, and not on their order or the
// number of workers, and a corpus of two sets of files is the merge of theirs.
//
// Where several records have one PMID, the one with the highest version counts;
// of equal versions, the one in the file whose base name is last, as PubMed
// numbers its update files; then the last in that file. A PMID under
// DeleteCitation in any of the files is left out.
//
// # How a build works
//
// Every input file gives a part, in pieces where it has many records: samples of
// their own, with some sentences of each name to spare, and lists of the records.
// Parts are named by what they were made from and renamed into place, so a build
// that was killed finds those that are done. At the end the lists tell which
// records do not count; their sentences drop out of the samples and those to spare
// move up. Where a name has too few to spare, the parts that lost sentences are
// made again without those records, so that the result is exact.
//
// Measured with half of MEDIC over 109,176 records (745 MB of XML in 8 files of
// 134 MB) and the miner of package mine, which finds 52 thousand pairs, 1.0 MB in
// pairs.parquet: 10 s on two cores, 17 s on one, 430 MB of memory.
package corpus
