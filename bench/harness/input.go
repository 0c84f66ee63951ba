package harness

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Input is a file or folder that programs read. A command makes it once; it stays in
// the work folder, with the hash of the command in its name.
type Input struct {
	Path  string
	Lacks string // why it cannot be made; empty if it can

	from    []*Input
	command func(out string) []string // writes out
}

// NewInput returns an input named prefix-HASHsuffix. The inputs in from are made
// before it.
func NewInput(work, prefix, suffix string, command func(out string) []string, from ...*Input) *Input {
	sum := sha256.Sum256([]byte(strings.Join(command(""), "\x00")))
	return &Input{
		Path: filepath.Join(work, prefix+"-"+hex.EncodeToString(sum[:4])+suffix),
		from: from, command: command,
	}
}

// Missing returns why the input cannot be made, and "" if it can.
func (in *Input) Missing() string {
	for _, from := range in.from {
		if missing := from.Missing(); missing != "" {
			return missing
		}
	}
	return in.Lacks
}

// Ensure makes the input unless it exists, and logs that it does.
func (in *Input) Ensure(ctx context.Context, logf func(format string, args ...any)) error {
	if _, err := os.Stat(in.Path); err == nil {
		return nil
	}
	for _, from := range in.from {
		if err := from.Ensure(ctx, logf); err != nil {
			return err
		}
	}
	temporary := filepath.Join(filepath.Dir(in.Path), "part-"+filepath.Base(in.Path))
	if err := os.RemoveAll(temporary); err != nil {
		return err
	}
	logf("making %s", in.Path)
	command := in.command(temporary)
	if output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, lastLine(string(output)))
	}
	return os.Rename(temporary, in.Path)
}

// XML is a set of PubMed XML files, and the inputs that make them: none for files of
// the user's.
type XML struct {
	Files []string
	Made  []*Input
}

// MadeXML returns XML made of the raw texts in CTXNORM_DATA. Every record occurs
// rounds times, each time with an id of its own.
func (s *Settings) MadeXML(prefix string, records, files, rounds int) XML {
	in := NewInput(s.Work, prefix, "", func(out string) []string {
		return []string{s.Python, s.Script("make_pubmed_xml.py"), "--docs", fmt.Sprint(records),
			"--repeat", fmt.Sprint(rounds), "--files", fmt.Sprint(files), "--out", out}
	})
	if s.data == "" {
		in.Lacks = "there is no text to read: give -pubmed, or set CTXNORM_DATA"
	}
	xml := XML{Made: []*Input{in}}
	for i := range files {
		xml.Files = append(xml.Files, filepath.Join(in.Path, fmt.Sprintf("pubmed00n%04d.xml.gz", i+1)))
	}
	return xml
}

// NameDictionary returns the dictionary's names as bench/subject writes them, given
// more flags.
func (s *Settings) NameDictionary(prefix string, flags ...string) *Input {
	in := NewInput(s.Work, prefix, ".jsonl", func(out string) []string {
		return append([]string{s.Subject, "dictionary", "--from", s.Dict, "--out", out}, flags...)
	})
	if s.Dict == "" {
		in.Lacks = "there is no dictionary: give -dict, or set CTXNORM_DATA"
	}
	return in
}

// Script returns the path of a script of bench/peers.
func (s *Settings) Script(name string) string { return filepath.Join(s.peers, name) }
