package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/bench"
	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/cmd/streamsql/shell"
	"streamsql/connectors"
	"streamsql/connectors/filesystem"
	"streamsql/exec"
	"streamsql/planner"
)

// sqlFlags are the flags of the commands that run statements.
type sqlFlags struct {
	commands []string
	files    []string
	format   string
	limit    int64
	timeout  time.Duration
	quiet    bool
	verbose  bool
	settings []string
	vars     []string
}

func (f *sqlFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVarP(&f.settings, "set", "X", nil, "a SET `key=value` before anything runs; repeatable")
	c.Flags().StringArrayVarP(&f.vars, "var", "v", nil, "the value of ${NAME} as `NAME=value`; repeatable (otherwise the environment's)")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "stop after this time with exit code 124 (0: never)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no warnings, only results and errors")
	c.Flags().BoolVar(&f.verbose, "verbose", false, "behind an error that is a mistake of the program, show where in it")
}

func (f *sqlFlags) addFormat(c *cobra.Command) {
	c.Flags().StringVar(&f.format, "format", "table", "how rows are shown: "+strings.Join(render.Formats, ", "))
	c.Flags().Int64Var(&f.limit, "limit", 0, "stop a query after this many rows (0: never)")
}

// shellFlags are those of sql alone.
type shellFlags struct {
	sqlFlags
	init                []string
	output, color, mode string
	noRC, interactive   bool
	plain, noProgress   bool
}

func newSQL() *cobra.Command {
	f := &shellFlags{}
	c := &cobra.Command{
		Use:   "sql [-c SQL] [-f FILE]",
		Short: "the interactive shell; with -c, -f or a pipe, run statements and show their results",
		Example: `  streamsql sql
  streamsql sql -c "SELECT bidder, price FROM nexmark.bid" --limit 5
  streamsql sql -f report.sql --format csv > report.csv
  echo "SHOW FUNCTIONS;" | streamsql sql`,
		Long: `At a terminal, a shell: statements end with a semicolon, \? lists commands. An INSERT runs in the background there:
\jobs lists what runs, \stop ends it. A file of the user's is run first (STREAMSQL_RC, or streamsql/rc.sql in
$XDG_CONFIG_HOME), and one that -i names.

Otherwise runs statements from -c, from -f or from standard input, in this order, and stops at the first error.
Each statement of standard input runs as soon as its semicolon has come, the last one also without. With
SET 'table.dml-sync' = 'false' an INSERT runs in the background and its job's id is shown: SHOW JOBS lists the jobs,
STOP JOB 'id' WITH SAVEPOINT ends one; at the end of the input all are waited for.
Rows go to standard output, everything else to standard error.`,
		Args: noArgs,
	}
	c.Flags().StringArrayVarP(&f.commands, "command", "c", nil, "statements to run; repeatable")
	c.Flags().StringArrayVarP(&f.files, "file", "f", nil, "a file of statements to run; - is standard input; repeatable")
	c.Flags().StringArrayVarP(&f.init, "init", "i", nil, "a file of statements to run before all else; repeatable")
	c.Flags().StringVarP(&f.output, "output", "o", "", "the file that rows go to, or with a | in front the program")
	c.Flags().StringVar(&f.color, "color", "auto", "colours: auto, always or never; NO_COLOR is never")
	c.Flags().StringVar(&f.mode, "mode", "", "how a terminal shows rows that may change: "+strings.Join(shell.Modes, ", "))
	c.Flags().BoolVar(&f.noRC, "no-rc", false, "run no file of the user's first")
	c.Flags().BoolVar(&f.interactive, "interactive", false, "go on at the terminal behind -c and -f")
	c.Flags().BoolVar(&f.plain, "plain", false, "treat a terminal as what is none: no colours, no lines that are drawn again, no pager")
	c.Flags().BoolVar(&f.noProgress, "no-progress", false, "no line that tells how a query gets on")
	f.add(c)
	f.addFormat(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return f.run(c) }
	return c
}

