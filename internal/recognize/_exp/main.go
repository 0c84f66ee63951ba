package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

type gold struct {
	ID   string
	Text string
	Gold [][2]int
}

func load(path string) []gold {
	f, err := os.Open(path)
	check(err)
	var all []gold
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var g gold
		check(json.Unmarshal(s.Bytes(), &g))
		all = append(all, g)
	}
	return all
}
func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	dict := flag.String("dict", "/work/shared/data/dict/biocom_half.jsonl.gz", "")
	parents := flag.String("parents", "/work/shared/data/dict/mesh_descriptors_c_f_tree.tsv.gz", "")
	fraction := flag.Float64("fraction", 1, "")
	corp := flag.String("corpus", "half", "")
	texts := flag.Float64("texts", 1, "")
	seed := flag.Uint64("seed", 1, "")
	biases := flag.String("biases", "-.5,0,.5", "")
	sets := flag.String("sets", "ncbi_dev,bc5cdr_dev,mm_dev", "")
	names := flag.Int("names", 0, "")
	errors := flag.String("errors", "", "")
	profile := flag.String("cpuprofile", "", "")
	flag.Parse()
	start := time.Now()
	log := func(f string, a ...any) {
		fmt.Printf("%6.1f s  %s\n", time.Since(start).Seconds(), fmt.Sprintf(f, a...))
	}
	if *profile != "" {
		f, _ := os.Create(*profile)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	d, _, err := ctxnorm.ReadDictionary(*dict, ctxnorm.DictionaryOptions{IDs: "/work/shared/data/dict/biocom_concept_map.json.gz", Parents: *parents})
	check(err)
	d = d.Fraction(*fraction, *seed)
	if *names > 0 {
		full, _, err := matcher.NewTagger(d, matcher.DefaultNameFilter())
		check(err)
		c, err := corpus.Open(*corp)
		check(err)
		counts := map[string]int{}
		for doc, err := range c.Texts() {
			check(err)
			for _, m := range full.Tag(nil, doc.Text) {
				counts[m.Name]++
			}
		}
		type pick struct {
			c int
			n string
			h float64
		}
		var picks []pick
		for i := range d.Len() {
			for _, n := range d.At(i).Names() {
				if counts[normalize.Normal(n)] >= 5 {
					picks = append(picks, pick{i, n, sampling.Unit(*seed, "pick", n)})
				}
			}
		}
		sort.Slice(picks, func(i, j int) bool { return picks[i].h < picks[j].h })
		var concepts []kb.Concept
		by := map[int][]string{}
		for _, p := range picks[:min(len(picks), *names)] {
			by[p.c] = append(by[p.c], p.n)
		}
		for i := range d.Len() {
			c := *d.At(i)
			c.Name, c.Synonyms = "", by[i]
			concepts = append(concepts, c)
		}
		d = kb.NewDictionary(concepts)
	}
	tagger, _, err := matcher.NewTagger(d, matcher.DefaultNameFilter())
	check(err)
	c, err := corpus.Open(*corp)
	check(err)
	var docs iter.Seq2[*text.Document, error] = func(yield func(*text.Document, error) bool) {
		n := 0
		for doc, err := range c.Texts() {
			if n++; sampling.Unit(77, "t", doc.ID) > *texts {
				continue
			}
			if !yield(link.TagDocument(doc, tagger), err) {
				return
			}
		}
	}
	r, err := recognize.Train(context.Background(), recognize.Options{Dictionary: d, Documents: docs, Seed: *seed})
	check(err)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	dir, _ := os.MkdirTemp("", "rec")
	check(r.Write(dir))
	r, err = recognize.Open(dir)
	check(err)
	sum := r.Summary(25)
	log("%+v", sum)
	log("trained, %d MB from the system", m.Sys>>20)
	for _, set := range strings.Split(*sets, ",") {
		all := load(set + ".gold.jsonl")
		var tp, np, ng int
		var tagged []*text.Document
		for _, g := range all {
			doc := link.TagDocument(&text.Document{Text: g.Text}, tagger)
			offsets := text.NewOffsets(g.Text)
			is := map[[2]int]bool{}
			for _, s := range g.Gold {
				is[s] = true
			}
			for _, m := range doc.Mentions {
				if len(m.Concepts) == 0 {
					continue
				}
				np++
				if is[[2]int{offsets.CodePoint(m.Start), offsets.CodePoint(m.End)}] {
					tp++
				}
			}
			tagged = append(tagged, doc)
			ng += len(is)
		}
		f := func(tp, np, ng int) string {
			p, r := float64(tp)/float64(max(1, np)), float64(tp)/float64(ng)
			return fmt.Sprintf("%.3f %.3f %.3f", p, r, 2*p*r/(p+r))
		}
		log("%-11s tag        %s", set, f(tp, np, ng))
		for _, b := range strings.Split(*biases, ",") {
			var bias float64
			fmt.Sscan(b, &bias)
			tp, np = 0, 0
			t0 := time.Now()
			wrong, missed := map[string]int{}, map[string]int{}
			for i, g := range all {
				offsets := text.NewOffsets(g.Text)
				is := map[[2]int]bool{}
				for _, s := range g.Gold {
					is[s] = true
				}
				found := map[[2]int]bool{}
				for _, m := range r.Annotate(tagged[i], bias).Mentions {
					np++
					key := [2]int{offsets.CodePoint(m.Start), offsets.CodePoint(m.End)}
					found[key] = true
					if *errors != "" && !is[key] {
						wrong[strings.ToLower(m.Of(g.Text))]++
					}
					if is[[2]int{offsets.CodePoint(m.Start), offsets.CodePoint(m.End)}] {
						tp++
					}
				}
				for k := range is {
					if !found[k] {
						a, _ := offsets.Byte(k[0])
						b, _ := offsets.Byte(k[1])
						missed[strings.ToLower(g.Text[a:b])]++
					}
				}
			}
			if *errors != "" {
				for _, w := range []map[string]int{wrong, missed} {
					var keys []string
					for k := range w {
						keys = append(keys, k)
					}
					sort.Slice(keys, func(i, j int) bool { return w[keys[i]] > w[keys[j]] || w[keys[i]] == w[keys[j]] && keys[i] < keys[j] })
					for _, k := range keys[:min(len(keys), 60)] {
						fmt.Printf("%s %d; ", k, w[k])
					}
					fmt.Println()
				}
			}
			log("%-11s bias %5.2f %s   %.0f docs/s", set, bias, f(tp, np, ng), float64(len(all))/time.Since(t0).Seconds())
		}
	}
}
