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

// foreseeLogFormat returns the form of messages of a command line that may be wrong, so that the error about it has the
// form as well.
func foreseeLogFormat(args []string) string {
	format := cmp.Or(os.Getenv(variableNamed("log-format")), textLog)
	for i, arg := range args {
		if arg == "--log-format" && i+1 < len(args) {
			format = args[i+1]
		} else if value, ok := strings.CutPrefix(arg, "--log-format="); ok {
			format = value
		}
	}
	return format
}

// logger returns the logger of messages to the user. Each message is one write.
func (p *program) logger() *slog.Logger {
	level := slog.LevelInfo
	if p.quiet {
		level = slog.LevelWarn
	}
	if p.logFormat == jsonLog {
		return slog.New(slog.NewJSONHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(&textHandler{p.stderr, level})
}

// logf prints a notice, which --quiet leaves out.
func (p *program) logf(format string, args ...any) {
	p.logger().Info(nameFlags(fmt.Sprintf(format, args...)))
}

// errorf prints an error after which the program goes on, as of a request to the server.
func (p *program) errorf(format string, args ...any) {
	message := nameFlags(fmt.Sprintf(format, args...))
	if p.logFormat != jsonLog {
		message = "error: " + message
	}
	p.logger().Error(message)
}

// warn prints a warning with a hint, which may be empty.
func (p *program) warn(message, hint string) {
	p.logger().Warn(nameFlags(message), hintAttr(hint))
}

func (p *program) warnf(format string, args ...any) { p.warn(fmt.Sprintf(format, args...), "") }

// logError prints an error with a hint, which may be empty. In JSON an error of a record has its
// file and line as fields.
func (p *program) logError(err error, hint string) {
	attrs := []any{hintAttr(hint)}
	if record, ok := errors.AsType[*formats.RecordError](err); ok {
		attrs = append(attrs, slog.String("file", record.File), slog.Int("line", record.Line))
	} else if row, ok := errors.AsType[*kbfile.RowError](err); ok {
		attrs = append(attrs, slog.String("file", row.File), slog.Int("line", row.Line))
	}
	p.logger().Error(p.nameOrigin(nameFlags(wording(err))), attrs...)
}

// hintAttr returns the field of a hint, with flags for options. Loggers leave the zero Attr out.
func hintAttr(hint string) slog.Attr {
	if hint == "" {
		return slog.Attr{}
	}
	return slog.String(hintField, nameFlags(hint))
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
