package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var (
	pageLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageCode    = regexp.MustCompile("`[^`]*`")
	namedFlag   = regexp.MustCompile(`(?:^|[\s(/,])--([a-z][a-z0-9-]+)`)
	pageHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// TestPages compares README.md, ARCHITECTURE.md, CONTRIBUTING.md and docs with the program: their command
// lines parse, the flags that they name exist, and their links lead to files and headings.
func TestPages(t *testing.T) {
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
	lines := 0
	for _, page := range pages {
		content := readPage(t, page)
		for _, line := range strings.Split(strings.ReplaceAll(content, "\\\n", ""), "\n") {
			line, indented := strings.CutPrefix(line, "    ")
			line = strings.TrimPrefix(line, "$ ")
			if args, ok := strings.CutPrefix(line, "ctxnorm "); ok && indented {
				lines++
				if err := parses(args); err != nil {
					t.Errorf("%s: ctxnorm %s: %v", page, args, err)
				}
			}
		}
		for _, code := range pageCode.FindAllString(content, -1) {
			if strings.Contains(code, "docker") {
				continue
			}
			code = strings.Join(strings.Fields(strings.Trim(code, "`")), " ")
			if args, ok := strings.CutPrefix(code, "ctxnorm "); ok && !strings.Contains(args, "COMMAND") {
				lines++
				if err := parses(args); err != nil {
					t.Errorf("%s: %s: %v", page, code, err)
				}
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

// parses returns the error of the command line of a page, up to what a shell makes of it.
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

// anchorsOf returns the anchors of the headings of a page, as GitHub makes them.
func anchorsOf(content string) map[string]bool {
	anchors := make(map[string]bool)
	for _, match := range pageHeading.FindAllStringSubmatch(content, -1) {
		anchors[strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-")] = true
	}
	return anchors
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
