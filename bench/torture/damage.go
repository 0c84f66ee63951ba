package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// tokens are inserted into text: delimiters of various formats, invalid UTF-8, and numbers at the limits of their
// types.
var tokens = []string{
	"\x00", "\xff", "\xfe\xff", "\xff\xfe", "\xef\xbb\xbf", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
	"\r", "\r\n", "\n", "\n\n", "\t", "|", "||", ",", `"`, "'", `\`, `\u0000`, `\ud800`, ":",
	"&", "&amp;", "&#0;", "&#x110000;", "&#99999999999;", "&lol9;", "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>",
	"<?xml version='1.0' encoding='utf-16'?>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<PubmedArticle>", "</PubmedArticle>",
	"<PMID Version='99999999999999999999'>", "<AbstractText Label='", "{", "}", "[", "]", "[ENT]", "[/ENT]", "[ENT] [ENT]",
	"", "-1", "0", "-0", "0.1", "1e999", "NaN", "Infinity", "null", "true",
	"9223372036854775807", "-9223372036854775808", "18446744073709551616", "4294967296", "2147483648", "99999999999999999999999999",
	"\u2028", "\u202e\u200b\ufeff", "𝕏🧬", strings.Repeat("\u0301", 50), strings.Repeat("A", 5000),
	strings.Repeat(`{"a":`, 200), strings.Repeat("[", 12000), strings.Repeat("<a>", 3000),
}

var number = regexp.MustCompile(`\d+`)

// mutate returns a random mutation of data and its description: it flips bits, changes lines of text, or replaces a
// range of bytes. The result may equal data.
func mutate(r *rand.Rand, data []byte, isText bool) (how string, mutated []byte) {
	n := len(data)
	switch {
	case n == 0:
		return "random bytes", randomBytes(r, 1+r.IntN(500))
	case r.IntN(2) == 0:
		return flipBits(r, data, pick(r, 1, 1, 1, 8, 64))
	case isText && r.IntN(4) == 0:
		return mutateLines(r, bytes.Split(data, []byte("\n")))
	}
	size, at, from := pick(r, 1, 4, 17, 300, 5000, 100_000), pick(r, 0, r.IntN(n), r.IntN(n), n), r.IntN(n)
	end := pick(r, at, min(n, at+size), n)
	repeated := bytes.Repeat([]byte{pick[byte](r, 0, 0xff, 0x7f, 0x80)}, size)
	with := pick(r, nil, randomBytes(r, size), data[from:min(n, from+size)], repeated)
	if isText && r.IntN(2) == 0 {
		with = []byte(pick(r, tokens...))
		if found := number.FindAllIndex(data, -1); len(found) > 0 && r.IntN(2) == 0 {
			place := pick(r, found...)
			at, end = place[0], place[1]
		}
	}
	return fmt.Sprintf("%d bytes, %.20q…, in place of bytes %d to %d", len(with), with, at, end), slices.Concat(data[:at], with, data[end:])
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// mutateLines changes line endings or the order of lines, or repeats a line.
func mutateLines(r *rand.Rand, lines [][]byte) (how string, mutated []byte) {
	i, times, end := r.IntN(len(lines)), pick(r, 2, 50, 500, 2000), "\n"
	switch r.IntN(4) {
	case 0:
		end = pick(r, "\r\n", "\r", "\n\r", "\u0085", "\n\n", "")
		how = fmt.Sprintf("line ends are %q", end)
	case 1:
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		how = "lines in another order"
	case 2:
		lines[i] = bytes.Repeat(lines[i], times)
		how = fmt.Sprintf("line %d is very long", i+1)
	case 3:
		lines = slices.Insert(lines, i, slices.Repeat(lines[i:i+1], times)...)
		how = fmt.Sprintf("line %d occurs %d times more", i+1, times)
	}
	return how, bytes.Join(lines, []byte(end))
}

// flipBits returns data with flipped bits.
func flipBits(r *rand.Rand, data []byte, flips int) (how string, mutated []byte) {
	b := slices.Clone(data)
	for range flips {
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
	return fmt.Sprintf("%d flipped bits", flips), b
}

// mutateGzip compresses mutated data, or mutates compressed data.
func mutateGzip(r *rand.Rand, data []byte) (how string, mutated []byte) {
	if r.IntN(2) == 0 {
		how, data = mutate(r, data, true)
		return how + ", packed", pack(data)
	}
	how, mutated = mutate(r, pack(data), false)
	return how + " of what is packed", mutated
}

func pack(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	harness.Get(w.Write(data))
	harness.Check(w.Close())
	return b.Bytes()
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// sealFile updates the manifest in a copy of a folder for a changed file, including the manifest's own checksum.
func sealFile(folder, original, file string) {
	old, digest := harness.Get(artifact.DigestFile(filepath.Join(original, file))), harness.Get(artifact.DigestFile(filepath.Join(folder, file)))
	manifest := filepath.Join(folder, manifestFile)
	var fields map[string]any
	harness.Check(artifact.ReadJSON(manifest, &fields))
	listed := false
	eachObject(fields, func(object map[string]any) {
		if object["sha256"] != old.SHA256 {
			return
		}
		listed = true
		for _, field := range []string{"size", "bytes"} {
			if object[field] != nil {
				object[field] = digest.Size
			}
		}
		object["sha256"] = digest.SHA256
		delete(object, "crc32c") // of blocks, which need not be there
	})
	if !listed {
		harness.Check(skipError{fmt.Errorf("the manifest does not list %s", file)})
	}
	delete(fields, "crc32c")
	harness.Check(artifact.WriteCheckedJSON(manifest, fields))
}

// resumeDamaged kills a job and damages its unfinished files. The same command must then produce the same bytes or name
// the damaged file.
func (t *trial) resumeDamaged(j *job) {
	t.prepare(j)
	var files []string
	for i := 0; i < 5 && len(files) == 0; i++ { // a job may be killed before it writes
		t.killRandomly(j)
		files = filesOf(t.dir)
	}
	if len(files) == 0 {
		harness.Check(skipError{errors.New("the runs that were killed left no file")})
	}
	file := files[t.r.IntN(len(files))]
	how := mutateFile(t.r, filepath.Join(t.dir, file))
	harness.Explain(func() {
		if o := t.behaved(t.job(j)); o.exit == 0 {
			t.checkSame(j)
		}
	}, "%s: %s", file, how)
}

// mutateFile changes a file.
func mutateFile(r *rand.Rand, path string) (how string) {
	isText := slices.Contains([]string{".json", ".jsonl", ".txt"}, filepath.Ext(path))
	return changeFile(path, func(data []byte) (string, []byte) {
		if r.IntN(20) == 0 {
			return "empty", nil
		}
		return mutate(r, data, isText)
	})
}

// changeFile mutates a file until its bytes differ.
func changeFile(path string, change func(data []byte) (how string, changed []byte)) (how string) {
	data := harness.Get(os.ReadFile(path))
	for range 10 {
		if how, changed := change(data); !bytes.Equal(changed, data) {
			harness.Check(errors.Join(os.Remove(path), os.WriteFile(path, changed, 0o644)))
			return how
		}
	}
	harness.Check(skipError{errors.New("the mutations change nothing")})
	return ""
}
