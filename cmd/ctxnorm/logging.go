package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// Values of --log-format.
const (
	textLog = "text"
	jsonLog = "json"
)

// foreseeLogFormat returns the log format of a command line that may be invalid, so that the error about it also has
// that format.
func foreseeLogFormat(args []string) string {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags, flags.Usage = true, func() {}
	format := flags.String("log-format", cmp.Or(os.Getenv(variableNamed("log-format")), textLog), "")
	_ = flags.Parse(args) // it is parsed again later
	return *format
}

// log prints a message of the library or the program, with a hint, which may be empty. In text form, every line begins
// with the program's name, and the hint has its own line. attrs are for JSON only. Each message is one write.
func (p *program) log(level slog.Level, message, hint string, attrs ...any) {
	if p.quiet && level < slog.LevelWarn {
		return
	}
	message, hint = nameFlags(message), nameFlags(hint)
	if p.logFormat == jsonLog {
		if hint != "" {
			attrs = append(attrs, slog.String("hint", hint))
		}
		slog.New(slog.NewJSONHandler(p.stderr, nil)).Log(context.Background(), level, message, attrs...)
		return
	}
	if level == slog.LevelWarn {
		message = "warning: " + message
	}
	if hint != "" {
		message += "\nhint: " + hint
	}
	var b bytes.Buffer
	for line := range strings.SplitSeq(message, "\n") {
		fmt.Fprintf(&b, "ctxnorm: %s\n", printable(line))
	}
	_, _ = p.stderr.Write(b.Bytes()) // there is nobody to report an error to
}

// logf prints a notice, which --quiet suppresses.
func (p *program) logf(format string, args ...any) {
	p.log(slog.LevelInfo, fmt.Sprintf(format, args...), "")
}

// errorf prints an error after which the program continues, such as a failed request to the server.
func (p *program) errorf(format string, args ...any) {
	if p.logFormat != jsonLog {
		format = "error: " + format
	}
	p.log(slog.LevelError, fmt.Sprintf(format, args...), "")
}

// warn prints a warning with a hint, which may be empty.
func (p *program) warn(message, hint string) { p.log(slog.LevelWarn, message, hint) }

func (p *program) warnf(format string, args ...any) { p.warn(fmt.Sprintf(format, args...), "") }

// logError prints an error with a hint, which may be empty. In JSON, an error about a record has its file and line as
// fields.
func (p *program) logError(err error, hint string) {
	var attrs []any
	if record, ok := errors.AsType[*formats.RecordError](err); ok {
		attrs = append(attrs, slog.String("file", record.File), slog.Int("line", record.Line))
	} else if row, ok := errors.AsType[*kbfile.RowError](err); ok {
		attrs = append(attrs, slog.String("file", row.File), slog.Int("line", row.Line))
	}
	message := nameFlags(wording(err))
	if flag := startsWithFlag.FindStringSubmatch(message); flag != nil && p.origins[flag[1]] != "" {
		message += " (set by " + p.origins[flag[1]] + ")" // the flag was not on the command line
	}
	p.log(slog.LevelError, message, hint, attrs...)
}

// printable escapes control characters in a line as Go does, so that the name of a file cannot send commands to the
// terminal.
func printable(line string) string {
	var b strings.Builder
	for _, r := range line {
		if r != '\t' && unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// bar returns a progress bar on standard error. With --quiet it shows nothing.
func (p *program) bar() *bar {
	var on io.Writer // nil if it is not a terminal
	if file := terminal(p.stderr); file != nil && p.logFormat != jsonLog && !p.quiet {
		on = file
	}
	return &bar{terminal: on, now: time.Now, print: func(message string, at status) {
		unit := at.Unit
		if unit == bytesUnit {
			unit = "B"
		}
		p.log(slog.LevelInfo, message, "", "task", at.Task, "done", at.Done, "total", at.Total, "unit", unit, "per_second",
			at.perSecond, "note", at.Note, "finished", at.finished)
	}}
}

// observer returns an observer that prints the reports of the library, and a function that ends its last bar. Later
// reports, from work that was interrupted, are dropped.
func (p *program) observer() (o ctxnorm.Observer, finish func()) {
	bar := p.bar()
	return ctxnorm.Observer{
		Progress: bar.set,
		Log:      func(message string) { bar.say(func() { p.logf("%s", message) }) },
		Error:    func(err error) { bar.say(func() { p.logError(err, "") }) },
	}, bar.finish
}
