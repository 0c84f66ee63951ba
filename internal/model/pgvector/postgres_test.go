package pgvector

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// postgresVariable is the environment variable with the connection of a PostgreSQL with pgvector, in
// which the tests may make tables; scripts/pgvector.sh starts one.
const postgresVariable = "CTXNORM_POSTGRES"

// psql runs a script and returns what it prints: a line a row, fields separated by bars.
func psql(t *testing.T, script io.Reader) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "psql", "-XqAt", "-d", connection(t))
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = script, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%w: %s", err, stderr.String())
	}
	return stdout.String(), nil
}

func connection(t *testing.T) string {
	t.Helper()
	database := os.Getenv(postgresVariable)
	if database == "" {
		t.Skipf("%s is not set: skipping what needs PostgreSQL with pgvector; make pgvector-test starts one", postgresVariable)
	}
	return database
}

func query(t *testing.T, sql string) string {
	t.Helper()
	got, err := psql(t, strings.NewReader("\\set ON_ERROR_STOP on\n"+sql))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(got, "\n")
}

// TestPostgresTable loads awkward texts and reads them back.
func TestPostgresTable(t *testing.T) {
	connection(t)
	query(t, "DROP SCHEMA IF EXISTS awkward CASCADE; CREATE SCHEMA awkward;")
	load := func(o Options) (string, error) {
		var script bytes.Buffer
		if err := writeScript(t.Context(), &script, awkward(), quotedNames, marker, o); err != nil {
			t.Fatal(err)
		}
		return psql(t, &script)
	}
	for range 2 { // again replaces
		if got, err := load(Options{Table: "awkward.rows"}); err != nil || !strings.HasPrefix(got, "2|") {
			t.Fatalf("%q, %v", got, err)
		}
	}
	want := `X"\1|Y,2|a"b\c|"a` + "\uFFFD\uFFFD" + `{b"|t|P` + "\t" + `1|[0.6,-0.8]`
	got := query(t, `SELECT concepts[1], concepts[2], split_part(preferred_names[1], E'\n', 1), mention,
		substring(sentence from mention_start + 1 for mention_end - mention_start) = mention, document, vector FROM awkward.rows WHERE exemplar = 0;`)
	if got != want {
		t.Errorf("read back\n%s, want\n%s", got, want)
	}
	if got := query(t, "SELECT count(*) FROM awkward.rows WHERE vector IS NULL;"); got != "1" {
		t.Errorf("%s rows have no vector, want 1", got)
	}
	if got := query(t, "SELECT indexdef LIKE '%hnsw%' FROM pg_indexes WHERE schemaname = 'awkward' ORDER BY 1;"); got != "f\nt" {
		t.Errorf("indexes are %q, want the primary key and a graph", got)
	}

	query(t, "CREATE TABLE awkward.other AS SELECT 1 AS mine;")
	if _, err := load(Options{Table: "awkward.other"}); err == nil || !strings.Contains(err.Error(), "was not made by ctxnorm") {
		t.Errorf("a table of another's: %v", err)
	}
	if got := query(t, "SELECT mine FROM awkward.other;"); got != "1" {
		t.Errorf("the other's table holds %q, want 1", got)
	}
}

// TestPostgresUnfinished ends a script after any of its lines, or within one: the table stays as it was.
func TestPostgresUnfinished(t *testing.T) {
	connection(t)
	var whole bytes.Buffer
	if err := writeScript(t.Context(), &whole, awkward(), quotedNames, marker, Options{Table: "unfinished"}); err != nil {
		t.Fatal(err)
	}
	query(t, "DROP TABLE IF EXISTS unfinished; CREATE TABLE unfinished AS SELECT 1 AS old; COMMENT ON TABLE unfinished IS '"+marker+"';")
	script := whole.String()
	script = script[:strings.Index(script, "COMMIT;")]
	for end := range len(script) {
		if end%97 != 0 && script[end] != '\n' && end != len(script)-1 {
			continue
		}
		_, _ = psql(t, strings.NewReader(script[:end])) // fails or not
		if got := query(t, "SELECT old FROM unfinished;"); got != "1" {
			t.Fatalf("after %d bytes the table holds %q, want the old row", end, got)
		}
	}
	if got, err := psql(t, &whole); err != nil || !strings.HasPrefix(got, "2|") {
		t.Fatalf("%q, %v", got, err)
	}
}