// run is what the command does, with a shell.
func (f *shellFlags) run(c *cobra.Command) error {
	if f.mode != "" && !slices.Contains(shell.Modes, f.mode) {
		return usagef("unknown mode '%s': one of %s", f.mode, strings.Join(shell.Modes, ", "))
	}
	if !slices.Contains([]string{"auto", "always", "never"}, f.color) {
		return usagef("--color is auto, always or never, not '%s'", f.color)
	}
	t := shell.NewTerminal(c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr(), f.plain)
	once := len(f.files)+len(f.commands) > 0
	interactive := f.interactive || !once && terminal(c.InOrStdin())
	r, err := f.runner(c.OutOrStdout(), c.ErrOrStderr())
	if err != nil {
		return err
	}
	if interactive {
		if _, given := f.setting("table.dml-sync"); !given {
			_, _ = r.Session.Set("table.dml-sync", "false") // a key that there is
		}
	}
	vars, err := pairs(f.vars, "-v")
	if err != nil {
		return err
	}
	s := shell.New(shell.Options{Runner: r, In: c.InOrStdin(), Out: c.OutOrStdout(), Err: c.ErrOrStderr(), Terminal: t, Color: f.color,
		Mode: f.mode, Variables: vars, Quiet: f.quiet, NoProgress: f.noProgress})
	defer t.Close()
	defer atExit(c.Context(), t.Restore)()
	defer onInterruptDo(c.Context(), s.Interrupt)()
	ctx, cancel := f.context(c.Context())
	defer cancel()
	defer onTerminate(ctx, func() bool { return r.Stop(ctx) })()
	if err := f.before(ctx, s, interactive && !once); err != nil {
		return ended(r, err)
	}
	for _, text := range f.commands {
		if err := s.Script(ctx, text, ""); err != nil {
			return ended(r, err)
		}
	}
	files := f.files
	if !once && !interactive {
		files = []string{"-"}
	}
	for _, name := range files {
		if err := f.file(ctx, s, name, c.InOrStdin()); err != nil {
			return ended(r, err)
		}
	}
	if !interactive {
		return ended(r, s.Finish())
	}
	filesystem.ClaimStandardInput("is where statements are typed")
	if err := s.Interact(ctx); err != nil {
		return err
	}
	return s.Leave(ctx)
}

// before runs what comes first: the user's own file in a session, and those of the flag.
func (f *shellFlags) before(ctx context.Context, s *shell.Shell, rc bool) error {
	if f.output != "" {
		if err := s.Output(f.output); err != nil {
			return usagef("-o %s: %v", f.output, err)
		}
	}
	if rc && !f.noRC {
		if err := s.Setup(ctx, shell.RC(), false); err != nil {
			return err
		}
	}
	for _, name := range f.init {
		err := s.Setup(ctx, name, true)
		if _, unread := err.(*os.PathError); unread {
			return usagef("-i: %v", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *shellFlags) file(ctx context.Context, s *shell.Shell, name string, in io.Reader) error {
	if name == "-" {
		filesystem.ClaimStandardInput("holds the script")
		return s.Stream(ctx, in, "stdin")
	}
	text, err := textOfFile(name)
	if err != nil {
		return err
	}
	return s.Script(ctx, text, name)
}

// setting is the value that -X gives a key.
func (f *sqlFlags) setting(key string) (string, bool) {
	for _, kv := range f.settings {
		if k, v, ok := strings.Cut(kv, "="); ok && strings.TrimSpace(k) == key {
			return v, true
		}
	}
	return "", false
}

// ended waits for jobs in the background, and gives the first error.
func ended(r *script.Runner, err error) error {
	if e := r.Wait(); err == nil {
		err = e
	}
	if n, open := r.Session.SetIsOpen(); open && err == nil {
		return fmt.Errorf("the text ends in a statement set: its %d inserts did not run; END runs them", n)
	}
	return err
}

func newRun() *cobra.Command {
	f, from, saved := &sqlFlags{format: "table"}, &restoreFlags{}, &savepointFlags{}
	c := &cobra.Command{
		Use:   "run FILE...",
		Short: "run scripts of DDL and INSERTs and wait for all of them",
		Example: `  streamsql run pipeline.sql
  streamsql run pipeline.sql -v DAY=2026-11-30 -X parallelism.default=2
  streamsql run pipeline.sql -X execution.checkpointing.dir=state -X execution.checkpointing.interval=1s --restore
  streamsql run pipeline.sql --savepoint-dir saved                  SIGTERM stops it with a savepoint
  streamsql run pipeline.sql --from-savepoint saved/savepoint-1f0c2a-9be2c1d43f50`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("run needs the file of a script; - is standard input")
			}
			return nil
		},
	}
	f.add(c)
	from.add(c)
	saved.add(c)
	tasks := c.Flags().Bool("task-report", false,
		"show how each task spent its time, the bottleneck, and what went between the tasks, at the end of each INSERT")
	c.RunE = func(c *cobra.Command, args []string) error {
		r, err := f.runner(c.OutOrStdout(), c.ErrOrStderr())
		if err != nil {
			return err
		}
		if err := from.check("", true); err != nil {
			return err
		}
		r.Restore, r.From = from.restore, from.from
		if err := saved.apply(r, from); err != nil {
			return err
		}
		if *tasks {
			r.Ended = func(name string, s exec.Stats) {
				var b bytes.Buffer // one write, so that reports of jobs do not mix
				_ = bench.WriteJob(&b, name, s)
				_, _ = r.Err.Write(b.Bytes())
			}
		}
		ctx, cancel := f.context(c.Context())
		defer cancel()
		defer onTerminate(ctx, func() bool { return r.Stop(ctx) })()
		return ended(r, runFiles(ctx, r, args, c.InOrStdin()))
	}
	return c
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%s takes no argument '%s'%s; %ssee '%s --help'", c.Name(), args[0], textBehind(args[0]), nearCommand(c, args[0]),
		c.CommandPath())
}

