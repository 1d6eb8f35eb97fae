package tests

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner"
	"streamsql/planner/syntax"
)

var (
	corpusAll  = flag.Bool("all", false, "run every file of the corpus and print passes by topic")
	updateGaps = flag.Bool("update", false, "rewrite the list of known gaps")
)

const (
	corpusDir  = "testdata/flink"
	corpusGaps = "testdata/flink/gaps.txt"
)

// judgedFiles are the topics that are judged. Of the corpus besides, the constructs are forms without outcomes, and what the oddities
// hold is not imitated.
var judgedFiles = []string{"arith", "string", "datetime", "cast", "logic", "collection", "aggregate", "join", "rank", "query", "window",
	"match", "timejoin", "nexmark", "error", "statement", "ddl"}

// TestCorpus runs the cases of a real Flink's outcomes. STREAMSQL_CORPUS names another folder of cases, all
// of which are run and none of which may be a known gap.
func TestCorpus(t *testing.T) {
	dir, files := corpusDir, judgedFiles
	foreign := os.Getenv("STREAMSQL_CORPUS")
	if foreign != "" {
		dir = foreign
	}
	if only := os.Getenv("STREAMSQL_CORPUS_FILE"); only != "" {
		files = strings.Split(strings.ReplaceAll(only, ".txt", ""), ",")
	} else if *corpusAll || foreign != "" {
		files = corpusFiles(t, dir)
	}
	gaps := readGaps(t)
	seed := uint64(time.Now().UnixNano())
	if testing.Short() {
		t.Logf("a tenth of the cases, seed %d", seed)
	}
	pick := rand.New(rand.NewPCG(seed, 1))
	passed, total := 0, 0
	var failed []string
	for _, f := range files {
		cases, err := readCorpus(filepath.Join(dir, f+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := range cases {
			c := &cases[i]
			if testing.Short() && pick.IntN(10) > 0 {
				continue
			}
			total++
			err := c.run(dir, t.TempDir())
			if err == nil {
				passed++
				n++
			} else {
				failed = append(failed, c.id)
			}
			known := gaps[c.id] != "" && foreign == ""
			switch {
			case *updateGaps || *corpusAll:
			case err == nil && known:
				t.Errorf("%s passes now: take it out of %s", c.id, corpusGaps)
			case err != nil && !known:
				t.Errorf("%s: %v\n  %s", c.id, err, c.sql)
			}
			if err != nil && os.Getenv("STREAMSQL_CORPUS_VERBOSE") != "" {
				t.Logf("%s: %v\n  %s", c.id, err, c.sql)
			}
		}
		t.Logf("%-12s passed %d of %d", f, n, len(cases))
	}
	t.Logf("passed %d of %d", passed, total)
	if foreign != "" {
		fmt.Printf("passed %d of %d\n", passed, total)
		for _, id := range failed {
			fmt.Println(id)
		}
	}
	if *updateGaps && !testing.Short() && foreign == "" && !*corpusAll {
		writeGaps(t, failed, gaps)
	}
}

func corpusFiles(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		name := strings.TrimSuffix(filepath.Base(f), ".txt")
		if name != "constructs" && name != "oddities" && name != "gaps" {
			out = append(out, name)
		}
	}
	return out
}

// readGaps reads the list of cases that are known to differ: id, blank, reason.
func readGaps(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	f, err := os.Open(corpusGaps)
	if errors.Is(err, os.ErrNotExist) {
		return out
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		id, reason, _ := strings.Cut(s.Text(), " ")
		if id != "" && !strings.HasPrefix(id, "#") {
			out[id] = strings.TrimSpace(reason) + " "
		}
	}
	return out
}

func writeGaps(t *testing.T, failed []string, old map[string]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Cases of the corpus that give another outcome here, each with its reason. The list only shrinks: a case that\n" +
		"# passes must leave it.\n")
	slices.Sort(failed)
	for _, id := range failed {
		reason := strings.TrimSpace(old[id])
		if reason == "" {
			reason = "not built yet"
		}
		b.WriteString(id + " " + reason + "\n")
	}
	if err := os.WriteFile(corpusGaps, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// outcome is what a statement gave: rows as cells, or an error of a phase.
type outcome struct {
	columns []connector.Column
	rows    []string
	// folded tells that rows were taken away again.
	retracts bool
	err      error
	running  bool // the error came from the job
}

// run executes a case and says how it differs.
func (c *corpusCase) run(corpus, dir string) error {
	if err := c.write(corpus, dir); err != nil {
		return err
	}
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	sets := append([][2]string{{"streamsql.dialect", "flink"}}, c.sets...)
	if c.mode == "batch" {
		sets = append(sets, [2]string{"execution.runtime-mode", "batch"})
	}
	for _, kv := range sets {
		if _, err := s.Set(kv[0], kv[1]); err != nil {
			return fmt.Errorf("set %s: %w", kv[0], err)
		}
	}
	for _, st := range c.setup {
		if o := execute(s, in(dir, st)); o.err != nil {
			return fmt.Errorf("setup fails: %w\n  %s", o.err, st)
		}
	}
	return c.judge(execute(s, in(dir, c.sql)), dir)
}

// execute runs one statement to its end.
func execute(s *planner.Session, sql string) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o.err = fmt.Errorf("PANIC: %v", p)
		}
	}()
	res, err := s.Prepare(sql)
	if err != nil {
		return outcome{err: err}
	}
	if res.Graph == nil {
		return textOutcome(res)
	}
	fold := &cells{counts: map[string]int{}}
	opts := exec.Options{Env: s.Env(), MaxRows: s.Settings().BatchSize, Stdout: io.Discard, Stderr: io.Discard}
	if res.Query {
		opts.Writer = func(*graph.Sink, *connector.Context) (connector.Writer, error) { return fold, nil }
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_, err = exec.Run(ctx, res.Graph, opts)
	nodes := res.Graph.Stages[len(res.Graph.Stages)-1].Nodes
	return outcome{columns: nodes[len(nodes)-1].Sink.Columns, rows: fold.table(), retracts: fold.retracts, err: err, running: true}
}

