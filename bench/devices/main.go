// Command devices checks that ctxnorm computes on one device what it computes on another, such as
// a GPU and the CPU, and how fast each is:
//
//	devices -program bin/ctxnorm -examples examples -base-model DIR -a cpu -b cuda
//
// It trains some steps on each device from the same start, encodes the same names, links the same
// texts with the same model, all in float32, and compares losses, vectors and answers. Then it encodes
// and trains in the precision that each device is faster with. The exit code is 0 if all differences are within the
// tolerances, 1 if not, and 2 if something could not be run.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// options are the flags.
type options struct {
	program, examples, base, work string
	devices                       [2]string
	precision                     string // of the second device in what is compared
	steps, names                  int
}

func main() {
	var o options
	flag.StringVar(&o.program, "program", "bin/ctxnorm", "the program, built for both devices")
	flag.StringVar(&o.examples, "examples", "examples", "folder with dictionary.tsv and pubmed/*.xml")
	flag.StringVar(&o.base, "base-model", "", "folder of the base model")
	flag.StringVar(&o.work, "work", "build/devices", "folder for corpus and models; it is made anew")
	flag.StringVar(&o.devices[0], "a", "cpu", "device to compare with")
	flag.StringVar(&o.devices[1], "b", "cuda", "device to check")
	flag.StringVar(&o.precision, "precision", "float32", "precision of the second device in what is compared; another than float32 shows what the check notices")
	flag.IntVar(&o.steps, "steps", 30, "training steps")
	flag.IntVar(&o.names, "names", 4000, "names to encode")
	flag.Parse()
	// A signal ends the program that runs, too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := o.run(ctx)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "devices:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

// run does all jobs and prints a table. It reports whether all differences are within the tolerances.
func (o *options) run(ctx context.Context) (ok bool, err error) {
	if err := o.absolute(); err != nil {
		return false, err
	}
	if err := os.RemoveAll(o.work); err != nil {
		return false, err
	}
	if err := os.MkdirAll(o.work, 0o777); err != nil {
		return false, err
	}
	if err := writeNames(filepath.Join(o.examples, "dictionary.tsv"), filepath.Join(o.work, "names.tsv"), o.names); err != nil {
		return false, err
	}
	records, err := filepath.Glob(filepath.Join(o.examples, "pubmed", "*.xml"))
	if err != nil || len(records) == 0 {
		return false, fmt.Errorf("%s/pubmed has no *.xml (%v)", o.examples, err)
	}
	dict := []string{"--dict", filepath.Join(o.examples, "dictionary.tsv")}
	if _, err := o.ctxnorm(ctx, append(append([]string{"build-corpus", "--corpus", "corpus"}, dict...), records...)); err != nil {
		return false, err
	}
	var runs [2]run
	for i, device := range o.devices {
		precision := "float32"
		if i == 1 {
			precision = o.precision
		}
		if runs[i], err = o.compute(ctx, fmt.Sprint(i), device, precision, dict, records); err != nil {
			return false, err
		}
	}
	checks := compare(&runs[0], &runs[1])
	rates := make([][2]float64, 4)
	for i := range runs {
		fast, err := o.rates(ctx, "auto"+fmt.Sprint(i), o.devices[i], "auto", dict)
		if err != nil {
			return false, err
		}
		rates[0][i], rates[1][i] = runs[i].trained, runs[i].encoded
		rates[2][i], rates[3][i] = fast.trained, fast.encoded
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "difference of %s and %s\tis\tat most\t\n", o.devices[0], o.devices[1])
	ok = true
	for _, c := range checks {
		verdict := "ok"
		if !c.ok() {
			verdict, ok = "TOO LARGE", false
		}
		fmt.Fprintf(t, "%s\t%.3g\t%g\t%s\n", c.what, c.got, c.limit, verdict)
	}
	fmt.Fprintf(t, "\t\t\t\nrate\t%s\t%s\tratio\n", o.devices[0], o.devices[1])
	for i, what := range []string{"training in float32, sentences/s", "encoding names in float32, names/s", "training by default, sentences/s", "encoding names by default, names/s"} {
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.2f\n", what, rates[i][0], rates[i][1], rates[i][1]/rates[i][0])
	}
	return ok, t.Flush()
}

// absolute makes the paths absolute, since the program runs in the work folder.
func (o *options) absolute() (err error) {
	for _, path := range []*string{&o.program, &o.examples, &o.base, &o.work} {
		if *path == "" {
			return fmt.Errorf("-base-model is not set")
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return nil
}

// ctxnorm runs the program in the work folder and returns how long it took.
func (o *options) ctxnorm(ctx context.Context, args []string) (time.Duration, error) {
	fmt.Fprintln(os.Stderr, "devices: ctxnorm", strings.Join(args[:min(len(args), 8)], " "), "…")
	cmd := exec.CommandContext(ctx, o.program, args...)
	cmd.Dir = o.work
	var messages bytes.Buffer
	cmd.Stderr = &messages
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("ctxnorm %s: %w: %s", args[0], err, messages.String())
	}
	return time.Since(start), nil
}

// run is what one device computed.
type run struct {
	losses           []float64
	vectors          *matrix // of the examples' names by the trained encoder
	encodedNames     *matrix // of the generated names by the base model
	answers          []answer
	trained, encoded float64 // sentences and names a second
}

// rates trains and encodes.
func (o *options) rates(ctx context.Context, name, device, precision string, dict []string) (r run, err error) {
	where := []string{"--device", device, "--precision", precision, "--base-model", o.base, "--seed", "1"}
	trained := append([]string{"train", "--corpus", "corpus", "--model", "trained" + name, "--steps", fmt.Sprint(o.steps), "--validate-every", "-1", "--checkpoint-every", "-1"}, append(dict, where...)...)
	if _, err := o.ctxnorm(ctx, trained); err != nil {
		return r, err
	}
	if r.losses, r.trained, err = readLosses(filepath.Join(o.work, "trained"+name, "training", "curve.jsonl")); err != nil {
		return r, err
	}
	if r.vectors, err = readMatrix(filepath.Join(o.work, "trained"+name, "index", "names.npy")); err != nil {
		return r, err
	}
	// The start of a run and what is not encoding are in the time of a few names, too.
	var took [2]time.Duration
	for i, names := range []string{filepath.Join(o.examples, "dictionary.tsv"), "names.tsv"} {
		args := append([]string{"train", "--untrained", "--corpus", "none", "--dict", names, "--model", "names" + name}, where...)
		if took[i], err = o.ctxnorm(ctx, args); err != nil {
			return r, err
		}
	}
	if r.encodedNames, err = readMatrix(filepath.Join(o.work, "names"+name, "index", "names.npy")); err != nil {
		return r, err
	}
	r.encoded = float64(r.encodedNames.rows) / max(1e-3, (took[1]-took[0]).Seconds())
	return r, nil
}

// compute also links with the model that the first device trained.
func (o *options) compute(ctx context.Context, name, device, precision string, dict, records []string) (run, error) {
	r, err := o.rates(ctx, name, device, precision, dict)
	if err != nil {
		return r, err
	}
	linked := "linked" + name + ".jsonl"
	args := append([]string{"link", "--tag", "--model", "trained0", "--exact-budget", "0", "--min-probability", "0", "--output", linked, "--device", device, "--precision", precision}, records...)
	if _, err := o.ctxnorm(ctx, args); err != nil {
		return r, err
	}
	r.answers, err = readAnswers(filepath.Join(o.work, linked))
	return r, err
}
