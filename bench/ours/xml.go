package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"ctxnorm/corpus/pubmed"
)

// citation is what is read of a record, and a row of texts.jsonl.gz.
type citation struct {
	PMID     string `json:"pmid"`
	Title    string `json:"title"`
	Abstract string `json:"abstract"`
}

// text is what is tagged of a citation.
func (c *citation) text() string { return c.Title + "\n" + c.Abstract }

// readXML is the job of peer_xml.py: files to a list of citations, unpacking
// included, one file a thread. Writing them is not measured.
func readXML(args []string) error {
	flags := flag.NewFlagSet("xml", flag.ContinueOnError)
	out := flags.String("out", "", "write the citations to this `file`, .jsonl.gz")
	if err := parse(flags, args); err != nil {
		return err
	}
	paths := flags.Args()
	if len(paths) == 0 {
		return errors.New("no files of PubMed XML")
	}

	watch := start()
	parts := make([][]citation, len(paths))
	xmlBytes := make([]int64, len(paths))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range paths {
		group.Go(func() (err error) {
			parts[i], xmlBytes[i], err = readFile(path)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	seconds, cpu := watch.seconds(), watch.cpuSeconds()

	var all []citation
	var size, packed, text int64
	withAbstract := 0
	for i, part := range parts {
		all = append(all, part...)
		size += xmlBytes[i]
		info, err := os.Stat(paths[i])
		if err != nil {
			return err
		}
		packed += info.Size()
	}
	for i := range all {
		text += int64(len(all[i].Title) + len(all[i].Abstract))
		if all[i].Abstract != "" {
			withAbstract++
		}
	}
	if *out != "" {
		if err := writeRows(*out, all); err != nil {
			return err
		}
	}
	return line{
		"job": "xml", "versions": versions("github.com/klauspost/compress"), "files": len(paths),
		"records": len(all), "with_abstract": withAbstract,
		"gz_mb": rounded(float64(packed)/1e6, 3), "xml_bytes": size, "text_bytes": text,
		"seconds": rounded(seconds, 3), "cpu_seconds": rounded(cpu, 3),
		"xml_mb_per_s": rounded(float64(size)/1e6/seconds, 2), "records_per_s": rounded(float64(len(all))/seconds, 1),
	}.print()
}

// readFile reads the citations of a file, and says how many bytes of XML it holds.
func readFile(path string) (citations []citation, xmlBytes int64, err error) {
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
