// Package corpus builds and reads a distantly supervised corpus: the sentences
// of PubMed, or of other texts, that contain names of a dictionary, labeled with the names' concepts.
//
// For basic usage, call [Build] on files of PubMed XML or other texts, then [Open] the folder and
// range over [Corpus.Sentences] and [Corpus.Pairs]. [Merge] joins corpora that
// were built separately. [Corpus.Stats] counts what a corpus holds.
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
//	 3. Sample. For every name, the bottom-k samples of all chunks are merged to the
//	    bottom-k sample of the corpus (see below). Sentences of superseded records
//	    are left out.
//	 4. Write. Sentences and pairs of each chunk are sorted. A k-way merge of all
//	    chunks writes the Parquet files, in order and without holding them in memory.
//
// Step 1 is most of the work. [BuildShards] does it for some of the files, so that many processes
// can share it; a build in the same folder then finds the shards and does the rest.
//
// The files of a shard are named after a hash of everything that decides its content, and are renamed into place, the
// one that completes the shard last. So a build that was killed continues with the shards that are complete. The corpus
// is written beside its folder and takes its place in one step, and all shards go with what was there. So readers find
// the old corpus or the new one, whole.
//
// # Short forms
//
// A short form that a record defines, in its title or any section, is tagged by its definition in all sentences of the
// record, not by a dictionary name that is spelled alike. The mention has the long form, and the concepts that have all
// of it as a name. If there are none, the mention is one of a sense outside the dictionary (NIL); it is kept only if
// the short form could be taken for a name, see Tagger.MayStandFor. A dictionary name that is longer than the short
// form and covers it stays ("AD dementia").
//
// # The sample
//
// For every name, the corpus keeps the SentencesPerName sentences with the smallest hash of (seed, PMID, index, name).
// This is a bottom-k sample: it is uniform, and the bottom k of a union of sets are among the bottom k of each set. A
// sentence is in the corpus if at least one of its names keeps it. Therefore the corpus depends only on the set of
// input files, not on their order or on the number of workers, and the corpus of two sets of files is the merge of
// their corpora.
//
// If several records have the same PMID, the one with the highest version counts. Among equal versions, the one in the
// file with the last base name counts, as PubMed numbers its update files in order; then the last one in that file. A
// PMID under DeleteCitation in any of the files is left out.
//
// # The folder
//
// docs/formats.md lists the files; the types row, record and pairRow have their columns. Sentences are ordered by PMID
// and index, records by input file and position in it: Merge needs them to find records that are in several corpora. Pairs
// are ordered by kind, left and right, and have their PMIDs, so that Merge counts exactly if records are superseded;
// they are those of all sentences of the records that count, not of the sample, and missing if there was no
// PairExtractor. The manifest is written last. A sentence has all its mentions, also those of names that did not keep
// it. Offsets in the files count Unicode code points; offsets in Go are bytes, as everywhere in this module.
package corpus