// textOutcome is the outcome of a statement that runs no job.
func textOutcome(res *planner.Result) outcome {
	var o outcome
	for i, name := range res.Columns {
		o.columns = append(o.columns, connector.Column{Name: name, Type: res.Types[i]})
	}
	escape := strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	for i, row := range res.Rows {
		cells := make([]string, len(row))
		for k, cell := range row {
			switch {
			case res.Nulls != nil && res.Nulls[i][k]:
				cells[k] = `\N`
			case cell == "":
				cells[k] = `\e`
			default:
				cells[k] = escape.Replace(cell)
			}
		}
		o.rows = append(o.rows, strings.Join(cells, "\t"))
	}
	return o
}

// judge compares by the rules of the corpus. What is not supported is never a pass.
func (c *corpusCase) judge(o outcome, dir string) error {
	var e *syntax.Error
	if errors.As(o.err, &e) && e.Code == syntax.CodeNotSupported {
		return o.err
	}
	if o.err != nil && strings.HasPrefix(o.err.Error(), "PANIC") {
		return o.err
	}
	switch {
	case c.phase != "" && o.err == nil:
		return fmt.Errorf("succeeds with %d rows, want an error: %s", len(o.rows), c.message)
	case c.phase != "":
		if wantRun := c.phase == "run"; wantRun != o.running {
			return fmt.Errorf("fails at another time (running: %v), want %s: %v", o.running, c.phase, o.err)
		}
		if !o.running && (e == nil || e.Code == "" || e.Hint == "" || e.Span.End == 0) {
			return fmt.Errorf("the error has no code, place or hint: %w", o.err)
		}
		return nil
	case o.err != nil:
		return fmt.Errorf("fails: %w", o.err)
	case c.accept:
		return nil
	}
	if err := c.compareColumns(o.columns); err != nil {
		return err
	}
	return c.compareRows(o, dir)
}

func (c *corpusCase) compareColumns(cols []connector.Column) error {
	if len(cols) != len(c.columns) {
		return fmt.Errorf("%d columns, want %d", len(cols), len(c.columns))
	}
	for i, want := range c.columns {
		name, typ, _ := strings.Cut(want, "\t")
		typ = strings.NewReplacer(" NOT NULL", "", " *ROWTIME*", "", " *PROCTIME*", "").Replace(typ)
		got := strings.ReplaceAll(cols[i].Type.String(), " NOT NULL", "")
		if cols[i].Name != name || got != typ {
			return fmt.Errorf("column %d is %s %s, want %s %s", i+1, cols[i].Name, got, name, typ)
		}
	}
	return nil
}

func (c *corpusCase) compareRows(o outcome, dir string) error {
	want := make([]string, len(c.rows))
	for i, r := range c.rows {
		want[i] = in(dir, r)
	}
	got := slices.Clone(o.rows)
	if !c.ordered {
		slices.Sort(want)
		slices.Sort(got)
	}
	if len(want) != len(got) {
		return fmt.Errorf("%d rows, want %d\n  got  %q\n  want %q", len(got), len(want), got, want)
	}
	for i := range want {
		if !sameRow(got[i], want[i], o.columns) {
			return fmt.Errorf("row %d differs\n  got  %q\n  want %q", i+1, got[i], want[i])
		}
	}
	return nil
}

// sameRow compares cells as text, approximate numbers as numbers.
func sameRow(got, want string, cols []connector.Column) bool {
	if got == want {
		return true
	}
	g, w := strings.Split(got, "\t"), strings.Split(want, "\t")
	if len(g) != len(w) || len(g) != len(cols) {
		return false
	}
	for i := range g {
		if g[i] == w[i] {
			continue
		}
		k := cols[i].Type.Kind
		if !k.IsApprox() {
			return false
		}
		a, errA := strconv.ParseFloat(g[i], 64)
		b, errB := strconv.ParseFloat(w[i], 64)
		tolerance := map[types.Kind]float64{types.Double: 1e-12, types.Float: 1e-6}[k]
		if errA != nil || errB != nil || math.Abs(a-b) > tolerance*math.Abs(b) {
			return false
		}
	}
	return true
}

// cells folds a result into rows of cells.
type cells struct {
	connector.Uncommitted
	mu       sync.Mutex // subtasks write at once
	order    []string
	counts   map[string]int
	retracts bool
	line     []byte
}

func (f *cells) Write(b *vector.Batch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range b.Len {
		f.line = f.line[:0]
		for k, c := range b.Cols {
			if k > 0 {
				f.line = append(f.line, '\t')
			}
			f.line = text.AppendCell(f.line, c, i)
		}
		row := string(f.line)
		if b.Kind(i).Adds() {
			f.counts[row]++
			f.order = append(f.order, row)
			continue
		}
		f.retracts = true
		f.counts[row]--
	}
	return nil
}

// table is the rows that are left, in the order in which they came.
func (f *cells) table() []string {
	left := map[string]int{}
	for r, n := range f.counts {
		left[r] = n
	}
	var out []string
	for i := len(f.order) - 1; i >= 0; i-- {
		if r := f.order[i]; left[r] > 0 {
			left[r]--
			out = append(out, r)
		}
	}
	slices.Reverse(out)
	return out
}
