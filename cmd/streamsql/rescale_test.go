package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"streamsql/queries"
)

// rescaled is a job that is started again with one parallelism after the other.
type rescaled struct {
	query string
	args  []string
	scale []string
}

var (
	upAndDown   = []string{"1", "2", "4", "1"}
	rescaleJobs = []rescaled{
		{"q17", nil, upAndDown},
		{"q15", nil, upAndDown},
		{"q15", []string{"-X", "table.optimizer.distinct-agg.split.enabled=true"}, []string{"2", "4", "3", "2"}},
		{"q12e", nil, upAndDown},
		{"q16", []string{"-X", "streamsql.batch-size=100"}, upAndDown},
		{"q17", []string{"--transport", "tcp", "--split", "upstream"}, []string{"2", "4", "1", "3"}},
		{"q12e", []string{"--split", "upstream", "--pushdown", "off"}, []string{"3", "1", "2", "4"}},
		{"q15", []string{"--pushdown", "off"}, []string{"4", "2", "1", "3"}},
		{"q16", []string{"--transport", "tcp", "-X", "pipeline.max-parallelism=5"}, []string{"5", "1", "3", "2"}},
		{"q4", nil, upAndDown},
		{"q20", nil, []string{"3", "1", "4", "2"}},
		{"q5", nil, upAndDown},
		{"q7", []string{"-X", "streamsql.batch-size=50"}, upAndDown},
		{"q8", nil, upAndDown},
		{"q9k", nil, upAndDown},
		{"q11", []string{"--pushdown", "off"}, upAndDown},
		{"q13", nil, upAndDown},
		{"q18k", nil, upAndDown},
		{"q19k", []string{"--transport", "tcp"}, []string{"2", "4", "1", "3"}},
		{"q23", nil, upAndDown},
	}
)

// TestRescaled kills jobs at random moments and goes on with them at another parallelism: the digest is that of a
// run that was left alone. The seed says which jobs, where not all are.
func TestRescaled(t *testing.T) {
	few := 12
	if testing.Short() {
		few = 3
	}
	p := newProgress(t, few)
	r := rand.New(rand.NewPCG(*soakSeed, 2))
	began := 0
	jobs := slices.DeleteFunc(slices.Clone(rescaleJobs), func(j rescaled) bool { return !slices.Contains(queries.List(), j.query) })
	for p.more() {
		for _, at := range r.Perm(len(jobs)) {
			if !p.more() {
				break
			}
			began += rescale(t, jobs[at], r, p)
		}
	}
	if began == 0 {
		t.Error("no job went on at another parallelism")
	}
}

