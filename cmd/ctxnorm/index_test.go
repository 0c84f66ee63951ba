package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
)

// runExport runs "index export" and returns its exit code and what it prints.
func runExport(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), append([]string{"index", "export"}, args...), strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// gutModel builds a small model with vectors, of an encoder that only the build without encoders leaves alone.
func gutModel(t *testing.T) string {
	t.Helper()
	if ctxnorm.CanTrain {
		t.Skip("this build would open the encoder of the model, which is none of BERT")
	}
	return modeltest.Build(t, linktest.GutEncoder(), nil)
}

func TestIndexExport(t *testing.T) {
	dir := gutModel(t)
	code, script, messages := runExport(t, "--model", dir, "--output", "-", "--table", "mine", "-q")
	if code != exitDone || messages != "" || !strings.HasSuffix(script, "FROM mine;\n") {
		t.Errorf("exit %d, %q, script %.200s", code, messages, script)
	}
	path := t.TempDir() + "/exemplars.sql"
	if code, _, messages := runExport(t, "--model", dir, "--output", path, "--table", "mine", "-q"); code != exitDone {
		t.Errorf("exit %d, %q", code, messages)
	}
	if written, err := os.ReadFile(path); err != nil || string(written) != script {
		t.Errorf("the file differs from standard output: %v", err)
	}

	t.Setenv("PATH", t.TempDir())
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--to", "qdrant"}, `--to is "qdrant", want pgvector`},
		{[]string{"--table", "a b"}, `--table is "a b"`},
		{[]string{"--output", "x", "--database", "y"}, "--database and --output exclude each other"},
		{[]string{"--database", "host=db password=secret"}, "PGPASSWORD"},
		{[]string{"--model", "missing"}, "missing: is not a model"},
		{[]string{"--model", modeltest.Build(t, nil, nil)}, "has no vectors"},
		{[]string{"--model", dir}, "psql, the client of PostgreSQL, is not installed"},
	} {
		code, _, messages := runExport(t, tc.args...)
		if code != exitFailed || !strings.Contains(messages, tc.want) || strings.Contains(messages, "secret") {
			t.Errorf("%v: exit %d, %q, want %q", tc.args, code, messages, tc.want)
		}
	}
}

// TestPostgresExport exports a model twice, and has errors of a server in the words of psql.
func TestPostgresExport(t *testing.T) {
	dir := gutModel(t)
	database := os.Getenv("CTXNORM_POSTGRES")
	if database == "" {
		t.Skip("CTXNORM_POSTGRES is not set: skipping what needs PostgreSQL with pgvector; make pgvector-test starts one")
	}
	for range 2 {
		code, stdout, messages := runExport(t, "--model", dir, "--database", database, "--table", "export_rows")
		if code != exitDone || stdout != "" || !strings.Contains(messages, " exemplars in the database: table ") {
			t.Fatalf("exit %d, %q, %q", code, stdout, messages)
		}
	}
	const nearest = `SELECT o.preferred_names[1] FROM export_rows o, (SELECT vector FROM export_rows WHERE kind = 'name' AND exemplar = 0) q
		WHERE o.kind = 'name' ORDER BY o.vector <=> q.vector, o.exemplar LIMIT 1`
	got, err := exec.CommandContext(t.Context(), "psql", "-XqAt", "-d", database, "-c", nearest).Output()
	if want, _ := exec.CommandContext(t.Context(), "psql", "-XqAt", "-d", database, "-c", "SELECT preferred_names[1] FROM export_rows WHERE kind = 'name' AND exemplar = 0").Output(); err != nil || len(got) < 2 || string(got) != string(want) {
		t.Errorf("%v: nearest to a name is %q, want itself, %q", err, got, want)
	}

	if out, err := exec.CommandContext(t.Context(), "psql", "-XqAt", "-d", database, "-c", "DROP TABLE IF EXISTS not_ours; CREATE TABLE not_ours (a int)").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, tc := range []struct{ database, table, want string }{
		{database, "not_ours", "ctxnorm: psql: table not_ours exists and was not made by ctxnorm: it stays as it is\n"},
		{database, "nowhere.rows", `schema "nowhere" does not exist`},
		{"host=/missing user=ctxnorm", "export_rows", `connection to server on socket "/missing/.s.PGSQL.5432" failed`},
	} {
		code, _, messages := runExport(t, "--model", dir, "--database", tc.database, "--table", tc.table, "-q")
		if code != exitFailed || !strings.Contains(messages, tc.want) {
			t.Errorf("%s of %s: exit %d, %q, want %q", tc.table, tc.database, code, messages, tc.want)
		}
	}
}

func TestSplitPassword(t *testing.T) {
	for database, want := range map[string]connection{
		"":                               {},
		"host=db user=ada":               {database: "host=db user=ada"},
		"postgresql://ada@db/texts":      {database: "postgresql://ada@db/texts"},
		"postgres://ada:a%40b@db:1/t?x=": {database: "postgres://ada@db:1/t?x=", env: []string{"PGPASSWORD=a@b"}},
	} {
		got, err := splitPassword(database)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(connection{})); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", database, err, diff)
		}
	}
	for _, database := range []string{"password = secret", "host=db password=secret", "postgresql://db/t?password=secret", "postgresql://ada:secret@db:port/t%zz"} {
		if _, err := splitPassword(database); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", database, err)
		}
	}
}