// TestPostgresRecall loads the vectors of a .npy file that CTXNORM_VECTORS names, such as index/names.npy of a model,
// without every 50th, and searches for these: without the graph the hits must be those of knnindex.Flat, and with it at
// least 19 in 20 at 200 candidates.
func TestPostgresRecall(t *testing.T) {
	connection(t)
	path := os.Getenv("CTXNORM_VECTORS")
	if path == "" {
		t.Skip("CTXNORM_VECTORS is not set: skipping recall on trained vectors")
	}
	v, err := knnindex.OpenNPY(path)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	set, queries := &knnindex.Vectors{Dim: v.Dim}, &knnindex.Vectors{Dim: v.Dim}
	for i := range v.Len() {
		if i%50 == 0 && queries.Len() < 1000 {
			queries.Data = append(queries.Data, v.Row(i)...)
		} else {
			set.Data = append(set.Data, v.Row(i)...)
		}
	}
	exemplars := make([]text.Exemplar, set.Len())
	for i := range exemplars {
		exemplars[i] = text.NameExemplar(strconv.Itoa(i))
	}
	const table = "recall_rows"
	start := time.Now()
	reader, writer := io.Pipe()
	go func() {
		writer.CloseWithError(writeScript(t.Context(), writer, []rows{{"name", exemplars, set}}, func(*text.Exemplar) []string { return nil }, marker, Options{Table: table}))
	}()
	sizes, err := psql(t, reader)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d x %d vectors loaded and indexed in %.1f s: rows|table|indexes %s", set.Len(), set.Dim, time.Since(start).Seconds(), strings.TrimSpace(sizes))

	const k = 15
	flat := knnindex.NewFlat(set)
	start = time.Now()
	want, err := flat.SearchBatch(t.Context(), queries.Data, k, 1)
	if err != nil {
		t.Fatal(err)
	}
	batch := time.Since(start)
	start = time.Now()
	for i := range 200 {
		flat.Search(nil, queries.Row(i%queries.Len()), k)
	}
	t.Logf("knnindex.Flat: %.2f ms a query in a batch of %d, %.2f ms alone, one core", ms(batch, queries.Len()), queries.Len(), ms(time.Since(start), 200))

	for _, setting := range []struct {
		name, sql string
		queries   int
		least     float64
	}{
		{"without the graph", "SET enable_indexscan = off; SET max_parallel_workers_per_gather = 0;", 20, .999},
		{"ef_search 40", "SET hnsw.ef_search = 40;", queries.Len(), 0},
		{"ef_search 100", "SET hnsw.ef_search = 100;", queries.Len(), 0},
		{"ef_search 200", "SET hnsw.ef_search = 200;", queries.Len(), .95},
		{"ef_search 400", "SET hnsw.ef_search = 400;", queries.Len(), .95},
	} {
		n := min(setting.queries, queries.Len())
		var sql bytes.Buffer
		sql.WriteString(setting.sql + "\n")
		for i := range n {
			fmt.Fprintf(&sql, "SELECT exemplar FROM %s ORDER BY vector <=> '%s' LIMIT %d;\n", table, appendVector(nil, queries.Row(i)), k)
		}
		start := time.Now()
		printed, err := psql(t, &sql)
		if err != nil {
			t.Fatal(err)
		}
		elapsed := time.Since(start)
		rows := strings.Fields(printed)
		if len(rows) != n*k {
			t.Fatalf("%s: %d rows, want %d", setting.name, len(rows), n*k)
		}
		found := 0
		for i := range n {
			exact := make(map[string]bool)
			for _, hit := range want[i] {
				exact[strconv.Itoa(int(hit.Row))] = true
			}
			for _, row := range rows[i*k : (i+1)*k] {
				if exact[row] {
					found++
				}
			}
		}
		recall := float64(found) / float64(n*k)
		t.Logf("pgvector, %s: recall@%d %.4f, %.2f ms a query, %d queries through psql", setting.name, k, recall, ms(elapsed, n), n)
		if recall < setting.least {
			t.Errorf("%s: recall is %.4f, want at least %g", setting.name, recall, setting.least)
		}
	}
	if diff := cmp.Diff("", query(t, "DROP TABLE "+table+";")); diff != "" {
		t.Error(diff)
	}
}

func ms(d time.Duration, n int) float64 { return float64(d.Microseconds()) / 1000 / float64(n) }
