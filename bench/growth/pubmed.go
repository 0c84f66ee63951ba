package main

import (
	"fmt"
	"math"
	"strings"
)

// The yearly baseline of PubMed.
const (
	baselineFiles  = 1200
	recordsPerFile = 30_000
	perName        = 50 // sentences that build-corpus keeps for a name, its default
)

// pubmed is the plan for the yearly baseline; empty where build-corpus was not
// measured by records.
func (o *outlook) pubmed() string {
	time, ok := o.fit(buildCorpus, wall.Field)
	if !ok {
		return ""
	}
	resident := o.residents(buildCorpus)
	packed, _ := o.fit(buildCorpus, "input_bytes")
	const records = baselineFiles * recordsPerFile

	var b strings.Builder
	fmt.Fprintf(&b, "## All of PubMed\n\nThe yearly baseline: %s files of %s records, %s records; as large as these records are, %s of packed XML.\n\n",
		count(baselineFiles), count(recordsPerFile), count(records), bytesAmount(packed.line(records)))
	var rows [][]string
	for _, machines := range []int{1, 2, 4, 12, 40} {
		files := math.Ceil(float64(baselineFiles) / float64(machines))
		n := files * recordsPerFile
		low, high := o.corpusBytes(n)
		least, most := resident.between(n, math.Inf(1))
		rows = append(rows, []string{count(float64(machines)), count(files), both(time, n, duration),
			between(memoryAmount, least, most), between(bytesAmount, low, high)})
	}
	b.WriteString(table([]string{"machines", "files each", "build-corpus", "memory each", "corpus of each"}, rows))
	fmt.Fprintf(&b, "\nTimes are by the line, and in brackets by the power law. Memory, which is bounded by what is kept and by the files at hand, "+
		"is by the hyperbola through what was measured, and at most by the power law. Machines are like this one, %d threads.\n\n", o.threads)
	o.writeSaturation(&b, records)
	o.writeShards(&b, resident)
	return b.String()
}

// writeSaturation says how the corpus stops growing.
func (o *outlook) writeSaturation(b *strings.Builder, records float64) {
	r := o.jobs[buildCorpus]
	points, _ := r.points("sampled")
	kept, err := fitSaturation(points)
	if err != nil {
		return
	}
	limit := o.sentenceLimit()
	low, high := kept.between(records, limit)
	fewest, most := o.corpusBytes(records)
	fmt.Fprintf(b, "A corpus keeps %d sentences of a name at most, so that it grows ever more slowly: %s at %s records. "+
		"Of %s records it will have %s sentences at least, by the hyperbola through these points, and %s at most: "+
		"their power law (exponent %.2f), but not over %d for each of the dictionary's names (%s). That is %s.\n\n",
		perName, count(kept.Last.Y), count(kept.Last.N), count(records), count(low), count(high), kept.Exponent, perName, count(limit),
		between(bytesAmount, fewest, most))
}

// sentenceLimit is the most that a corpus of the dictionary can keep.
func (o *outlook) sentenceLimit() float64 {
	return perName * o.last(buildCorpus, "names_of_dictionary")
}

// corpusBytes are the least and the most bytes of a corpus of so many records.
func (o *outlook) corpusBytes(records float64) (low, high float64) {
	r := o.jobs[buildCorpus]
	for _, part := range []struct {
		field string
		limit float64
	}{
		{"sentences_bytes", o.sentenceLimit() * o.last(buildCorpus, "sentences_bytes") / o.last(buildCorpus, "sampled")},
		{"pairs_bytes", math.Inf(1)},
		{"records_bytes", math.Inf(1)},
	} {
		points, _ := r.points(part.field)
		if part.field == "records_bytes" { // a row each: it does not saturate
			if f, err := fitLine(points); err == nil {
				low, high = low+f.line(records), high+f.line(records)
			}
			continue
		}
		if s, err := fitSaturation(points); err == nil {
			least, most := s.between(records, part.limit)
			low, high = low+least, high+most
		}
	}
	return low, high
}

// residents is the memory of a job by records.
func (o *outlook) residents(job string) saturation {
	points, _ := o.jobs[job].points(memory.Field)
	s, _ := fitSaturation(points) // where times can be fitted, so can it
	return s
}

func between(write func(float64) string, low, high float64) string {
	if a, b := write(low), write(high); a != b {
		return a + " to " + b
	}
	return write(low)
}

// writeShards says how to go about it.
func (o *outlook) writeShards(b *strings.Builder, resident saturation) {
	files := shardFiles(resident, o.memoryMB/2)
	shards := math.Ceil(baselineFiles / files)
	n := files * recordsPerFile
	time, _ := o.fit(buildCorpus, wall.Field)
	plan, share := fmt.Sprintf("%s shards of %s files. A shard", count(shards), count(files)), "Any machine takes any shard"
	if shards == 1 {
		plan, share = "one run over all files. It", "Several machines share the files so"
	}
	fmt.Fprintf(b, "The plan: %s takes %s and at most %s, which is under half of this machine's memory. "+
		"One that was stopped goes on behind the files it had finished. %s:\n\n", plan, duration(time.most(n)), memoryAmount(resident.most(n)), share)
	b.WriteString("    ctxnorm build-corpus --dict dictionary --corpus shard-01 pubmed/*n000*.xml.gz    # and so on\n" +
		"    ctxnorm corpus merge --corpus corpus shard-*\n\n" +
		"with the same dictionary, --seed and --per-name everywhere. The merge gives what one run over all files would.")
	merge, ok := o.fit(mergeCorpora, wall.Field)
	if !ok {
		b.WriteString("\n")
		return
	}
	const records = baselineFiles * recordsPerFile
	low, high := o.residents(mergeCorpora).between(records, math.Inf(1))
	fmt.Fprintf(b, " It reads corpora of %s records: %s and %s of memory, by what corpora of %s records each took; "+
		"larger shards hold less for each record, so that this is an upper bound.\n",
		count(records), both(merge, records, duration), between(memoryAmount, low, high), count(o.smallest(buildCorpus)))
}

// smallest is the smallest size of a job.
func (o *outlook) smallest(job string) float64 { return o.jobs[job].Points[0].N }

// shardFiles is how many files a shard may have for its memory to stay under a
// bound, of a few round numbers.
func shardFiles(resident saturation, boundMB float64) float64 {
	for _, files := range []float64{1200, 600, 300, 120, 60, 30, 12} {
		if resident.most(files*recordsPerFile) <= boundMB {
			return files
		}
	}
	return 1
}
