package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Succeed(t, os.WriteFile(path, []byte(content), 0o666))
}

// checkFiles checks that the files below dir and their contents equal want.
func checkFiles(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	names := must.Get(listFiles(dir))
	for _, name := range names {
		content := must.Get(os.ReadFile(filepath.Join(dir, name)))
		if expected, ok := want[name]; !ok || expected != string(content) {
			t.Errorf("%s holds %q, want %q (present: %v)", name, content, expected, ok)
		}
	}
	must.Equal(t, len(names), len(want), "files", names)
}

func TestDamagedError(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{Damaged("a.npy", "has %d bytes", 3), "a.npy: has 3 bytes"},
		{DamagedAt("a.npy", 10, "shape"), "a.npy: byte 10: shape"},
		{DamagedAt("", 0, "magic"), "byte 0: magic"},
		{WithPath("b", DamagedAt("", 7, "magic")), "b: byte 7: magic"},
		{WithPath("b", Damaged("a", "is missing")), "b: a: is missing"},
		{WithPath("b", io.ErrUnexpectedEOF), "b: unexpected EOF"},
	} {
		must.Equal(t, c.err.Error(), c.want)
	}
	must.Succeed(t, WithPath("b", nil), "no error")
	var damaged *files.DamagedError
	if err := fmt.Errorf("open: %w", DamagedAt("a", 5, "x")); !errors.As(err, &damaged) || damaged.Offset != 5 {
		t.Errorf("errors.As does not find %v", err)
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	write(t, path, "old")
	f := must.Get(Create(path))
	must.Get(io.WriteString(f, "new"))
	if content, _ := os.ReadFile(path); string(content) != "old" {
		t.Errorf("before Commit the file holds %q, want the old content", content)
	}
	must.Succeed(t, f.Commit())
	f.Discard()
	checkFiles(t, dir, map[string]string{"out": "new"})

	f = must.Get(Create(path))
	must.Get(io.WriteString(f, "never"))
	f.Discard()
	f.Discard()
	checkFiles(t, dir, map[string]string{"out": "new"})
}

// TestErrorsNameTheTarget checks that errors name the target rather than the temporary file.
func TestErrorsNameTheTarget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "out")
	for name, err := range map[string]error{
		"Create":    func() error { _, err := Create(path); return err }(),
		"WriteFile": WriteFile(path, nil),
		"WriteJSON": WriteJSON(path, 1),
	} {
		var of *fs.PathError
		if !errors.As(err, &of) || of.Path != path || !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: error is %v, want one that names %s once", name, err, path)
		}
	}
}

func TestWriteKeepsTheOldFileOnError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	write(t, path, "old")
	failed := errors.New("no more")
	err := Write(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<17)) // more than the buffer
		return failed
	})
	if !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("error is %v, want %v with the path", err, failed)
	}
	checkFiles(t, dir, map[string]string{"out": "old"})
}

// TestPermissions compares permissions with those of os.WriteFile and os.Mkdir under this umask.
func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("file"), "")
	write(t, path("private"), "")
	must.Succeed(t, os.Chmod(path("private"), 0o600))
	must.Succeed(t, os.Mkdir(path("folder"), 0o777))
	folder := must.Get(CreateFolder(path("ours")))
	must.Succeed(t, errors.Join(WriteFile(path("new"), nil), WriteFile(path("private"), nil), folder.Commit()))
	mode := func(name string) fs.FileMode {
		info := must.Get(os.Stat(path(name)))
		return info.Mode()
	}
	for name, like := range map[string]string{"new": "file", "private": "file", "ours": "folder"} {
		must.Equal(t, mode(name), mode(like), "mode", name)
	}
}

func TestCreateFolder(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "deep", "model")
	for _, content := range []string{"first", "second"} {
		folder := must.Get(CreateFolder(target + string(filepath.Separator)))
		write(t, filepath.Join(folder.Path(), "sub", content), content)
		must.Succeed(t, folder.Commit())
		folder.Discard()
		checkFiles(t, dir, map[string]string{"deep/model/sub/" + content: content})
	}
	folder := must.Get(CreateFolder(target))
	write(t, filepath.Join(folder.Path(), "third"), "third")
	folder.Discard()
	checkFiles(t, dir, map[string]string{"deep/model/sub/second": "second"})
}

