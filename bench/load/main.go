// Command load measures how many requests a running "ctxnorm serve" answers, and how fast: clients
// that each send one document after another, a document a request.
//
//	ctxnorm serve --model model --addr 127.0.0.1:8080 &
//	go run ./load -gold ncbi_dev.pubtator.gz
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func main() {
	url := flag.String("url", "http://127.0.0.1:8080/v1/link", "`address` to send requests to")
	docs := flag.String("docs", "", "`file` of documents, one a line of JSON, as ctxnorm link reads them")
	gold := flag.String("gold", "", "annotated `files`, joined by commas: a request has a sentence with its mentions")
	clients := flag.String("clients", "1,8,64", "`numbers` of clients at once")
	duration := flag.Duration("time", 20*time.Second, "`time` of each measurement")
	warm := flag.Duration("warm", 3*time.Second, "`time` before each measurement that does not count")
	flag.Parse()
	if err := run(*url, *docs, *gold, *clients, *duration, *warm); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(2)
	}
}

func run(url, docs, gold, clients string, duration, warm time.Duration) error {
	var bodies [][]byte
	var err error
	switch {
	case (docs == "") == (gold == ""):
		return errors.New("want either -docs or -gold")
	case docs != "":
		bodies, err = readBodies(docs)
	default:
		bodies, err = goldBodies(gold)
	}
	if err != nil {
		return err
	}
	fmt.Println("| clients | requests/s | p50 | p99 | requests | failed |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: | ---: |")
	for field := range strings.SplitSeq(clients, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return fmt.Errorf("-clients is %q, want numbers above 0", clients)
		}
		measure(url, bodies, n, warm)
		m := measure(url, bodies, n, duration)
		if len(m.times) == 0 {
			return fmt.Errorf("%s answered none of %d requests: %v", url, m.failed, m.err)
		}
		fmt.Printf("| %d | %.1f | %v | %v | %d | %d |\n", n, float64(len(m.times))/m.took.Seconds(), m.quantile(.5), m.quantile(.99), len(m.times), m.failed)
	}
	return nil
}

// readBodies returns the body of a request for each document of a file.
func readBodies(path string) ([][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var bodies [][]byte
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			bodies = append(bodies, fmt.Appendf(nil, `{"documents":[%s]}`, line))
		}
	}
	if len(bodies) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("%s has no documents", path)
	}
	return bodies, lines.Err()
}

// goldBodies returns the body of a request for each sentence with a mention of annotated files.
func goldBodies(files string) ([][]byte, error) {
	gold, err := eval.ReadGold(strings.Split(files, ","), nil, eval.DictionaryConceptSet(kb.NewDictionary(nil)), ctxnorm.Limits{})
	if err != nil {
		return nil, err
	}
	type mention struct {
		Start int `json:"start"`
		End   int `json:"end"`
	}
	type document struct {
		ID       string    `json:"id"`
		Text     string    `json:"text"`
		Mentions []mention `json:"mentions"`
	}
	var all []document
	last := "" // document and sentence
	for i := range gold.Mentions {
		q := &gold.Mentions[i].Query
		sentence := q.Sentence.Of(q.Text)
		if id := fmt.Sprintf("%s:%d", q.ID, q.Sentence.Start); id != last {
			last = id
			all = append(all, document{ID: id, Text: sentence})
		}
		offsets := text.NewOffsets(sentence)
		at := &all[len(all)-1]
		at.Mentions = append(at.Mentions, mention{offsets.CodePoint(q.Mention.Start - q.Sentence.Start), offsets.CodePoint(q.Mention.End - q.Sentence.Start)})
	}
	bodies := make([][]byte, len(all))
	for i := range all {
		if bodies[i], err = json.Marshal(map[string]any{"documents": all[i : i+1]}); err != nil {
			return nil, err
		}
	}
	return bodies, nil
}

// measurement is the result of a number of clients.
type measurement struct {
	times  []time.Duration // of the requests that were answered by 200
	failed int
	err    error // of one that failed
	took   time.Duration
}

// measure sends documents in turn from n clients for a time.
func measure(url string, bodies [][]byte, n int, duration time.Duration) measurement {
	ctx, cancel := context.WithTimeout(context.Background(), duration)
	defer cancel()
	transport := &http.Transport{MaxIdleConnsPerHost: n}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var (
		next    atomic.Int64
		running sync.WaitGroup
		mu      sync.Mutex
		all     measurement
	)
	start := time.Now()
	for range n {
		running.Go(func() {
			var own measurement
			for ctx.Err() == nil {
				body := bodies[int(next.Add(1)-1)%len(bodies)]
				began := time.Now()
				if err := send(client, url, body); err != nil { // the last request is waited for
					own.failed, own.err = own.failed+1, err
					continue
				}
				own.times = append(own.times, time.Since(began))
			}
			mu.Lock()
			defer mu.Unlock()
			all.times, all.failed = append(all.times, own.times...), all.failed+own.failed
			if own.err != nil {
				all.err = own.err
			}
		})
	}
	running.Wait()
	all.took = time.Since(start)
	slices.Sort(all.times)
	return all
}

func send(client *http.Client, url string, body []byte) error {
	answer, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", answer.StatusCode, content)
	}
	return err
}

// quantile returns the time below which a share q of the answers came.
func (m *measurement) quantile(q float64) time.Duration {
	at := int(q * float64(len(m.times)))
	return m.times[min(at, len(m.times)-1)].Round(100 * time.Microsecond)
}
