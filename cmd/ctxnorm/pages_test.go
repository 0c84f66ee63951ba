package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

var (
	pageLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageCode    = regexp.MustCompile("`[^`]*`")
	namedFlag   = regexp.MustCompile(`(?:^|[\s(/,])--([a-z][a-z0-9-]+)`)
	pageHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	makeTarget  = regexp.MustCompile("(?m)(?:^    |`)(?:[A-Z_]+=\\S+ )*make ([a-z-]+)")
	goFile      = regexp.MustCompile(`^[\w/]+\.go$`)
	testName    = regexp.MustCompile(`^Test\w+$`)
	goName      = regexp.MustCompile(`^(?:\w+\.)*(\w+)$`)
)

// TestPages compares README.md, ARCHITECTURE.md, CONTRIBUTING.md and docs with the program. Command lines must parse.
// The flags, make targets, Go files and tests that the pages name must exist, and so must the functions and types in
// ARCHITECTURE.md. Links must lead to existing files and headings.
func TestPages(t *testing.T) {
	must.SkipShort(t)
	const root = "../.."
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("docs has the pages %q, %v", pages, err)
	}
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"} {
		pages = append(pages, filepath.Join(root, name))
	}
	flags := map[string]bool{"help": true, "version": true}
	eachCommand((&program{}).rootCommand(), func(cmd *cobra.Command) {
		for _, set := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.PersistentFlags()} {
			set.VisitAll(func(flag *pflag.Flag) { flags[flag.Name] = true })
		}
	})
	goFiles, source := readSource(t, root)
	makefile := readPage(t, filepath.Join(root, "Makefile"))
	lines := 0
	for _, page := range pages {
		content := readPage(t, page)
		for _, match := range makeTarget.FindAllStringSubmatch(content, -1) {
			must.Contain(t, makefile, "\n"+match[1]+":", page)
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(content, "\\\n", ""), "\n") {
			line, indented := strings.CutPrefix(line, "    ")
			line = strings.TrimPrefix(line, "$ ")
			if args, ok := strings.CutPrefix(line, "ctxnorm "); ok && indented {
				lines++
				must.Succeed(t, parses(args), page, "ctxnorm", args)
			}
		}
		for _, code := range pageCode.FindAllString(content, -1) {
			if strings.Contains(code, "docker") {
				continue
			}
			code = strings.Join(strings.Fields(strings.Trim(code, "`")), " ")
			name := goName.FindStringSubmatch(code)
			switch {
			case goFile.MatchString(code):
				if !slices.ContainsFunc(goFiles, func(file string) bool { return strings.HasSuffix(file, "/"+code) }) {
					t.Errorf("%s: there is no file %s", page, code)
				}
			case testName.MatchString(code):
				must.Contain(t, source, "\nfunc "+code+"(", page)
			case filepath.Base(page) == "ARCHITECTURE.md" && name != nil && strings.ToLower(code) != code:
				if !regexp.MustCompile(`\b` + name[1] + `\b`).MatchString(source) {
					t.Errorf("%s: there is no %s", page, code)
				}
			}
			if args, ok := strings.CutPrefix(code, "ctxnorm "); ok && !strings.Contains(args, "COMMAND") {
				lines++
				must.Succeed(t, parses(args), page, code)
			}
			for _, match := range namedFlag.FindAllStringSubmatch(code, -1) {
				if !flags[match[1]] {
					t.Errorf("%s: %s: no command has the flag --%s", page, code, match[1])
				}
			}
		}
		for _, match := range pageLink.FindAllStringSubmatch(content, -1) {
			path, anchor, _ := strings.Cut(match[1], "#")
			if strings.HasPrefix(path, "http") {
				continue
			}
			file := page
			if path != "" {
				file = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: link to %s: %v", page, match[1], err)
			} else if anchor != "" && !anchorsOf(readPage(t, file))[anchor] {
				t.Errorf("%s: link to %s: no such heading", page, match[1])
			}
		}
	}
	if lines < 50 {
		t.Errorf("%d command lines were found, want at least 50", lines)
	}
}

// parses returns the error from parsing a command line of a page, up to the part that a shell interprets.
func parses(line string) error {
	for _, end := range []string{"#", ">", "|", "["} {
		line, _, _ = strings.Cut(line, " "+end)
	}
	args := words.FindAllString(line, -1)
	cmd, rest, err := (&program{}).rootCommand().Find(args)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return nil
}

// anchorsOf returns the anchors of a page's headings, as GitHub generates them.
func anchorsOf(content string) map[string]bool {
	anchors := make(map[string]bool)
	for _, match := range pageHeading.FindAllStringSubmatch(content, -1) {
		anchors[strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-")] = true
	}
	return anchors
}

// readSource returns the paths of the Go files below a folder and their concatenated text.
func readSource(t *testing.T, root string) (paths []string, source string) {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "build" || d.Name() == "bin" || d.Name() != ".." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(path) == ".go":
			paths = append(paths, filepath.ToSlash(path))
			text.WriteString(readPage(t, path))
		}
		return nil
	})
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d Go files, %v", len(paths), err)
	}
	return paths, text.String()
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	content := must.Get(os.ReadFile(path))
	return string(content)
}