// rescale runs one job through its parallelisms, and says how often it went on from a checkpoint.
func rescale(t *testing.T, j rescaled, r *rand.Rand, p *progress) (began int) {
	t.Helper()
	args := append([]string{"nexmark", "run", j.query, "--events", "20K", "--digest", "--with", "first-event.rate=40000"}, j.args...)
	c, want, errs := program(t, append(args, "--parallelism", j.scale[0])...)
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, errs)
	}
	dir := t.TempDir()
	args = append(args, "--with", "max-emit-speed=false", "--checkpoint-dir", dir, "--checkpoint-interval", "10ms", "--restore")
	for i, parallelism := range j.scale {
		own := append(slices.Clone(args), "--parallelism", parallelism)
		c, got, errs := program(t, own...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if i < len(j.scale)-1 && kill(t, c, r, filepath.Join(dir, j.query), true) {
			began++
			p.left--
			continue
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != 0 {
			t.Fatalf("%v: %v\n%s", own, err, errs)
		}
		if got.String() != want.String() {
			t.Fatalf("%v, after %v:\n%swant\n%s%s", own, j.scale[:i], got, want, errs)
		}
	}
	return began
}

// rescaleScript writes what windows give to files. By event time the rows are out of order by up to OFF milliseconds, where
// a second is allowed; by the clock they come when they come.
const rescaleScript = `SET 'execution.checkpointing.interval' = '10 ms';
SET 'execution.checkpointing.dir' = 'DIR/chk';
SET 'pipeline.auto-watermark-interval' = '0';
SET 'parallelism.default' = 'PARALLELISM';
SET 'streamsql.proctime.drain' = 'true';
CREATE TABLE bids (k BIGINT, n BIGINT, ts AS CAST(TO_TIMESTAMP_LTZ(n * 30 + MOD(n * 7919, OFF), 3) AS TIMESTAMP(3)),
  p AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'datagen', 'rows-per-second' = '20000',
  'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '11999',
  'fields.k.kind' = 'sequence', 'fields.k.start' = '0', 'fields.k.end' = '11999');
CREATE TABLE out (k BIGINT, s TIMESTAMP(3), e TIMESTAMP(3), n BIGINT, t BIGINT)
  WITH ('connector' = 'filesystem', 'path' = 'DIR/out', 'format' = 'csv');
INSERT INTO out SELECT k7, window_start, window_end, COUNT(*), SUM(n)
  FROM TABLE(WINDOW) GROUP BY k7, window_start, window_end;
`

// rescaleMatched are the matches of a pattern, which hold each other back.
const rescaleMatched = `CREATE TEMPORARY VIEW matched AS SELECT k7, n, ts FROM keyed MATCH_RECOGNIZE (PARTITION BY k7 ORDER BY ts, n
  MEASURES A.n + SUM(B.n) AS n, MATCH_ROWTIME() AS ts AFTER MATCH SKIP TO NEXT ROW PATTERN (A B+ C) WITHIN INTERVAL '4' SECOND
  DEFINE A AS MOD(A.n, 3) = 0, B AS MOD(B.n, 5) <> MOD(A.n, 5) AND COUNT(B.n) < 9, C AS MOD(C.n, 11) < MOD(A.n, 11));
`

var rescaleWindows = []string{
	"TUMBLE(TABLE keyed, DESCRIPTOR(ts), INTERVAL '2' SECOND)",
	"HOP(TABLE keyed, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '3' SECOND)",
	"CUMULATE(TABLE keyed, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '4' SECOND)",
	"TUMBLE(TABLE matched, DESCRIPTOR(ts), INTERVAL '1' SECOND)",
}

// TestRescaledWindows: a window fires once, and no row is late that its own split's watermark has not passed, when
// a job goes on at another parallelism. Its files are those of a run that was left alone.
func TestRescaledWindows(t *testing.T) {
	t.Logf("-args -seed %d", *soakSeed)
	r := rand.New(rand.NewPCG(*soakSeed, 3))
	windows := rescaleWindows
	if testing.Short() && !*soak {
		at := r.IntN(len(windows))
		windows = windows[at : at+1]
	}
	for _, w := range windows {
		want := windowFiles(t, w, 1000, []string{"1"}, nil)
		if len(want.lines) < 100 {
			t.Fatalf("%s: %d rows", w, len(want.lines))
		}
		got := windowFiles(t, w, 1000, upAndDown, r)
		if !slices.Equal(got.lines, want.lines) || got.late > 0 || got.restored == 0 {
			t.Errorf("%s, restored %d times: %d rows, want %d, %d late: %v", w, got.restored, len(got.lines), len(want.lines),
				got.late, firstDifference(got.lines, want.lines))
		}
	}
}

// TestRescaledLate: which rows are late depends on what comes together, but each is counted in its window or as
// late, and neither is lost with a restore.
func TestRescaledLate(t *testing.T) {
	t.Logf("-args -seed %d", *soakSeed)
	r := rand.New(rand.NewPCG(*soakSeed, 4))
	for _, scale := range [][]string{{"1"}, upAndDown} {
		got := windowFiles(t, rescaleWindows[0], 1500, scale, r)
		kept := 0
		for _, l := range got.lines {
			n, err := strconv.Atoi(strings.Split(l, ",")[3])
			if err != nil {
				t.Fatal(l, err)
			}
			kept += n
		}
		if kept+got.late != 12000 || got.late == 0 && len(scale) == 1 || got.restored == 0 && len(scale) > 1 {
			t.Errorf("parallelism %v, restored %d times: %d rows are counted and %d late, want 12000 in all", scale, got.restored,
				kept, got.late)
		}
	}
}

func firstDifference(a, b []string) []string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return []string{a[i], b[i]}
		}
	}
	return nil
}

var lateRows = regexp.MustCompile(`late rows dropped: (\d+)`)

// windowRun is what came of the script: the lines of its files, the late rows that were told, and how often it went on
// from a checkpoint.
type windowRun struct {
	lines          []string
	late, restored int
}

// windowFiles runs the script at one parallelism after the other.
func windowFiles(t *testing.T, window string, off int, scale []string, r *rand.Rand) (out windowRun) {
	t.Helper()
	dir := t.TempDir()
	view := "CREATE TEMPORARY VIEW keyed AS SELECT MOD(k, 7) AS k7, n, ts, p FROM bids;\n" + rescaleMatched + "INSERT"
	for i, parallelism := range scale {
		text := strings.NewReplacer("DIR", dir, "PARALLELISM", parallelism, "WINDOW", window, "INSERT", view,
			"OFF", strconv.Itoa(off)).Replace(rescaleScript)
		file := filepath.Join(dir, "job.sql")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, _, errs := program(t, "run", file, "--restore")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if i < len(scale)-1 {
			if kill(t, c, r, filepath.Join(dir, "chk", "insert-1"), true) {
				out.restored++
				continue
			}
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != 0 {
			t.Fatalf("%s, parallelism %s: %v\n%s", window, parallelism, err, errs)
		}
		if m := lateRows.FindStringSubmatch(errs.String()); m != nil {
			out.late, _ = strconv.Atoi(m[1])
		}
		break
	}
	files, _ := filepath.Glob(filepath.Join(dir, "out", "*"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out.lines = append(out.lines, strings.Fields(strings.ReplaceAll(string(b), " ", "_"))...)
	}
	slices.Sort(out.lines)
	return out
}
