package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestProcess(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "old")
	must.Succeed(t, os.MkdirAll(filepath.Join(fresh, "inside"), 0o755))
	script := `[ ! -e "$0" ] && echo "{\"threads\": $((GOMAXPROCS+OMP_NUM_THREADS))}" && sleep .05`
	p := Process{Args: []string{"/bin/sh", "-c", script, fresh}, Threads: 3, Fresh: fresh}
	printed, l := p.Run(t.Context())
	must.Equal(t, ParseJSON[Line](printed), []Line{{"threads": 6.}}, "3 and 3 threads")
	if l["wall_seconds"].(float64) < .05 || l["process_cpu_seconds"].(float64) < 0 || l["peak_mb"].(float64) <= 0 {
		t.Errorf("the usage is %v, want .05 s or more", l)
	}
	p = Process{Args: []string{"/bin/sh", "-c", "echo more >&2; echo why >&2; echo sh: hint: ask >&2; exit 3"}, Threads: 1}
	if err := Try(func() { p.Run(t.Context()) }); err == nil || !strings.HasSuffix(err.Error(), "exit status 3: why") {
		t.Errorf("the error is %v, want the last line of standard error that is no hint", err)
	}
	p = Process{Args: []string{"/bin/echo", "report*.go", "none*"}, Threads: 2}
	printed, _ = p.Run(t.Context())
	must.Equal(t, string(printed), "report.go none*\n", "files that match")
	must.Equal(t, p.String(), "GOMAXPROCS=2 OMP_NUM_THREADS=2 /bin/echo report*.go none*")
}

// TestTry returns the error of a call within a call, and lets other panics pass.
func TestTry(t *testing.T) {
	reached := ""
	err := Try(func() {
		func() { reached = Get("before", nil) }()
		func() { reached = Get("after", os.ErrExist) }()
	})
	must.FailWith(t, err, os.ErrExist)
	must.Equal(t, reached, "before")
	defer func() { must.Equal(t, recover(), any("a fault")) }()
	must.Succeed(t, Try(func() { panic("a fault") }))
}

func TestPeakMB(t *testing.T) {
	if own, none := PeakMB(os.Getpid()), PeakMB(-1); own <= 0 || none != 0 {
		t.Errorf("%g MiB, and of no process %g", own, none)
	}
}

func TestSpreadOf(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   Spread
	}{
		{"one", []float64{7}, Spread{7, 7, 7}},
		{"odd: 1 2 5 8 9", []float64{9, 1, 5, 2, 8}, Spread{5, 1, 9}},
		{"even: 1 2 4 9, (2+4)/2", []float64{4, 9, 1, 2}, Spread{3, 1, 9}},
		{"ties: 2 2 2 6, (2+2)/2", []float64{2, 6, 2, 2}, Spread{2, 2, 6}},
	} {
		values := slices.Clone(c.values)
		must.Equal(t, SpreadOf(values), c.want, c.name)
		must.Equal(t, values, c.values, c.name, "the values were changed")
	}
}

func TestFormat(t *testing.T) {
	for want, x := range map[string]float64{"0 s": 0, "0.1235 s": .12345, "1.23 s": 1.234, "12.3 s": 12.34, "1235 s": 1234.6} {
		must.Equal(t, Format(x, "s"), want, x)
	}
	want := "| a | b | c |\n| --- | --- | ---: |\n| x | y | 1 |\n"
	must.Equal(t, Table([]string{"a", "b", "c"}, 2, [][]string{{"x", "y", "1"}}), want)
}

func TestParseFlags(t *testing.T) {
	type options struct {
		Dict    string         `flag:"dict" required:"tag link"`
		Docs    int            `flag:"docs" default:"400" quick:"4" usage:"documents"`
		Share   float64        `flag:"share" default:".5" quick:".25"`
		Verbose bool           `flag:"v"`
		Quick   bool           `flag:"quick"`
		Only    *regexp.Regexp `flag:"only"`
		Files   []string       `args:"files"`
		Other   int            // no flag
	}
	for _, c := range []struct {
		args, name, fault, numbers string
		want                       options
	}{
		{"-docs 5 -v -dict d a b", "tag", "", "docs 5", options{Dict: "d", Docs: 5, Share: .5, Verbose: true, Files: []string{"a", "b"}}},
		{"-docs 5 -quick", "show", "", "docs 5", options{Docs: 5, Share: .25, Quick: true}},
		{"-quick", "show", "", "docs 4", options{Docs: 4, Share: .25, Quick: true}},
		{"-quick=false -share 1", "show", "", "docs 400", options{Docs: 400, Share: 1}},
		{"", "link", "-dict is not given", "docs 400", options{Docs: 400, Share: .5}},
		{"-only (", "show", `invalid value "(" for flag -only: error parsing regexp: missing closing ): ` + "`(`", "docs 400", options{Docs: 400, Share: .5}},
		{"-nothing", "show", "flag provided but not defined: -nothing", "docs 400", options{Docs: 400, Share: .5}},
	} {
		var o options
		err := Try(func() { ParseFlags(&o, c.name, strings.Fields(c.args)) })
		only := o.Only
		if o.Only, o.Files = nil, slices.Concat(o.Files); (err == nil) != (c.fault == "") || err != nil && err.Error() != c.fault || !reflect.DeepEqual(o, c.want) {
			t.Errorf("%s: %+v, error %v", c.args, o, err)
		}
		if o.Only = only; !only.MatchString("any") {
			t.Errorf("%s: %s matches nothing", c.args, only)
		}
		if values, numbers := Values(&o); numbers != c.numbers || values["dict"] != o.Dict || len(values) != 6 {
			t.Errorf("%s: values %v, numbers %q", c.args, values, numbers)
		}
	}
}

// TestArgumentsAndVariables refuses arguments where no field takes them, and takes a text from the environment.
func TestArgumentsAndVariables(t *testing.T) {
	t.Setenv("CTXNORM_TEST", "folder")
	var o struct {
		Data string `flag:"data" env:"CTXNORM_TEST" required:"show"`
	}
	ParseFlags(&o, "show", nil)
	must.Equal(t, o.Data, "folder", "of the environment")
	ParseFlags(&o, "show", []string{"-data", "own"})
	must.Equal(t, o.Data, "own", "of the flag")
	must.Fail(t, Try(func() { ParseFlags(&o, "show", []string{"more"}) }), `"more" is not a flag`)
}