func TestDigest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	write(t, path, "abc")
	// The SHA-256 of "abc": FIPS 180-2, appendix B.1.
	// Its CRC-32C by https://reveng.sourceforge.io/crc-catalogue, algorithm CRC-32/ISCSI.
	want := Digest{3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "364b3fb7"}
	must.Equal(t, must.Get(DigestFile(path)), want, "digest")
	must.Succeed(t, want.Check(path))
	must.Succeed(t, want.CheckSum(path))
	must.Fail(t, (Digest{Size: 3, CRC32C: want.CRC32C}).Check(path), "", "a digest without a SHA-256 is passed")
}

func TestDigestsCheck(t *testing.T) {
	dir := t.TempDir()
	fill := func() {
		write(t, filepath.Join(dir, "manifest.json"), "{}")
		write(t, filepath.Join(dir, "a"), "aaa")
		write(t, filepath.Join(dir, "sub", "b"), "bbb")
	}
	fill()
	digests, err := DigestFolder(dir, "manifest.json")
	if err != nil || len(digests) != 2 {
		t.Fatalf("digests are %v, %v, want those of a and sub/b", digests, err)
	}
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, c := range []struct {
		name     string
		change   func()
		bySize   string // error of CheckSizes; empty if there is none
		complete string // error of Check
	}{
		{"as written", func() {}, "", ""},
		{"altered", func() { write(t, in("sub/b"), "bbc") }, "", in("sub/b") + ": is damaged: its SHA-256 is "},
		{"longer", func() { write(t, in("a"), "aaaa") }, in("a") + ": has 4 bytes, want 3", in("a") + ": has 4 bytes, want 3"},
		{"missing", func() { os.Remove(in("a")) }, in("a") + ": is missing", in("a") + ": is missing"},
		{"not listed", func() { write(t, in("c"), "") }, "", in("c") + ": is not listed in manifest.json"},
	} {
		fill()
		os.Remove(in("c"))
		c.change()
		for _, check := range []struct {
			err  error
			want string
		}{{digests.CheckSizes(dir), c.bySize}, {digests.Check(dir, "manifest.json"), c.complete}} {
			var damaged *files.DamagedError
			switch {
			case check.want == "" && check.err == nil:
			case check.want == "" || check.err == nil, !errors.As(check.err, &damaged), !strings.HasPrefix(check.err.Error(), check.want):
				t.Errorf("%s: error is %v, want %q", c.name, check.err, check.want)
			}
		}
	}
}

// TestDigestsCheckLink checks a folder through a symbolic link.
func TestDigestsCheckLink(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	write(t, filepath.Join(dir, "a"), "aaa")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	digests, err := DigestFolder(link, "manifest.json")
	if err != nil || len(digests) != 1 {
		t.Fatalf("digests are %v, %v, want that of a", digests, err)
	}
	must.Succeed(t, digests.Check(link, "manifest.json"))
	write(t, filepath.Join(dir, "b"), "")
	must.Fail(t, digests.Check(link, "manifest.json"), "", "a file that is not listed is passed over")
}

func TestJSON(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "v.json")
	must.Succeed(t, WriteJSON(path, map[string]int{"a": 1}))
	checkFiles(t, dir, map[string]string{"v.json": "{\n  \"a\": 1\n}\n"})
	var back map[string]int
	if err := ReadJSON(path, &back); err != nil || back["a"] != 1 {
		t.Errorf("read back %v, %v", back, err)
	}
	write(t, path, `{"a": x}`)
	var damaged *files.DamagedError
	if err := ReadJSON(path, &back); !errors.As(err, &damaged) || damaged.Path != path || !strings.Contains(damaged.Reason, "byte 6") {
		t.Errorf("error is %v, want one of byte 6", err)
	}
	must.FailWith(t, ReadJSON(filepath.Join(dir, "none"), &back), fs.ErrNotExist, "a missing file")
	must.Fail(t, WriteJSON(path, func() {}), "", "a function is written as JSON")
}

