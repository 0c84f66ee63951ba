package contrastive

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func appendEntries(t *testing.T, path string, after int, entries ...LogEntry) {
	t.Helper()
	log := must.Get(OpenTrainingLog(path, after))
	for _, e := range entries {
		must.Succeed(t, log.Append(e))
	}
	must.Succeed(t, log.Close())
}

// TestLogResume checks that a run that is stopped and resumed leaves the same log as an uninterrupted one.
func TestLogResume(t *testing.T) {
	at := func(step int, loss float64) LogEntry {
		return LogEntry{Step: step, Loss: loss, LearningRate: 1e-4, SentencesPerSecond: 80, Seconds: float64(step)}
	}
	validated := at(2, 0.7)
	validated.ValLoss, validated.ValAcc = new(0.75), new(0.0)
	names := at(4, 0.4)
	names.NameBatch = true

	dir := t.TempDir()
	uninterrupted, resumed := filepath.Join(dir, "uninterrupted.jsonl"), filepath.Join(dir, "resumed.jsonl")
	appendEntries(t, uninterrupted, 0, at(1, 0.9), validated, at(3, 0.5), names)

	appendEntries(t, resumed, 0, at(1, 0.9), validated, at(3, 0.55)) // checkpoint after step 2, killed in step 4:
	data := must.Get(os.ReadFile(resumed))
	must.Succeed(t, os.WriteFile(resumed, append(data, `{"step":4,"lo`...), 0o644))
	appendEntries(t, resumed, 2, at(3, 0.5), names)

	want := must.Get(os.ReadFile(uninterrupted))
	got := must.Get(os.ReadFile(resumed))
	must.Equal(t, string(got), string(want), "log, uninterrupted and resumed")
	entries := must.Get(ReadTrainingLog(resumed))
	must.Equal(t, entries, []LogEntry{at(1, 0.9), validated, at(3, 0.5), names}, "entries")
	line, _, _ := strings.Cut(string(want), "\n")
	must.Equal(t, line, `{"step":1,"loss":0.9,"lr":0.0001,"sentences_per_s":80,"seconds":1}`, "line")
	appendEntries(t, resumed, 0) // a new run drops the old entries
	if entries, err := ReadTrainingLog(resumed); err != nil || len(entries) != 0 {
		t.Errorf("a new log has the entries %v, %v", entries, err)
	}
}

func TestLogErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log.jsonl")
	c := must.Get(OpenTrainingLog(path, 0))
	defer c.Close()
	err := c.Append(LogEntry{Step: 12, Loss: math.NaN()})
	must.Fail(t, err, "log.jsonl: step 12: loss NaN")

	must.Succeed(t, os.WriteFile(path, []byte("{\"step\":1}\n{\"step\":\"two\"}\n"), 0o644))
	for name, err := range map[string]error{
		"ReadTrainingLog": func() error { _, err := ReadTrainingLog(path); return err }(),
		"OpenTrainingLog": func() error { _, err := OpenTrainingLog(path, 1); return err }(),
	} {
		must.Fail(t, err, "log.jsonl:2: json: cannot unmarshal string", name)
	}
	_, err = ReadTrainingLog(filepath.Join(dir, "none.jsonl"))
	must.Fail(t, err, "none.jsonl")
	_, err = OpenTrainingLog(filepath.Join(dir, "none", "log.jsonl"), 0)
	must.Fail(t, err, "none")
}

func FuzzReadTrainingLog(f *testing.F) {
	f.Add([]byte("{\"step\":1,\"loss\":0.5,\"lr\":0.1,\"sentences_per_s\":80,\"seconds\":1}\n{\"step\":2,\"lo"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		must.Succeed(t, os.WriteFile(path, data, 0o644))
		first, err := ReadTrainingLog(path)
		if err != nil {
			return
		}
		// A resumed run keeps the entries that ReadTrainingLog returns.
		c := must.Get(OpenTrainingLog(path, math.MaxInt))
		defer c.Close()
		second := must.Get(ReadTrainingLog(path))
		must.Equal(t, second, first, "entries, before and after opening")
	})
}
