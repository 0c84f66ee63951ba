package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A dictionary of the size of UMLS.
const (
	umlsConcepts = 4e6
	umlsNames    = 10e6
	vectorDim    = 384 // of MiniLM
	bytesOfName  = 4. * vectorDim
	mb           = 1 << 20 // as the system counts resident memory
)

// stage is what a step comes to with the large dictionary.
type stage struct {
	name   string
	time   string
	memory string
	// fails is the number of names at which its memory is all that the machine has;
	// +Inf where memory is not what it needs.
	fails float64
}

// umls is the plan for a dictionary of 4 million concepts; empty where nothing was
// measured by names.
func (o *outlook) umls() string {
	stages := o.stages()
	if len(stages) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## A dictionary of %s concepts\n\nThe size of UMLS, %s names. The machine has %s.\n\n",
		count(umlsConcepts), count(umlsNames), memoryAmount(o.memoryMB))
	var rows [][]string
	for _, s := range stages {
		fails := ""
		if !math.IsInf(s.fails, 1) {
			fails = count(roundDown(s.fails)) + " names"
		}
		rows = append(rows, []string{s.name, s.time, s.memory, fails})
	}
	b.WriteString(table([]string{"step", "time", "memory", "memory is full at"}, rows))
	b.WriteString("\nBy the line, and in brackets by the power law.\n\n")
	first := slices.MinFunc(stages, func(x, y stage) int { return cmp.Compare(x.fails, y.fails) })
	if first.fails < umlsNames {
		fmt.Fprintf(&b, "What fails first here is %s, at %s names.", first.name, count(roundDown(first.fails)))
	} else {
		fmt.Fprintf(&b, "Memory does for all of them here.")
	}
	b.WriteString(" What to do about it:\n\n")
	for _, line := range o.advice() {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return b.String()
}

// stages are the steps in the order in which a user takes them, those that were
// measured.
func (o *outlook) stages() []stage {
	var all []stage
	ofJob := func(name, job string) {
		time, ok := o.fit(job, wall.Field)
		if !ok {
			return
		}
		resident, _ := o.fit(job, memory.Field)
		all = append(all, stage{name, both(time, umlsNames, duration), both(resident, umlsNames, memoryAmount), resident.reaches(o.memoryMB)})
	}
	ofJob("`build-corpus`, the tagger", buildStart)
	ofJob("`train --encoder none`, the string index", trainStrings)
	ofJob("`link` by strings, the start", linkStart)
	if queries, ok := o.queryTime(); ok {
		all = append(all, stage{"`link` by strings, a sentence", both(queries, umlsNames, duration), "", math.Inf(1)})
	}
	if time, ok := o.fit(indexNames, wall.Field); ok {
		// It holds the vectors, and then the string index beside them.
		resident, _ := o.fit(trainStrings, memory.Field)
		resident.PerUnit += bytesOfName / mb
		all = append(all, stage{"`index`, encoding the names", duration(umlsNames * time.PerUnit),
			memoryAmount(resident.line(umlsNames)), resident.reaches(o.memoryMB)})
	}
	all = append(all, stage{"vectors of the names, 4 bytes × 384", "", bytesAmount(umlsNames * bytesOfName), o.memoryMB * mb / bytesOfName})
	if query, ok := o.fit(searchExact, "single_ms_median"); ok {
		all = append(all, stage{"exact search, a query", both(query.scaled(1e-3), umlsNames, duration), "the vectors", math.Inf(1)})
	}
	if build, ok := o.fit(searchGraph, "build_seconds"); ok {
		over, _ := o.fit(searchGraph, "overhead_mb")
		over.PerUnit += bytesOfName / mb // the vectors themselves
		all = append(all, stage{"HNSW, building", both(build, umlsNames, duration), memoryAmount(over.line(umlsNames)), over.reaches(o.memoryMB)})
		query, _ := o.fit(searchGraph, "single_ms_median")
		all = append(all, stage{"HNSW, a query", both(query.scaled(1e-3), umlsNames, duration), "the vectors and the graph", math.Inf(1)})
	}
	if len(all) == 1 { // the vectors alone, which are arithmetic
		return nil
	}
	return all
}

// scaled is the fit in another unit.
func (f fit) scaled(by float64) fit {
	f.Fixed, f.PerUnit, f.Last.Y = f.Fixed*by, f.PerUnit*by, f.Last.Y*by
	return f
}

// queryTime is the time of a sentence linked by strings, the start left out.
func (o *outlook) queryTime() (fit, bool) {
	link := o.jobs[linkStrings]
	if link == nil {
		return fit{}, false
	}
	points := link.throughput(o.jobs[linkStart])
	for i := range points {
		points[i].Y = 1 / points[i].Y
	}
	f, err := fitLine(points)
	return f, err == nil
}

// advice is what a user of such a dictionary can do.
func (o *outlook) advice() []string {
	lines := []string{
		"Leave out what you will not link to. A tagger and a string index of the semantic types that matter are smaller by the names that go; no command needs the rest.",
	}
	if build, ok := o.fit(buildStart, memory.Field); ok {
		strings, _ := o.fit(trainStrings, memory.Field)
		if need := max(build.most(umlsNames), strings.most(umlsNames)); need > 0 {
			lines = append(lines, fmt.Sprintf("By strings all of it takes a machine of %s GB: `build-corpus`, then `train --encoder none`.", count(roundUp(need/1024))))
		}
	}
	if time, ok := o.fit(indexNames, wall.Field); ok && time.PerUnit > 0 {
		lines = append(lines, fmt.Sprintf("Names are encoded at %s a second, %s for all of them on one such machine, and there is no way yet to do parts on several. "+
			"Train on a part (`--dict-fraction`), and encode all of them once.", count(1/time.PerUnit), duration(umlsNames*time.PerUnit)))
	}
	if _, ok := o.fit(searchGraph, "build_seconds"); ok {
		lines = append(lines, "`index` holds all vectors. `link` maps them: what is searched comes into memory page by page. Exact search walks through all of them for every query and wants them there; "+
			"a graph touches few, but building it touches all.")
	}
	return lines
}

// roundDown and roundUp keep two digits.
func roundDown(x float64) float64 { return rounded(x, math.Floor) }
func roundUp(x float64) float64   { return rounded(x, math.Ceil) }

func rounded(x float64, round func(float64) float64) float64 {
	if x <= 0 || math.IsInf(x, 1) {
		return x
	}
	digit := math.Pow10(int(math.Floor(math.Log10(x))) - 1)
	return round(x/digit) * digit
}
