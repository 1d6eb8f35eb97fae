package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"streamsql/cmd/streamsql/script"
	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/planner"
	"streamsql/queries"
)

// Config says what to run and how.
type Config struct {
	Query string
	// Options are source options over the defaults, events.num among them.
	Options map[string]string
	// Verify compares with the golden, Digest folds the result without comparing.
	Verify, Digest bool
	// Tables reports the tables of the query's state.
	Tables bool
	// Tasks reports what each task did with its time, and what went over the edges.
	Tasks bool
	// Light leaves out the SHA-256 of a digest (see Folder).
	Light bool
	// OutDir is where a query that writes files puts them, in a folder of its own. Without one they are given up; with
	// one it is they that are compared.
	OutDir string
	// Restore and From say which checkpoint to go on from; 'execution.checkpointing.dir' is where they are.
	Restore bool
	From    int64
	// Savepoints is the savepoint to go on from, or empty.
	Savepoints []string
	// Runs, when not nil, is told of what runs the query, so that it can be stopped.
	Runs func(r *script.Runner)
	// Writer, when not nil, takes the rows in place of the query's own sink.
	Writer func(s *graph.Sink, c *connector.Context) (connector.Writer, error)
	// Out and Err are the streams of print sinks and messages.
	Out, Err io.Writer
}

// Measure runs one query in this process. A failure of the query is in the run, not an error. The digest
// is empty unless it was asked for.
func Measure(ctx context.Context, s *planner.Session, c Config) (Run, *Digest) {
	events, _ := strconv.ParseInt(c.Options["events.num"], 10, 64)
	set := s.Settings()
	r := Run{ID: c.Query, RNG: "stream", PushDown: set.PushDown, Parallelism: set.Parallelism}
	if v := c.Options["rng"]; v != "" {
		r.RNG = v
	}
	var folder *Folder
	files := c.Writer == nil && queries.Files(c.Query) && (c.OutDir != "" || !c.Digest && !c.Verify)
	if files {
		remove, err := c.place(set.CheckpointDir != "" || set.SavepointDir != "" || len(c.Savepoints) > 0)
		if err != nil {
			r.Error = err.Error()
			return r, nil
		}
		defer remove()
	}
	if c.Digest || c.Verify {
		if set.Restart != "none" {
			r.Error = "not supported: a digest of a job that starts again by itself; leave 'restart-strategy.type' unset"
			return r, nil
		}
		folder = &Folder{Light: c.Light}
		s.KeepUpdateBefore()
		if !files {
			c.Writer = folder.take
		}
	}
	stats, err := runQuery(ctx, s, c)
	r.cost(stats)
	restored, saved := false, false // only what was read since, or until then, counts
	if k := stats.Checkpoints; k != nil {
		restored, saved = k.Restored > 0, k.Savepoint != ""
	}
	r.count(stats, events, err == nil && !restored && !saved)
	if !c.Tables {
		r.Tables = nil
	}
	if !c.Tasks {
		r.Tasks, r.Edges = nil, nil
	}
	if err != nil {
		r.Error = strings.TrimPrefix(err.Error(), "error: ")
		if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			r.Error, r.Note = "", "stopped"
		}
		return r, nil
	}
	if saved {
		r.Note = "stopped"
		return r, nil
	}
	if folder == nil {
		return r, nil
	}
	if files {
		if err := readBack(ctx, s, c.Query, folder); err != nil {
			r.Error = err.Error()
			return r, nil
		}
	}
	return r, r.answer(c, folder, events)
}

// answer is the digest of what was folded, nil where that failed; it is compared where that was asked for.
func (r *Run) answer(c Config, folder *Folder, events int64) *Digest {
	d, err := folder.Digest()
	if err != nil {
		r.Error = err.Error()
		return nil
	}
	r.Digest = d.String()
	switch {
	case c.Verify && r.PushDown && Arrives(c.Query, Input(events, c.Options)):
		r.Note = "ties: no push-down"
	case c.Verify:
		r.compare(d, events, c.Options)
	}
	return &d
}

