// Package corpus builds and reads a distantly supervised corpus: the sentences of PubMed, or of other texts, that
// contain names of a dictionary, labeled with the concepts of the names.
//
// For basic usage, call [Build] on files of PubMed XML or other texts, then [Open] the folder and range over
// [Corpus.Sentences] and [Corpus.Pairs]. [Merge] joins corpora that were built separately. [Corpus.Stats] counts the
// content of a corpus.
//
// # How a build works
//
// A build is a map and a reduce over files:
//
//		input file ─ tag ─▶ shard ─┐
//		input file ─ tag ─▶ shard ─┼─▶ latest records ─▶ sample ─▶ k-way merge ─▶ Parquet
//		input file ─ tag ─▶ shard ─┘
//
//	 1. Tag. Each input file is parsed, split into sentences and tagged. Short forms
//	    that a record defines are tagged by their definition (see below). Its shard
//	    holds its tagged sentences, a list of its records, and its synonym pairs.
//	    Shards are independent of each other. A shard of a large file
//	    is split into chunks, so that memory stays bounded.
//	 2. Latest records. PubMed revises and deletes records, so one PMID may be in
//	    several files. The record lists of all shards tell which record of each PMID
//	    is the latest; only that one counts.
//	 3. Sample. For every name, the bottom-k samples of all chunks are merged into the
//	    bottom-k sample of the corpus (see below). Sentences of superseded records
//	    are dropped.
//	 4. Write. Sentences and pairs of each chunk are sorted. A k-way merge of all
//	    chunks writes the Parquet files, in order and without holding them in memory.
//
// Step 1 is most of the work. [BuildShards] does it for some of the files, so many processes can share it; a build in
// the same folder then finds the shards and does the rest.
//
// The files of a shard are named after a hash of everything that determines its content, and are renamed into place,
// the one that completes the shard last. A killed build can thus continue with the complete shards. The corpus is
// written next to its folder and then replaces it, along with all shards, in one step. Readers see either the complete
// old corpus or the complete new one.
//
// # Short forms
//
// A short form that a record defines, in its title or any section, is tagged by its definition in all sentences of the
// record, even if it is spelled like a dictionary name. The mention gets the long form and the concepts that have the
// whole long form as a name. If there are no such concepts, the sense of the mention is outside the dictionary (NIL);
// it is kept only if the short form could be taken for a name, see Tagger.MayStandFor. A longer dictionary name that
// covers the short form stays ("AD dementia").
//
// # The sample
//
// For every name, the corpus keeps the SentencesPerName sentences with the smallest hash of (seed, PMID, index, name).
// This is a bottom-k sample: it is uniform, and the bottom k of a union of sets are among the bottom k of each set. A
// sentence is in the corpus if it is sampled for at least one of its names. The corpus therefore depends only on the
// set of input files, not on their order or on the number of workers, and merging the corpora of two sets of files
// gives the corpus of their union.
//
// If several records have the same PMID, the one with the highest version counts. Among equal versions it is the one in
// the file whose base name sorts last, as PubMed numbers its update files in order, and then the last one in that file.
// A PMID under DeleteCitation in any of the files is dropped.
//
// # The folder
//
// docs/formats.md lists the files; the types row, record and pairRow define their columns. Sentences are ordered by
// PMID and index, records by input file and position in it: Merge needs them to find records that are in several
// corpora. Pairs are ordered by kind, left and right, and list their PMIDs, so Merge counts exactly if records are
// superseded. They come from all sentences of the records that count, not just the sample; without a PairExtractor
// there is no such file. The manifest is written last. A sentence has all its mentions, even those of names it was not
// sampled for. Offsets in files count Unicode code points; offsets in Go are bytes, as everywhere in this module.
package corpus