func TestJSONLines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "v.jsonl")
	type value struct{ S string }
	values := []value{{"<a>"}, {"b\nc"}}
	must.Succeed(t, WriteJSONLines(path, values))
	checkFiles(t, dir, map[string]string{"v.jsonl": "{\"S\":\"<a>\"}\n{\"S\":\"b\\nc\"}\n"})
	must.Equal(t, must.Get(ReadJSONLines[value](path)), values, "read back")
	write(t, path, "{\"S\":\"a\"}\n\n{\"S\":2}\n")
	_, err := ReadJSONLines[value](path)
	var damaged *files.DamagedError
	// The bad line starts after 10 + 1 bytes.
	if !errors.As(err, &damaged) || damaged.Offset != 11 || !strings.HasPrefix(damaged.Reason, "line 3: ") {
		t.Errorf("error is %v, want one of line 3 at byte 11", err)
	}
}

// TestListFiles checks that names are sorted as strings even where folders and files are mixed.
func TestListFiles(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "a"), 0o777))
	write(t, filepath.Join(dir, "a", "b"), "")
	write(t, filepath.Join(dir, "a-b"), "")
	must.Equal(t, must.Get(listFiles(dir)), []string{"a-b", "a/b"})
}

func TestWithoutTemporary(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.tmp-host-12": "a/b", "a.tmp-host-12/b": "a/b", "a.tmp-12": "a.tmp-12", "a.tmp-": "a.tmp-", "a-12": "a-12",
		"a.tmp-host-": "a.tmp-host-", "a.tmp-host-x1": "a.tmp-host-x1",
	} {
		must.Equal(t, WithoutTemporary(name), want, name)
	}
}

// TestReplaceFolder checks that an existing target must be empty, and that a path that ends in dots is resolved to the
// folder's own name.
func TestReplaceFolder(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, CheckEmpty(dir))
	must.Succeed(t, CheckEmpty(filepath.Join(dir, "none")))
	target := filepath.Join(dir, "target")
	err := ReplaceFolder(target, CheckEmpty, func(string) error {
		write(t, filepath.Join(target, "mine"), "") // meanwhile
		return nil
	})
	if err == nil || must.Get(os.ReadFile(filepath.Join(target, "mine"))) == nil {
		t.Errorf("%v: a folder that got a file meanwhile was replaced", err)
	}
	must.Fail(t, ReplaceFolder(target, CheckEmpty, nil), "", "a folder with a file was taken for new")
	t.Chdir(dir)
	for _, dots := range []string{".", "..", "x/../.."} {
		want := must.Get(filepath.Abs(dots))
		must.Equal(t, must.Get(targetOf(dots)), want, dots)
	}
}

