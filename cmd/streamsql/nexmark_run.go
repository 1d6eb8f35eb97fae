package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/bench"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors/print"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/option"
	"streamsql/nexmark"
	"streamsql/planner"
	"streamsql/queries"
)

// nexmarkFlags are those of `nexmark run`.
type nexmarkFlags struct {
	events      string
	parallelism int
	rng, split  string
	pushDown    string
	transport   string
	with        []string
	settings    []string
	sink        string
	verify      bool
	digest      bool
	format      string
	runs        int
	child       bool
	state       bool
	tasks       bool
	profile     string
	out         string

	interval    time.Duration
	checkpoints string
	restoreFlags
	saved savepointFlags

	options map[string]string // of the source, from the flags
}

// defaultEvents is the small default size, for which there are goldens.
const defaultEvents = "100K"

func newNexmarkRun() *cobra.Command {
	f := &nexmarkFlags{}
	c := &cobra.Command{
		Use:   "run [QUERY... | all | cep]",
		Short: "run queries, measure them and verify their answers",
		Example: `  streamsql nexmark run                                  all queries, 100K events, answers verified
  streamsql nexmark run q1 q14 --events 10M --runs 5     measured in a fresh process each
  streamsql nexmark run q2 --events 2K --sink print
  streamsql nexmark run all --events 100K --verify --parallelism 4 -X streamsql.batch-size=3
  streamsql nexmark run q0 --with first-event.rate=7 --digest
  streamsql nexmark run q5 --events 10M --with max-emit-speed=false --savepoint-dir saved    SIGTERM stops it
  streamsql nexmark run q5 --events 10M --digest --from-savepoint saved/savepoint-1f0c2a-9be2c1d43f50`,
		Long: `Runs Nexmark queries over generated events and prints a table: time, events per second of the clock and per CPU-second of
the whole process, peak memory, rows out, and whether the answer equals the golden. The JSON document has besides per query
the checkpoints, their bytes and the longest pause of a task for one (checkpoints, checkpoint_bytes, checkpoint_max_pause_ns),
the memory of the state (state_bytes), the first task along the flow that is busy and not held up by others (bottleneck), and
what collecting garbage took of the CPU, what idle cores did for it, and the longest pause (gc_cpu_fraction,
gc_idle_cpu_fraction, gc_max_pause_ns). Without --events and --with the answers are verified: "yes", "differs", or "no golden"
where none is known for the input; "ties" where the order of arrival decides, and what would keep it. Two or more queries, or
--runs above 1, run in a fresh process each. A query that fails is a row of its own, the others run all the same, and the
exit code is 1; it is 4 when an answer differs. The total and the geometric means of the rates are over the benchmark's
queries; variants of them, as q12e and q18k, whose answers do not depend on the clock or on which of equal rows came first,
stand apart. A run that was stopped with a savepoint has no answer yet; it goes on with the same flags, at any parallelism.`,
	}
	c.Flags().StringVar(&f.events, "events", defaultEvents, "number of events; K and M are thousands and millions")
	c.Flags().IntVar(&f.parallelism, "parallelism", 1, "subtasks")
	c.Flags().StringVar(&f.rng, "rng", "stream", "stream: one random stream as in the benchmark; event: a seed for each event")
	c.Flags().StringVar(&f.split, "split", "rows", "rows: one stream at any parallelism; upstream: divided as the benchmark does")
	c.Flags().StringVar(&f.pushDown, "pushdown", "on", "off: whole events are built, as other engines do")
	c.Flags().StringVar(&f.transport, "transport", "local", "local: tasks hand rows over in memory; tcp: over connections, as between machines; tls: encrypted ones")
	c.Flags().StringArrayVar(&f.with, "with", nil, "an option of the source as `key=value`; repeatable")
	c.Flags().StringArrayVarP(&f.settings, "set", "X", nil, "a SET `key=value`; repeatable")
	c.Flags().StringVar(&f.sink, "sink", "blackhole", "blackhole or print")
	c.Flags().BoolVar(&f.verify, "verify", false, "compare with the goldens; exit code 4 on a mismatch")
	c.Flags().BoolVar(&f.digest, "digest", false, "print a digest line per query to standard output, the table to standard error")
	c.Flags().StringVar(&f.format, "format", "table", "table or json")
	c.Flags().BoolVar(&f.state, "state-report", false, "of each table of the queries' state the most keys, and the bytes when the state was largest")
	c.Flags().BoolVar(&f.tasks, "task-report", false, "how each task spent its time, the bottleneck, and what went between the tasks")
	c.Flags().IntVar(&f.runs, "runs", 1, "runs of each query")
	c.Flags().StringVar(&f.out, "out-dir", "", "keep the files that q10 writes in this `directory`; it is they that are verified")
	c.Flags().StringVar(&f.checkpoints, "checkpoint-dir", "", "keep checkpoints in a folder of this `directory` per query")
	c.Flags().DurationVar(&f.interval, "checkpoint-interval", 0, "time between checkpoints; 0 takes one at the end")
	f.restoreFlags.add(c)
	f.saved.add(c)
	c.Flags().StringVar(&f.profile, "cpuprofile", "", "write a CPU profile of a single run to this `file`")
	c.Flags().BoolVar(&f.child, "child", false, "write the one run as JSON to file descriptor 3")
	if err := c.Flags().MarkHidden("child"); err != nil {
		panic(err)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := f.check(c); err != nil {
			return err
		}
		names, err := f.names(args)
		if err != nil {
			return err
		}
		return f.run(c, names)
	}
	return c
}

