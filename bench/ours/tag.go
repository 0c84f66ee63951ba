package main

import (
	"flag"
	"runtime"

	"golang.org/x/sync/errgroup"

	"ctxnorm"
	"ctxnorm/corpus/dictionary"
	"ctxnorm/matcher"
)

// tag is the job of peer_tag.py: the mentions of every text, with a tagger that
// looks for every name in any case.
func tag(args []string) error {
	flags := flag.NewFlagSet("tag", flag.ContinueOnError)
	dict := flags.String("dict", "", "dictionary `file`")
	path := flags.String("text", "", "`file` of citations")
	docs := flags.Int("docs", 0, "read this many texts only (default all)")
	if err := parse(flags, args, "dict", "text"); err != nil {
		return err
	}
	citations, err := readRows[citation](*path, *docs)
	if err != nil {
		return err
	}
	texts := make([]string, len(citations))
	size := 0
	for i := range citations {
		texts[i] = citations[i].text()
		size += len(texts[i])
	}
	citations = nil

	before, err := residentMB()
	if err != nil {
		return err
	}
	building := start()
	d, _, err := dictionary.Read(*dict, dictionary.Options{Strict: true})
	if err != nil {
		return err
	}
	tagger, _, err := matcher.NewTagger(d, matcher.Clean{})
	if err != nil {
		return err
	}
	build := building.seconds()
	names := len(distinctNames(d))
	d = nil
	after, err := residentMB()
	if err != nil {
		return err
	}

	watch := start()
	found, err := tagAll(tagger, texts)
	if err != nil {
		return err
	}
	seconds, cpu := watch.seconds(), watch.cpuSeconds()
	mentions, distinct := 0, map[string]bool{}
	for _, mentionsOfText := range found {
		mentions += len(mentionsOfText)
		for _, m := range mentionsOfText {
			distinct[m.Name] = true
		}
	}
	mb := float64(size) / 1e6
	return line{
		"job": "tag", "versions": versions("github.com/blevesearch/vellum"),
		"names": names, "normal_names": tagger.Names(), "build_seconds": rounded(build, 2),
		"dictionary_mb": rounded(after-before, 1), "docs": len(texts), "text_bytes": size,
		"mentions": mentions, "distinct_names": len(distinct),
		"seconds": rounded(seconds, 4), "cpu_seconds": rounded(cpu, 4),
		"mb_per_s": rounded(mb/seconds, 2), "docs_per_s": rounded(float64(len(texts))/seconds, 1),
	}.print()
}

// tagAll tags the texts, one chunk after another on each thread.
func tagAll(tagger *matcher.Tagger, texts []string) ([][]ctxnorm.Mention, error) {
	const chunk = 64 // texts between two looks at the queue
	found := make([][]ctxnorm.Mention, len(texts))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < len(texts); from += chunk {
		group.Go(func() error {
			for i := from; i < min(from+chunk, len(texts)); i++ {
				found[i] = tagger.Tag(nil, texts[i])
			}
			return nil
		})
	}
	return found, group.Wait()
}