// TestCheckReplaceable checks that a folder is only replaced if everything in it belongs to ctxnorm: listed files,
// their temporary files, and work folders with a marker.
func TestCheckReplaceable(t *testing.T) {
	work := WorkFolder("shards")
	for _, c := range []struct {
		files   []string
		foreign string // the path that belongs to the user
	}{
		{nil, ""},
		{[]string{"manifest.json", "below/data"}, ""},
		{[]string{"manifest.json.tmp-host-7-1", "below/data.tmp-host-7-2"}, ""},
		{[]string{"shards/" + markerName, "shards/anything"}, ""},
		{[]string{"shards/" + markerName + ".tmp-host-7-1"}, ""},
		{[]string{"manifest.json", "notes"}, "notes"},
		{[]string{"below/notes"}, "below/notes"},
		{[]string{"manifest.json/notes"}, "manifest.json"},
		{[]string{"other/data"}, "other"},
		{[]string{"manifest.json.tmp-host"}, "manifest.json.tmp-host"},
		{[]string{"shards/anything"}, "shards/anything"},
		{[]string{"shards/below/anything"}, "shards/below/anything"},
		{[]string{"shards"}, "shards"},
	} {
		dir := filepath.Join(t.TempDir(), "model")
		must.Succeed(t, os.Mkdir(dir, 0o777))
		for _, name := range c.files {
			write(t, filepath.Join(dir, name), "")
		}
		err := CheckReplaceable(dir, []string{"manifest.json", "below/data"}, work)
		foreign, ok := errors.AsType[*files.ForeignError](err)
		switch {
		case c.foreign == "" && err != nil:
			t.Errorf("%q: %v, want that it can be replaced", c.files, err)
		case c.foreign != "" && (!ok || foreign.Path != filepath.Join(dir, c.foreign)):
			t.Errorf("%q: %v, want an error that names %s", c.files, err, c.foreign)
		}
		if shards := work.Check(dir); strings.HasPrefix(c.foreign, string(work)) != (shards != nil) {
			t.Errorf("%q: the work folder alone: %v", c.files, shards)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for path, want := range map[string]error{file: syscall.ENOTDIR, filepath.Join(file, "below"): syscall.ENOTDIR, file + "2": nil} {
		must.FailWith(t, CheckReplaceable(path, nil), want, path)
	}
	t.Chdir(filepath.Dir(file))
	must.Fail(t, CheckReplaceable(".", []string{"file"}), "is the current folder", "the current folder")
}

// TestReadFrom checks that data appended to a file is read from an offset, and that a file shorter than that is
// damaged.
func TestReadFrom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "abcdef")
	for offset, want := range map[int64]string{0: "abcdef", 4: "ef", 6: ""} {
		if data, err := ReadFrom(path, offset); string(data) != want || err != nil {
			t.Errorf("from %d: %q, %v, want %q", offset, data, err, want)
		}
	}
	for path, offset := range map[string]int64{path: 7, filepath.Dir(path): 0} {
		if _, err := ReadFrom(path, offset); err == nil {
			t.Errorf("%s from %d: no error", path, offset)
		} else if _, ok := errors.AsType[*files.DamagedError](err); !ok {
			t.Errorf("%s from %d: %v, want damage", path, offset, err)
		}
	}
	_, err := ReadFrom(path+"2", 0)
	must.FailWith(t, err, fs.ErrNotExist, "a file that is not there")
	must.FailWith(t, CheckEmpty(path), syscall.ENOTDIR, "a folder in the place of a file")
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	_, err := ReadFile(path)
	must.FailWith(t, err, fs.ErrNotExist, "error of a file that is missing")
	for _, want := range []string{"", "abc"} {
		write(t, path, want)
		must.Equal(t, string(must.Get(ReadFile(path))), want)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err) // no sparse files here
	}
	_, err = ReadFile(path)
	must.Equal(t, fmt.Sprint(err), path+": has 1099511627776 bytes, want at most 1073741824",
		"error of a file of a terabyte")
	var v any
	for name, err := range map[string]error{"ReadJSON": ReadJSON(path, &v), "ReadCheckedJSON": ReadCheckedJSON(path, &v)} {
		if !errors.As(err, new(*files.DamagedError)) {
			t.Errorf("%s: error %v, want a DamagedError", name, err)
		}
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	place := func(digit string) string { return filepath.Join(dir, strings.Repeat(digit, 64)) }
	for i, name := range []string{place("1"), place("2"), place("3"), place("4"), filepath.Join(dir, "other")} {
		must.Succeed(t, os.MkdirAll(name, 0o777))
		used := time.Unix(int64(1000-i), 0) // the kept one was used least recently
		must.Succeed(t,
			errors.Join(os.WriteFile(filepath.Join(name, "file"), make([]byte, 10), 0o666), os.Chtimes(name, used, used)))
	}
	Touch(place("3"))
	held, err := LockFolder(t.Context(), place("3"), nil)
	for _, name := range []string{place("1"), filepath.Join(dir, "other")} { // left by killed processes
		err = errors.Join(err, os.WriteFile(name+".lock", nil, 0o666))
	}
	must.Succeed(t, err)
	defer held.Release()
	must.Equal(t, Prune(place("4"), 30), 10, "size")
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	must.Equal(t, left, []string{place("1"), place("3"), place("3") + ".lock", place("4"), filepath.Join(dir, "other"),
		filepath.Join(dir, "other.lock")}, "left")
}
