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
	"unicode"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/internal/progress"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// Values of --log-format.
const (
	textLog = "text"
	jsonLog = "json"
)

// hintField is the field of a message that says what to do about it.
const hintField = "hint"

// logFlags choose what is written to standard error, and how.
type logFlags struct {
	quiet  bool
	format string
}

func (l *logFlags) register(flags *pflag.FlagSet) {
	flags.BoolVarP(&l.quiet, "quiet", "q", false, "print errors and warnings only: no progress and no notices")
	l.format = textLog
	registerChoice(flags, &l.format, "log-format", []string{textLog, jsonLog},
		"form of the messages on standard error: text, or json for an object a line with the time")
}

// foresee sets the format to that of a command line that may be wrong, so that the error about it
// has the format as well.
func (l *logFlags) foresee(args []string) {
	var given logFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {} // of --help
	given.register(flags)
	given.format = os.Getenv(variablePrefix + "LOG_FORMAT")
	_ = flags.Parse(args) // what is wrong is said later
	l.format = cmp.Or(given.format, l.format)
}

// logger returns the logger of messages to the user. Each message is one write.
func (p *program) logger() *slog.Logger {
	level := slog.LevelInfo
	if p.log.quiet {
		level = slog.LevelWarn
	}
	if p.log.format == jsonLog {
		return slog.New(slog.NewJSONHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(&textHandler{p.stderr, level})
}

// logf prints a notice, which --quiet leaves out.
func (p *program) logf(format string, args ...any) {
	p.logger().Info(nameFlags.Replace(fmt.Sprintf(format, args...)))
}

// errorf prints an error after which the program goes on, as of a request to the server.
func (p *program) errorf(format string, args ...any) {
	message := nameFlags.Replace(fmt.Sprintf(format, args...))
	if p.log.format != jsonLog {
		message = "error: " + message
	}
	p.logger().Error(message)
}

// warn prints a warning with a hint, which may be empty.
func (p *program) warn(message, hint string) {
	p.logger().Warn(nameFlags.Replace(message), hintAttr(hint))
}

func (p *program) warnf(format string, args ...any) { p.warn(fmt.Sprintf(format, args...), "") }

// logError prints an error with a hint, which may be empty. In JSON an error of a record has its
// file and line as fields.
func (p *program) logError(err error, hint string) {
	attrs := []any{hintAttr(hint)}
	var (
		record *formats.RecordError
		row    *kbfile.RowError
	)
	switch {
	case errors.As(err, &record):
		attrs = append(attrs, slog.String("file", record.File), slog.Int("line", record.Line))
	case errors.As(err, &row):
		attrs = append(attrs, slog.String("file", row.File), slog.Int("line", row.Line))
	}
	p.logger().Error(nameFlags.Replace(err.Error()), attrs...)
}

// namedOptions are the options that messages of the library name, each followed by its flag.
var namedOptions = []string{
	"Limits.Line", "--max-line", "Limits.Record", "--max-record", "Limits.Mentions", "--max-mentions",
	"Limits.InMemory", "--max-in-memory", "DictionaryOptions.Parents", "--parents",
	"DictionaryOptions.Sheet", "--dict-sheet", "DictionaryOptions.Separator", "--dict-separator",
	"DictionaryOptions.Columns", "--dict-columns", "formats.Options.Encoding", "--encoding",
	"TrainOptions.BaseModel", "--base-model",
}

// nameFlags replaces the options in a message of the library by their flags.
var nameFlags = strings.NewReplacer(namedOptions...)

// hintAttr returns the field of a hint, with flags for options. Loggers leave the zero Attr out.
func hintAttr(hint string) slog.Attr {
	if hint == "" {
		return slog.Attr{}
	}
	return slog.String(hintField, nameFlags.Replace(hint))
}

// newBar returns a bar on standard error, or nil with --quiet.
func (p *program) newBar(task, unit string, total int64) *progress.Bar {
	switch {
	case p.log.quiet:
		return nil
	case p.log.format == jsonLog:
		return progress.NewLog(func(message string, at progress.Status) {
			p.logger().Info(message, "task", at.Task, "done", at.Done, "total", at.Total, "unit", at.Unit, "per_second",
				at.PerSecond, "note", at.Note, "finished", at.Finished)
		}, task, unit, total)
	}
	return progress.New(p.stderr, task, unit, total)
}

// textHandler prints messages as text for a terminal: every line of a message with the program's
// name, a warning with that word, and a hint as a line of its own. It has no times and no other
// fields.
type textHandler struct {
	w     io.Writer
	level slog.Level // the least that is printed
}

// Enabled reports whether messages of a level are printed.
func (h *textHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

// Handle prints a message.
func (h *textHandler) Handle(_ context.Context, r slog.Record) error {
	message := r.Message
	if r.Level == slog.LevelWarn {
		message = "warning: " + message
	}
	var b bytes.Buffer
	for line := range strings.Lines(message + "\n") {
		fmt.Fprintf(&b, "ctxnorm: %s\n", printable(strings.TrimSuffix(line, "\n")))
	}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == hintField {
			fmt.Fprintf(&b, "ctxnorm: hint: %s\n", printable(a.Value.String()))
		}
		return true
	})
	_, err := h.w.Write(b.Bytes())
	return err
}

// printable returns a line whose control characters are written as Go escapes them, so that a name of a file does
// not reach the terminal as a command.
func printable(line string) string {
	if !strings.ContainsFunc(line, isUnprintable) {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if !isUnprintable(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// isUnprintable reports whether a character of a message is a control character, or changes the direction of what
// follows.
func isUnprintable(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// WithAttrs returns the handler: it prints no fields of a logger.
func (h *textHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup returns the handler: it prints no groups.
func (h *textHandler) WithGroup(string) slog.Handler { return h }