func (f *nexmarkFlags) names(args []string) ([]string, error) {
	patterns := len(args) == 1 && args[0] == "cep"
	if len(args) == 0 || patterns || len(args) == 1 && args[0] == "all" {
		return slices.DeleteFunc(queries.List(), func(q string) bool { return queries.Pattern(q) != patterns }), nil
	}
	return args, known(args)
}

// check validates the flags and turns those about the source into options.
func (f *nexmarkFlags) check(c *cobra.Command) error {
	events, err := parseCount(f.events, "events")
	if err != nil {
		return err
	}
	for _, v := range []struct {
		flag, value string
		allowed     []string
	}{
		{"rng", f.rng, []string{"stream", "event"}}, {"split", f.split, []string{"rows", "upstream"}},
		{"pushdown", f.pushDown, []string{"on", "off"}}, {"sink", f.sink, []string{"blackhole", "print"}},
		{"format", f.format, []string{"table", "json"}}, {"transport", f.transport, []string{"local", "tcp", "tls"}},
	} {
		if !slices.Contains(v.allowed, v.value) {
			return usagef("--%s is %s, not '%s'", v.flag, strings.Join(v.allowed, " or "), v.value)
		}
	}
	if f.runs < 1 {
		return usagef("--runs must be at least 1, not %d", f.runs)
	}
	given, err := pairs(f.with, "--with")
	if err != nil {
		return err
	}
	f.options = map[string]string{"events.num": strconv.FormatInt(events, 10)}
	if f.rng != "stream" {
		f.options["rng"] = f.rng
	}
	if f.split != "rows" {
		f.options["split"] = f.split
	}
	maps.Copy(f.options, given)
	if err := option.Decode(nexmark.Definition.Options(), f.options); err != nil {
		return usagef("--with: %v", err)
	}
	if !c.Flags().Changed("verify") {
		f.verify = !c.Flags().Changed("events") && len(f.with) == 0
	}
	if err := f.checkCheckpoints(); err != nil {
		return err
	}
	if err := f.saved.check(&f.restoreFlags, false); err != nil {
		return err
	}
	if f.profile != "" && (f.runs > 1 || f.child) {
		return usagef("--cpuprofile is for one run of one query")
	}
	return applyAll(newSession(), f)
}

func (f *nexmarkFlags) checkCheckpoints() error {
	switch {
	case f.checkpoints == "" && f.interval != 0:
		return usagef("--checkpoint-interval needs --checkpoint-dir")
	case f.interval < 0:
		return usagef("--checkpoint-interval must not be negative: %v", f.interval)
	case f.checkpoints != "" && f.runs > 1:
		return usagef("--runs above 1 cannot share the checkpoints in --checkpoint-dir")
	}
	return f.restoreFlags.check("--checkpoint-dir", f.checkpoints != "")
}

// applyAll sets what the flags say.
func applyAll(s *planner.Session, f *nexmarkFlags) error {
	flags := []string{"parallelism.default=" + strconv.Itoa(f.parallelism), "streamsql.transport=" + f.transport,
		"streamsql.pushdown=" + strconv.FormatBool(f.pushDown == "on")}
	if f.checkpoints != "" {
		flags = append(flags, "execution.checkpointing.dir="+f.checkpoints,
			fmt.Sprintf("execution.checkpointing.interval=%d ms", f.interval.Milliseconds()))
	}
	return applySettings(s, slices.Concat(flags, f.saved.settings(), f.settings))
}

