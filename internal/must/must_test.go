package must

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
)

// recorder is a test that records the messages of its failures.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Fatal(args ...any)                 { r.said += fmt.Sprint("fatal: ", fmt.Sprintln(args...)) }
func (r *recorder) Errorf(format string, args ...any) { r.said += fmt.Sprintf(format, args...) }

func TestChecks(t *testing.T) {
	wrapped := fmt.Errorf("a.txt: %w", io.EOF)
	for i, test := range []struct {
		check func(t testing.TB)
		want  string
	}{
		{func(t testing.TB) { Succeed(t, nil, "step", 1) }, ""},
		{func(t testing.TB) { Succeed(t, io.EOF, "step", 1) }, "fatal: step 1 EOF\n"},
		{func(t testing.TB) { Fail(t, wrapped, "a.txt") }, ""},
		{func(t testing.TB) { Fail(t, wrapped, "b.txt", "row", 2) }, "row 2\nerror a.txt: EOF, want \"b.txt\" in it"},
		{func(t testing.TB) { Fail(t, nil, "") }, "\nerror <nil>, want \"\" in it"},
		{func(t testing.TB) { FailWith(t, wrapped, io.EOF) }, ""},
		{func(t testing.TB) { FailWith(t, errors.New("EOF"), io.EOF) }, "\nerror EOF, want EOF"},
		{func(t testing.TB) { FailWith(t, nil, io.EOF) }, "\nerror <nil>, want EOF"},
		{func(t testing.TB) { Contain(t, "a page", "page") }, ""},
		{func(t testing.TB) { Contain(t, "a page", "file") }, "\n\"a page\", want \"file\" in it"},
		{func(t testing.TB) { Equal(t, []string{"a"}, []string{"a"}) }, ""},
		{func(t testing.TB) { EqualBy(t, cmpopts.EquateApprox(0, .1), 1.05, 1) }, ""},
	} {
		r := &recorder{}
		if test.check(r); r.said != test.want {
			t.Errorf("check %d says %q, want %q", i, r.said, test.want)
		}
	}
	for i, check := range []func(t testing.TB){
		func(t testing.TB) { Equal(t, 2, 3) },
		func(t testing.TB) { Equal(t, nil, []string{}) },
		func(t testing.TB) { EqualBy(t, cmpopts.EquateApprox(0, .1), 1.2, 1) },
	} {
		r := &recorder{}
		if check(r); r.said == "" {
			t.Errorf("values %d are different, and nothing is said", i)
		}
	}
}
