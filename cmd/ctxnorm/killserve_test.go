//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/memory"
)

// TestInterruptedCalibration checks that calibrate ends when it is interrupted while it waits for a file.
func TestInterruptedCalibration(t *testing.T) {
	pipe := t.TempDir() + "/gold.txt"
	must.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	args := []string{"calibrate", "--model", modeltest.Build(t, nil, modeltest.Ulcer), "--gold", pipe}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	must.Equal(t, run(ctx, args, nil, io.Discard, io.Discard), exitFailed, "exit code")
}

// killsVariable sets how many times TestKillServe kills the server, 5 by default.
const killsVariable = "CTXNORM_TEST_KILLS"

// TestKillServe kills a server by SIGKILL at random moments while several clients add entries to its
// memory and undo them. Every acknowledged entry must be in the log unchanged; an unacknowledged one
// must be there completely or not at all. The next server continues the same log.
//
//	CTXNORM_TEST_KILLS=100 go test -run TestKillServe -v ./cmd/ctxnorm
func TestKillServe(t *testing.T) {
	if ctxnorm.CanTrain {
		t.Skip("run in the build in pure Go")
	}
	kills := 5
	if n, err := strconv.Atoi(os.Getenv(killsVariable)); err == nil {
		kills = n
	}
	const seed = 1
	random := rand.New(rand.NewPCG(seed, 1))
	dir := modeltest.Build(t, nil, modeltest.Ulcer)
	acknowledged := make(map[int]memory.Entry) // by number
	unacknowledged := 0
	for kill := range kills {
		entries := correctAndKill(t, dir, kill, time.Duration(random.IntN(int(300*time.Millisecond))))
		for _, e := range entries {
			if other, ok := acknowledged[e.Number]; ok {
				t.Fatalf("seed %d, kill %d: the entries %+v and %+v have one number", seed, kill, other, e)
			}
			acknowledged[e.Number] = e
		}
		log, err := memory.Open(memory.Dir(dir), nil)
		must.Succeed(t, err, "seed", seed, "kill", kill)
		state := log.State()
		undone := make(map[int]bool)
		for _, e := range acknowledged {
			undone[e.Undoes] = true
		}
		for number, e := range acknowledged {
			if number > len(state.All()) {
				t.Fatalf("seed %d, kill %d: the log has %d entries, and number %d was acknowledged: %+v", seed, kill, len(state.All()), number, e)
			}
			got := state.All()[number-1]
			if got.Kind != e.Kind || got.Name != e.Name || got.Concept != e.Concept || got.Undoes != e.Undoes || !got.At.Equal(e.At) {
				t.Fatalf("seed %d, kill %d: the log has %+v, and %+v was acknowledged", seed, kill, got, e)
			}
			if undone[number] && state.InForce(number) {
				t.Fatalf("seed %d, kill %d: the undoing of entry %d was acknowledged, and it is in force", seed, kill, number)
			}
		}
		unacknowledged = len(state.All()) - len(acknowledged)
		if most := (kill + 1) * correctingClients; unacknowledged > most {
			t.Fatalf("seed %d, kill %d: %d entries were not acknowledged, and at most %d were under way", seed, kill, unacknowledged, most)
		}
	}
	t.Logf("%d kills: %d entries were acknowledged and are there, %d are there without", kills, len(acknowledged), unacknowledged)
}

// correctingClients is the number of clients of the server to be killed.
const correctingClients = 4

// correctAndKill runs a server, lets clients correct it, kills it some time after the first answer, and returns the
// entries that it acknowledged.
func correctAndKill(t *testing.T, dir string, kill int, after time.Duration) []memory.Entry {
	t.Helper()
	program := must.Get(os.Executable())
	server := exec.CommandContext(t.Context(), program)
	server.Args = []string{"ctxnorm", "serve", "--model", dir, "--addr", "127.0.0.1:0"}
	stderr, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	must.Succeed(t, err)
	lines := bufio.NewReader(stderr)
	url, log := "", ""
	for url == "" { // warnings may come first
		line, err := lines.ReadString('\n')
		must.Succeed(t, err, "kill", kill, "the server ended", log)
		log += line
		_, url, _ = strings.Cut(strings.TrimSpace(line), " is served at ")
	}
	var clients sync.WaitGroup
	var mu sync.Mutex
	var all []memory.Entry
	first := make(chan struct{}, 1)
	for client := range correctingClients {
		clients.Go(func() {
			var own []memory.Entry
			for n := 0; ; n++ {
				e, err := correct(url, own, fmt.Sprintf("belly %d %d %d", kill, client, n), n)
				if err != nil {
					if !isCut(err) {
						t.Errorf("kill %d: %v", kill, err)
					}
					break
				}
				own = append(own, e)
				select {
				case first <- struct{}{}:
				default:
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, own...)
		})
	}
	select {
	case <-first:
	case <-time.After(30 * time.Second):
		t.Error("the server answers nothing")
	}
	time.Sleep(after)
	must.Succeed(t, server.Process.Signal(syscall.SIGKILL))
	_, _ = io.Copy(io.Discard, lines)
	_ = server.Wait() // ended by the signal
	clients.Wait()
	return all
}

// correct adds a name to the memory, or undoes the previous entry.
func correct(url string, own []memory.Entry, name string, n int) (memory.Entry, error) {
	if n%5 == 4 {
		r, err := http.NewRequest(http.MethodDelete, url+"/v1/memory/"+strconv.Itoa(own[n-1].Number), nil)
		if err != nil {
			return memory.Entry{}, err
		}
		return answerOf[memory.Entry](http.DefaultClient.Do(r))
	}
	body := fmt.Sprintf(`{"kind":"name","concept":"G2","name":%q,"by":"ann"}`, name)
	return answerOf[memory.Entry](http.Post(url+"/v1/memory", "application/json", strings.NewReader(body)))
}

// answerOf decodes an answer. If the answer was cut off, isCut returns true for the error.
func answerOf[T any](w *http.Response, err error) (T, error) {
	var v T
	if err != nil {
		return v, &cutError{err}
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		return v, &cutError{err}
	}
	if w.StatusCode != http.StatusOK {
		return v, fmt.Errorf("status %d: %s", w.StatusCode, bytes.TrimSpace(body))
	}
	return v, json.Unmarshal(body, &v)
}

// cutError reports that the server ended before its answer did.
type cutError struct{ error }

func isCut(err error) bool {
	_, ok := errors.AsType[*cutError](err)
	return ok
}
