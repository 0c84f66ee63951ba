package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/model/pgvector"
	"github.com/ctxnorm/ctxnorm/memory"
)

func (p *program) indexCommand() *cobra.Command {
	return parentCommand("index", "Copy the exemplars of a model to where they can be queried", p.indexExportCommand())
}

// toPgvector is the only value of --to.
const toPgvector = "pgvector"

// indexExportFlags are the flags of index export.
type indexExportFlags struct {
	dir, to, database, path string
	options                 pgvector.Options
}

func (p *program) indexExportCommand() *cobra.Command {
	var f indexExportFlags
	cmd := &cobra.Command{
		Use:   "export --to pgvector",
		Short: "Copy names and contexts with their vectors into a table of PostgreSQL",
		Long: `Copies the exemplars of a model, its names and contexts with concepts, sentence, document and
vector, into a table of PostgreSQL with the extension pgvector, in one transaction. A table of
an earlier export is replaced, any other of that name is refused. It runs psql, the client of
PostgreSQL, which takes the connection from --database, the variables PGHOST, PGUSER,
PGPASSWORD and so on, and ~/.pgpass. --output writes the script for psql instead.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			return f.run(cmd.Context(), p)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "model", "model", "model `folder`, which must have an encoder")
	flags.StringVar(&f.to, "to", toPgvector, "kind of store: pgvector")
	flags.StringVar(&f.database, "database", "", "`connection` of psql, such as postgresql://user@host/name or \"host=… "+
		"dbname=…\" (default: by the variables PGHOST, PGDATABASE, …)")
	flags.StringVar(&f.options.Table, "table", pgvector.DefaultTable,
		"name of the table, also with a schema: schema.table")
	flags.BoolVar(&f.options.Exact, "exact", false, "build no HNSW graph, so that every query compares all vectors")
	flags.StringVar(&f.path, "output", "", "write the script for psql to a `file`, or with - to standard output, and "+
		"connect to nothing")
	return cmd
}

// check refuses flags that are impossible.
func (f *indexExportFlags) check(cmd *cobra.Command) error {
	if f.to != toPgvector {
		return fmt.Errorf("--to is %q, want %s", f.to, toPgvector)
	}
	if err := f.options.Check(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	if err := notBoth(cmd, "database", "output"); err != nil {
		return err
	}
	if f.path != "" && f.path != "-" {
		return checkOutputFile("output", f.path)
	}
	return nil
}

// run writes the script, or has psql run it.
func (f *indexExportFlags) run(ctx context.Context, p *program) error {
	connection, err := splitPassword(f.database)
	if err != nil {
		return err
	}
	m, closeModel, err := p.openVectors(ctx, f.dir)
	if err != nil {
		return err
	}
	defer closeModel()
	if m.Vectors == nil {
		return withHint(fmt.Errorf("%s: %w", f.dir, model.ErrNoVectors),
			"train without --encoder none, or name another model with --model FOLDER")
	}
	bar := p.bar("export", "exemplars")
	defer bar.finish()
	f.options.Progress = func(done, total int) { bar.set(int64(done), int64(total), "") }
	write := func(ctx context.Context, w io.Writer) error {
		return hintModel(pgvector.WriteScript(ctx, w, m, f.options), f.dir)
	}
	if f.path == "" {
		return p.loadWithPsql(ctx, connection, write, bar)
	}
	return p.writeOutput("output", f.path, func(w io.Writer) error { return write(ctx, w) })
}

// openVectors opens a model for its vectors, with what its memory says. A build that cannot run the
// encoder leaves that out with a warning.
func (p *program) openVectors(ctx context.Context, dir string) (*model.Model, func() error, error) {
	opened, err := ctxnorm.Open(ctx, dir, ctxnorm.OpenOptions{})
	if err != nil {
		return nil, nil, hintModel(err, dir)
	}
	if !opened.EncoderLeftOut() {
		return opened.Stored(), opened.Close, nil
	}
	if err := opened.Close(); err != nil {
		return nil, nil, err
	}
	m, err := model.OpenVectors(dir)
	if err != nil {
		return nil, nil, hintModel(err, dir)
	}
	if _, err := os.Stat(memory.Dir(dir)); err == nil {
		p.warn("what "+memory.Dir(dir)+" says has no vectors here and is left out", torchBuild)
	}
	return m, m.Close, nil
}

// connection is how psql finds the database.
type connection struct {
	database string   // its argument; empty for the variables alone
	env      []string // variables besides those of the program
}

// splitPassword takes the password out of the address of a database, since the arguments of a process
// are for all to see, and passes it as a variable.
func splitPassword(database string) (connection, error) {
	if !strings.HasPrefix(database, "postgres://") && !strings.HasPrefix(database, "postgresql://") {
		if strings.Contains(strings.ReplaceAll(database, " ", ""), "password=") {
			return connection{}, withHint(errors.New("--database has a password, which other users of this machine "+
				"could see"), "set PGPASSWORD, or write ~/.pgpass")
		}
		return connection{database: database}, nil
	}
	u, err := url.Parse(database)
	if err != nil { // which has the address in it, and with it the password
		return connection{}, errors.New("--database is no address, want postgresql://user@host:port/name")
	}
	if u.Query().Has("password") {
		return connection{}, withHint(errors.New("--database has a password as a parameter"),
			"set PGPASSWORD, or write ~/.pgpass")
	}
	password, has := u.User.Password()
	if !has {
		return connection{database: database}, nil
	}
	u.User = url.User(u.User.Username())
	return connection{u.String(), []string{"PGPASSWORD=" + password}}, nil
}

// loadWithPsql runs psql with the script that write writes, and prints the size of the table. It ends psql
// before the script is whole if write fails, so that nothing is committed.
func (p *program) loadWithPsql(outer context.Context, c connection, write func(context.Context, io.Writer) error,
	bar *bar) error {
	args := []string{"--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--file=-"}
	if c.database != "" {
		args = append(args, "--dbname="+c.database)
	}
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	psql := exec.CommandContext(ctx, "psql", args...)
	psql.Env = append(os.Environ(), c.env...)
	var printed, complained bytes.Buffer
	psql.Stdout, psql.Stderr = &printed, &complained
	script, err := psql.StdinPipe()
	if err != nil {
		return err
	}
	if err := psql.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return withHint(errors.New("psql, the client of PostgreSQL, is not installed"),
				"on Debian or Ubuntu: apt-get install postgresql-client; or --output writes the script for it")
		}
		return fmt.Errorf("psql: %w", err)
	}
	failed := write(ctx, script)
	pipe := isClosedPipe(failed) // since psql has ended, which says why
	if failed != nil && !pipe {
		cancel() // psql must not see the end of a script that is not whole
	}
	_ = script.Close() // of what psql read, its exit status tells
	bar.finish()
	if failed == nil {
		p.logf("the database builds the table and its indexes")
	}
	exited := psql.Wait()
	switch {
	case outer.Err() != nil:
		return outer.Err()
	case failed != nil && !pipe:
		return failed
	case failed != nil || exited != nil:
		return psqlError(complained.String(), exited)
	}
	fields := strings.Split(strings.TrimSpace(printed.String()), "|")
	if len(fields) != 3 {
		return fmt.Errorf("psql printed %q, want the number of rows and two sizes", printed.String())
	}
	p.logf("%s exemplars in the database: table %s, indexes %s", fields[0], fields[1], fields[2])
	return nil
}

// isClosedPipe reports whether a write failed since the reader has ended.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)
}

// psqlError returns what psql complained of, without positions in the script, as an error.
func psqlError(messages string, err error) error {
	var said []string
	for line := range strings.Lines(messages) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "psql: ")
		if _, rest, ok := strings.Cut(line, "ERROR:  "); ok {
			line = rest
		} else if _, rest, ok := strings.Cut(line, "error: "); ok {
			line = rest
		}
		if line != "" && !strings.HasPrefix(line, "CONTEXT:") {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return fmt.Errorf("psql: %w", err)
	}
	return fmt.Errorf("psql: %s", strings.Join(said, "; "))
}