func (f *sqlFlags) context(parent context.Context) (context.Context, context.CancelFunc) {
	if f.timeout <= 0 {
		return parent, func() {}
	}
	return context.WithTimeout(parent, f.timeout)
}

// runner makes a session with the settings of the flags.
func (f *sqlFlags) runner(out, errs io.Writer) (*script.Runner, error) {
	if !slices.Contains(render.Formats, f.format) {
		return nil, usagef("unknown format '%s': one of %s", f.format, strings.Join(render.Formats, ", "))
	}
	s := newSession()
	if err := applySettings(s, f.settings); err != nil {
		return nil, err
	}
	vars, err := pairs(f.vars, "-v")
	if err != nil {
		return nil, err
	}
	lookup := func(name string) (string, bool) {
		if v, ok := vars[name]; ok {
			return v, true
		}
		return os.LookupEnv(name)
	}
	return &script.Runner{Session: s, Out: out, Err: errs, Quiet: f.quiet, Verbose: f.verbose, Lookup: lookup,
		Result: render.Options{Format: f.format, Limit: f.limit}}, nil
}

func newSession() *planner.Session {
	return planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
}

// applySettings sets what -X gives. It is stricter than SET: an unknown key is an error.
func applySettings(s *planner.Session, list []string) error {
	set, err := pairs(list, "-X")
	if err != nil {
		return err
	}
	for k, v := range set {
		warning, err := s.Set(k, v)
		if err == nil && warning != "" {
			err = usagef("%s", warning)
		}
		if err != nil {
			return usagef("-X %s=%s: %v", k, v, err)
		}
	}
	return nil
}

// pairs splits key=value arguments.
func pairs(list []string, flag string) (map[string]string, error) {
	out := map[string]string{}
	for _, kv := range list {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return nil, usagef("%s takes key=value, not '%s'", flag, kv)
		}
		out[strings.TrimSpace(k)] = v
	}
	return out, nil
}

// runFiles runs scripts one after the other: a file as a whole, standard input as it comes.
func runFiles(ctx context.Context, r *script.Runner, files []string, in io.Reader) error {
	for _, name := range files {
		var err error
		if name == "-" {
			filesystem.ClaimStandardInput("holds the script")
			err = r.Stream(ctx, in, "stdin")
		} else {
			err = runFile(ctx, r, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func runFile(ctx context.Context, r *script.Runner, name string) error {
	text, err := textOfFile(name)
	if err != nil {
		return err
	}
	return r.Run(ctx, text, name)
}