// run measures all queries and reports.
func (f *nexmarkFlags) run(c *cobra.Command, names []string) error {
	if f.child {
		return f.asChild(c, names[0])
	}
	if f.profile != "" && len(names) > 1 {
		return usagef("--cpuprofile is for one query, not %d", len(names))
	}
	if n := len(names) * f.runs; n > 1 && (f.saved.dir != "" || len(f.saved.from) > 0) {
		return usagef("--savepoint-dir and --from-savepoint are for one run of one query, not %d", n)
	}
	v := buildVersion()
	report := &bench.Report{Schema: bench.Schema, Environment: bench.NewEnvironment(v.Version, v.Commit), Options: f.options}
	digests := map[string]string{}
	for _, q := range names {
		for n := range f.runs {
			run := bench.Run{}
			if len(names) == 1 && f.runs == 1 {
				run = f.measure(c.Context(), q, c.OutOrStdout(), c.ErrOrStderr())
			} else {
				run = f.inChild(c, q)
			}
			run.Run = n + 1
			report.Queries = append(report.Queries, run)
			if run.Digest != "" {
				digests[q] = run.Digest
			}
			if c.Context().Err() != nil {
				break
			}
		}
		if f.digest && digests[q] != "" {
			fmt.Fprintf(c.OutOrStdout(), "%s %s\n", q, digests[q])
		}
		if c.Context().Err() != nil {
			break
		}
	}
	return f.report(c, report)
}

// measure runs a query in this process.
func (f *nexmarkFlags) measure(ctx context.Context, q string, out, errs io.Writer) bench.Run {
	s := newSession()
	if err := applyAll(s, f); err != nil {
		return bench.Run{ID: q, Error: err.Error()}
	}
	c := bench.Config{Query: q, Options: f.options, Verify: f.verify, Digest: f.digest, Out: out, Err: errs,
		Tables: f.state, Tasks: f.tasks, OutDir: f.out, Restore: f.restore, From: f.from, Savepoints: f.saved.from}
	reset := func() {}
	c.Runs = func(r *script.Runner) { reset = onTerminate(ctx, func() bool { return r.Stop(ctx) }) }
	defer func() { reset() }()
	if f.sink == "print" {
		c.Writer = printWriter
	}
	stop, err := startProfile(f.profile)
	if err != nil {
		return bench.Run{ID: q, Error: err.Error()}
	}
	run, _ := bench.Measure(ctx, s, c)
	if err := stop(); err != nil && run.Error == "" {
		run.Error = err.Error()
	}
	return run
}

// startProfile writes a CPU profile until stop is called; without a file name it does nothing.
func startProfile(name string) (stop func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// printWriter writes a sink's rows to standard output as the connector print does.
func printWriter(s *graph.Sink, c *connector.Context) (connector.Writer, error) {
	options := print.Definition.Options()
	sink, err := print.Definition.Sink(&connector.Table{Name: s.Table, Columns: s.Columns, Options: options, Env: c.Env})
	if err != nil {
		return nil, err
	}
	return sink.Open(c)
}

// report prints the outcome and gives the exit code.
func (f *nexmarkFlags) report(c *cobra.Command, r *bench.Report) error {
	out := c.OutOrStdout()
	if f.digest || f.sink == "print" {
		out = c.ErrOrStderr()
	}
	write := func() error {
		err := r.WriteTable(out, colours(out))
		if err == nil && f.state {
			err = r.WriteState(out)
		}
		if err == nil && f.tasks {
			err = r.WriteTasks(out)
		}
		return err
	}
	if f.format == "json" {
		write = func() error { return r.WriteJSON(out) }
	}
	if err := write(); err != nil {
		return err
	}
	code := exitOK
	for i := range r.Queries {
		q := &r.Queries[i]
		switch {
		case q.Error != "":
			fmt.Fprintf(c.ErrOrStderr(), "%s failed: %s\n", q.ID, q.Error)
			code = exitFailed
		case q.Verified != nil && !*q.Verified:
			fmt.Fprintf(c.ErrOrStderr(), "%s: the answer differs from the golden:\n  got  %s\n  %s\n", q.ID, q.Digest, q.Note)
			if code == exitOK {
				code = exitMismatch
			}
		case q.Verified == nil && f.verify && q.Note == "no golden":
			fmt.Fprintf(c.ErrOrStderr(), "%s: not verified: there is no golden for this input\n", q.ID)
		}
	}
	if c.Context().Err() != nil {
		code = exitBroken
	}
	if code != exitOK {
		return exitError{code}
	}
	return nil
}

// colours tells whether escape sequences may go to w: a terminal, unless NO_COLOR or TERM=dumb.
func colours(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// terminal tells whether a stream is one.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