// cost is what the run took of the machine.
func (r *Run) cost(stats exec.Stats) {
	r.WallNanos = stats.Wall.Nanoseconds()
	r.CPUNanos, r.RSSPeakBytes = usage()
	g := collected()
	r.GCFraction, r.GCIdleFraction, r.GCPauseNanos = g.share, g.idle, int64(g.longest*1e9)
}

// compare checks against the golden, if there is one.
func (r *Run) compare(d Digest, events int64, options map[string]string) {
	goldens, err := Goldens()
	if err != nil {
		r.Error = err.Error()
		return
	}
	input := Input(events, options)
	g := Find(goldens, r.ID, input)
	if input == "" || g == nil {
		r.Note = "no golden"
		return
	}
	want := g.Digest
	if d.SHA256 == "" {
		want.SHA256 = ""
	}
	ok := want == d
	if !ok && r.Parallelism > 1 && !Settled(r.ID, input) {
		r.Note = "ties: parallelism 1"
		return
	}
	r.Verified = &ok
	if !ok {
		r.Note = fmt.Sprintf("want %s", g.Digest)
	}
}

// count reads the job's counters. Events that a source left out for a filter were events all the same.
func (r *Run) count(stats exec.Stats, events int64, whole bool) {
	for _, n := range stats.Nodes {
		switch {
		case strings.HasPrefix(n.Name, "Source: "):
			r.Events += n.RowsOut
		case strings.HasPrefix(n.Name, "Sink: "):
			r.RowsOut += n.RowsIn
		}
	}
	if c := stats.Checkpoints; c != nil {
		r.Checkpoints, r.CheckpointBytes, r.CheckpointPauseNanos = c.Completed, c.Bytes, c.Pause.Nanoseconds()
	}
	r.Tables, r.Edges = tablesOf(stats), edgesOf(stats)
	r.Tasks, r.Bottleneck = tasksOf(stats)
	for _, t := range r.Tables {
		r.StateBytes += t.Bytes
	}
	if whole && events > 0 {
		r.Events = events
	}
}

// usage is the process's CPU time and largest resident set.
func usage() (cpuNanos, rssBytes int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	return u.Utime.Nano() + u.Stime.Nano(), u.Maxrss * 1024
}

// runQuery declares the tables, sets the source's options and runs the query's script.
func runQuery(ctx context.Context, s *planner.Session, c Config) (exec.Stats, error) {
	vars := queries.Variables()
	if c.OutDir != "" {
		vars["NEXMARK_DIR"] = c.OutDir
	}
	var job *exec.Job
	run := &script.Runner{Session: s, Out: c.Out, Err: c.Err, Writer: c.Writer,
		Restore: c.Restore, From: c.From, Savepoints: c.Savepoints, Folder: c.Query,
		Lookup:  func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		Started: func(j *exec.Job) { job = j }}
	if c.Runs != nil {
		c.Runs(run)
	}
	text, err := queries.Text(c.Query)
	if err != nil {
		return exec.Stats{}, err
	}
	remove, err := sideInput(text, vars)
	if err != nil {
		return exec.Stats{}, err
	}
	defer remove()
	if err := run.Run(ctx, queries.DDL(), "ddl.sql"); err != nil {
		return exec.Stats{}, err
	}
	if len(c.Options) > 0 {
		var set []string
		for _, k := range slices.Sorted(maps.Keys(c.Options)) {
			set = append(set, quote(k)+" = "+quote(c.Options[k]))
		}
		alter := "ALTER TABLE " + vars["NEXMARK_TABLE"] + " SET (" + strings.Join(set, ", ") + ")"
		if _, err := s.Prepare(alter); err != nil {
			return exec.Stats{}, err
		}
	}
	err = run.Run(ctx, text, c.Query+".sql")
	if e := run.Wait(); err == nil {
		err = e
	}
	if job == nil {
		return exec.Stats{}, err
	}
	return job.Stats(), err
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
