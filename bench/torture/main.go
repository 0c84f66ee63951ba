// Command torture runs ctxnorm against hostile cases. It checks that the user loses nothing and that wrong answers
// never come without an error. make torture starts it.
//
// The cases are data, in the folder cases and in the table jobs: commands, inputs and floods. stop.go stops commands at
// random moments and by full disks, cases.go gives them damaged files and endless inputs. docs/reliability.md specifies
// the required behavior.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

func main() {
	s := &settings{}
	harness.Main("torture", s, s.run)
}

// settings are the command-line flags.
type settings struct {
	Ctxnorm   string         `flag:"ctxnorm" default:"bin/ctxnorm" usage:"program to try"`
	Examples  string         `flag:"examples" default:"examples" usage:"folder of the example corpus and dictionary"`
	BaseModel string         `flag:"base-model" default:"internal/bert/testdata/tiny" usage:"folder of a small base model"`
	Work      string         `flag:"work" usage:"folder for the cases; those that fail stay in it"`
	Only      *regexp.Regexp `flag:"only" usage:"run the cases whose class/name matches this pattern"`
	Short     bool           `flag:"short" usage:"run a few cases of each class"`
	Seed      int            `flag:"seed" default:"1" usage:"seed of every random choice"`
	Jobs      int            `flag:"jobs" usage:"number of cases to run at once (default: one per core)"`
	Limit     float64        `flag:"limit" default:"60" usage:"seconds that a command may take"`
	Memory    int            `flag:"memory" default:"2048" usage:"MiB that a command may use"`
	Mutations int            `flag:"mutations" default:"10000" short:"200" usage:"mutated inputs and files to try, 200 with -short"`
	Kills     int            `flag:"kills" default:"100" short:"2" usage:"random kills of each command, 2 with -short"`
}

// hostileCase is one test of the program. Run ends the trial by harness.Check if the program misbehaves, and with a
// skipError if the case cannot be tried on this machine.
type hostileCase struct {
	class, name string
	run         func(t *trial)
}

// trial is the state of one running case.
type trial struct {
	*lab
	dir string     // of its own
	r   *rand.Rand // for the random choices of this case
}

type skipError struct{ error }

// run tries the cases. The exit code is 1 if one failed.
func (s *settings) run(ctx context.Context) {
	s.Work = cmp.Or(s.Work, filepath.Join(os.TempDir(), "ctxnorm-torture"))
	for _, path := range []*string{&s.Ctxnorm, &s.Examples, &s.BaseModel, &s.Work} {
		*path = harness.Get(filepath.Abs(*path)) // commands run in folders of their own
	}
	l := newLab(ctx, s)
	cases := slices.DeleteFunc(l.cases(), func(c hostileCase) bool { return !s.Only.MatchString(c.class + "/" + c.name) })
	harness.Require(len(cases) > 0, "-only: no case matches %s", s.Only)
	var mu sync.Mutex
	counts := map[string]map[string]int{} // of outcomes by class
	err := parallel.For(ctx, len(cases), s.Jobs, func(i int) {
		c, start := cases[i], time.Now()
		err := l.try(c)
		outcome, why := "passed", ""
		if err != nil {
			outcome, why = "FAILED", ": "+err.Error()
		}
		if errors.As(err, new(skipError)) {
			outcome = "skipped"
		}
		mu.Lock()
		defer mu.Unlock()
		for _, class := range []string{c.class, all} {
			if counts[class] == nil {
				counts[class] = map[string]int{}
			}
			counts[class][outcome]++
		}
		fmt.Printf("%-7s %s: %s (%.1f s)%s\n", outcome, c.class, c.name, time.Since(start).Seconds(), why)
	})
	var rows [][]string
	for _, class := range slices.Sorted(maps.Keys(counts)) {
		n := counts[class]
		rows = append(rows, []string{class, fmt.Sprint(n["passed"] + n["FAILED"]), fmt.Sprint(n["passed"]), fmt.Sprint(n["skipped"])})
	}
	fmt.Print("\n", harness.Table([]string{"case", "tried", "passed", "skipped"}, 1, rows))
	harness.Check(err)
	if counts[all]["FAILED"] > 0 {
		harness.Check(harness.ExitCode(1))
	}
}

const all = "~ all" // the last of the classes

// try runs one case in a fresh folder, which stays if the case fails.
func (l *lab) try(c hostileCase) error {
	h := fnv.New64a()
	h.Write([]byte(c.class + "/" + c.name))
	dir := filepath.Join(l.settings.Work, "cases", fmt.Sprintf("%s-%x", strings.NewReplacer(" ", "-", "'", "").Replace(c.class), h.Sum64()))
	err := harness.Try(func() {
		harness.Check(errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)))
		c.run(&trial{l, dir, rand.New(rand.NewPCG(uint64(l.settings.Seed), h.Sum64()))})
	})
	if err != nil && !errors.As(err, new(skipError)) {
		return err
	}
	return errors.Join(err, os.RemoveAll(dir))
}
