package main

import (
	"errors"
	"io"
	"os"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

// citation holds the text of a PubMed record, a row of texts.jsonl.gz.
type citation struct {
	PMID     string `json:"pmid"`
	Title    string `json:"title"`
	Abstract string `json:"abstract"`
}

// readXML is the job of peer_xml.py: it reads files to a list of citations,
// decompression included, one file per thread. Writing them is not measured.
func readXML(o *options) ([]line, error) {
	if len(o.files) == 0 {
		return nil, errors.New("no PubMed XML files are given")
	}
	watch := start()
	citations := make([][]citation, len(o.files))
	xmlBytes := make([]int64, len(o.files))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range o.files {
		group.Go(func() (err error) {
			citations[i], xmlBytes[i], err = readCitations(path)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	seconds, cpu := watch.seconds(), watch.cpuSeconds()

	all := slices.Concat(citations...)
	var unpacked, packed, text int64
	withAbstract := 0
	for i, path := range o.files {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		unpacked, packed = unpacked+xmlBytes[i], packed+info.Size()
	}
	for i := range all {
		text += int64(len(all[i].Title) + len(all[i].Abstract))
		if all[i].Abstract != "" {
			withAbstract++
		}
	}
	if o.Out != "" {
		if err := writeRows(o.Out, all); err != nil {
			return nil, err
		}
	}
	return []line{{
		"versions": versions("github.com/klauspost/compress"), "files": len(o.files),
		"records": len(all), "with_abstract": withAbstract,
		"gz_mb": rounded(float64(packed)/1e6, 3), "xml_bytes": unpacked, "text_bytes": text,
		"seconds": rounded(seconds, 3), "cpu_seconds": rounded(cpu, 3),
		"xml_mb_per_s": rounded(float64(unpacked)/1e6/seconds, 2), "records_per_s": rounded(float64(len(all))/seconds, 1),
	}}, nil
}

// readCitations reads the citations of a file and returns the size of its XML in
// bytes.
func readCitations(path string) (citations []citation, xmlBytes int64, err error) {
	reader, err := pubmed.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer reader.Close()
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return citations, reader.InputOffset(), nil
		}
		if err != nil {
			return nil, 0, err
		}
		citations = append(citations, citation{record.PMID, record.Title, record.Abstract()})
	}
}

// tag is the job of peer_tag.py: the mentions of every text, by a tagger that looks
// for every name in any case.
func tag(o *options) ([]line, error) {
	citations, err := readRows[citation](o.Text, o.Docs)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(citations))
	size := 0
	for i, c := range citations {
		texts[i] = c.Title + "\n" + c.Abstract
		size += len(texts[i])
	}
	citations = nil

	before, err := residentMB()
	if err != nil {
		return nil, err
	}
	watch := start()
	tagger, dict, err := newTagger(o.Dict)
	if err != nil {
		return nil, err
	}
	build := watch.seconds()
	names := len(distinctNames(dict))
	dict = nil
	after, err := residentMB()
	if err != nil {
		return nil, err
	}

	watch = start()
	found := make([][]text.Mention, len(texts))
	const chunk = 64 // texts between two accesses to the queue
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
	if err := group.Wait(); err != nil {
		return nil, err
	}
	seconds, cpu := watch.seconds(), watch.cpuSeconds()
	mentions, distinct := slices.Concat(found...), map[string]bool{}
	for _, m := range mentions {
		distinct[m.Name] = true
	}
	return []line{{
		"versions": versions("github.com/blevesearch/vellum"),
		"names":    names, "normal_names": tagger.Names(), "build_seconds": rounded(build, 2),
		"dictionary_mb": rounded(after-before, 1), "docs": len(texts), "text_bytes": size,
		"mentions": len(mentions), "distinct_names": len(distinct),
		"seconds": rounded(seconds, 4), "cpu_seconds": rounded(cpu, 4),
		"mb_per_s": rounded(float64(size)/1e6/seconds, 2), "docs_per_s": rounded(float64(len(texts))/seconds, 1),
	}}, nil
}

// newTagger returns a tagger of all names of a dictionary file, which has no bad rows.
func newTagger(path string) (*matcher.Tagger, *kb.Dictionary, error) {
	dict, _, err := kbfile.Read(path, kbfile.Options{Strict: true})
	if err != nil {
		return nil, nil, err
	}
	tagger, _, err := matcher.NewTagger(dict, matcher.NameFilter{})
	return tagger, dict, err
}
