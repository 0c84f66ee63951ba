package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// tokens are inserted into text: ends and beginnings of what formats know, invalid UTF-8,
// and numbers at the limits of their types.
var tokens = []string{
	"\x00", "\xff", "\xfe\xff", "\xff\xfe", "\xef\xbb\xbf", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
	"\r", "\r\n", "\n", "\n\n", "\t", "|", "||", ",", `"`, "'", `\`, `\u0000`, `\ud800`, ":",
	"&", "&amp;", "&#0;", "&#x110000;", "&#99999999999;", "&lol9;", "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>",
	"<?xml version='1.0' encoding='utf-16'?>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<PubmedArticle>", "</PubmedArticle>",
	"<PMID Version='99999999999999999999'>", "<AbstractText Label='", "{", "}", "[", "]", "[ENT]", "[/ENT]", "[ENT] [ENT]",
	"-1", "0", "-0", "0.1", "1e999", "NaN", "Infinity", "null", "true",
	"9223372036854775807", "-9223372036854775808", "18446744073709551616", "4294967296", "2147483648", "99999999999999999999999999",
	"\u2028", "\u202e\u200b\ufeff", "𝕏🧬", strings.Repeat("\u0301", 50), strings.Repeat("A", 5000),
	strings.Repeat(`{"a":`, 200), strings.Repeat("[", 12000), strings.Repeat("<a>", 3000),
}

var number = regexp.MustCompile(`\d+`)

// mutate returns data changed at random, and what was changed. Text is changed in more
// ways than other data. The result may equal data.
func mutate(r *rand.Rand, data []byte, isText bool) (how string, mutated []byte) {
	n := len(data)
	if n == 0 {
		return "random bytes", randomBytes(r, 1+r.IntN(500))
	}
	b := slices.Clone(data)
	kinds := 12 // as often flipped bits as all others
	if isText {
		kinds = 18
	}
	switch r.IntN(kinds) - 4 {
	default:
		flips := []int{1, 1, 1, 8, 64}[r.IntN(5)]
		for range flips {
			b[r.IntN(n)] ^= 1 << r.IntN(8)
		}
		return fmt.Sprintf("%d flipped bits", flips), b
	case 1:
		at := []int{r.IntN(n), r.IntN(min(n, 64)), n - 1 - r.IntN(min(n, 64))}[r.IntN(3)]
		return fmt.Sprintf("cut at %d", at), b[:at]
	case 2:
		at, more := r.IntN(n+1), []int{1, 3, 40, 4096}[r.IntN(4)]
		return fmt.Sprintf("%d random bytes at %d", more, at), slices.Insert(b, at, randomBytes(r, more)...)
	case 3:
		at := r.IntN(n)
		end := min(n, at+[]int{1, 2, 17, 300, 5000}[r.IntN(5)])
		return fmt.Sprintf("without bytes %d to %d", at, end), slices.Delete(b, at, end)
	case 4:
		from, at := r.IntN(n), r.IntN(n+1)
		end := min(n, from+[]int{5, 60, 1000, 20000}[r.IntN(4)])
		return fmt.Sprintf("bytes %d to %d again at %d", from, end, at), slices.Insert(b, at, data[from:end]...)
	case 5:
		at := r.IntN(n)
		end := min(n, at+[]int{1, 4, 8, 100}[r.IntN(4)])
		value := []byte{0, 0xff, 0x7f, 0x80}[r.IntN(4)]
		copy(b[at:end], bytes.Repeat([]byte{value}, end-at))
		return fmt.Sprintf("bytes %d to %d are %#x", at, end, value), b
	case 6:
		more := []int{1, 100, 100_000}[r.IntN(3)]
		return fmt.Sprintf("%d zeros at the end", more), append(b, make([]byte, more)...)
	case 7:
		at, from := r.IntN(n), r.IntN(n)
		count := copy(b[at:], data[from:min(n, from+4096)])
		return fmt.Sprintf("%d bytes of %d over those at %d", count, from, at), b
	case 8, 9:
		token, at := tokens[r.IntN(len(tokens))], r.IntN(n+1)
		return fmt.Sprintf("%.20q at %d", token, at), slices.Insert(b, at, []byte(token)...)
	case 10:
		found := number.FindAllIndex(data, -1)
		if len(found) == 0 {
			return "twice", append(b, data...)
		}
		at := found[r.IntN(len(found))]
		value := []string{"-1", "9223372036854775807", "99999999999999999999", "1e400", "0", "", "4294967295", "1.5"}[r.IntN(8)]
		return fmt.Sprintf("the number at %d is %q", at[0], value), slices.Replace(b, at[0], at[1], []byte(value)...)
	case 11:
		end := []string{"\r\n", "\r", "\n\r", "\u0085", "\n\n", ""}[r.IntN(6)]
		return fmt.Sprintf("line ends are %q", end), bytes.ReplaceAll(b, []byte("\n"), []byte(end))
	case 12:
		lines := bytes.Split(data, []byte("\n"))
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		return "lines in another order", bytes.Join(lines, []byte("\n"))
	case 13:
		lines := bytes.Split(data, []byte("\n"))
		i := r.IntN(len(lines))
		if r.IntN(2) == 0 {
			lines[i] = bytes.Repeat(lines[i], []int{50, 2000}[r.IntN(2)])
			return fmt.Sprintf("line %d is very long", i+1), bytes.Join(lines, []byte("\n"))
		}
		again := slices.Repeat([][]byte{lines[i]}, []int{2, 500}[r.IntN(2)])
		return fmt.Sprintf("line %d occurs %d times more", i+1, len(again)), bytes.Join(slices.Insert(lines, i, again...), []byte("\n"))
	}
}

// mutateGzip packs mutated data, or mutates packed data.
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
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer cannot fail
	}
	return b.Bytes()
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
