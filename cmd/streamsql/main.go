// Command streamsql runs Flink-dialect streaming SQL on one machine: scripts, queries, plans and the
// Nexmark benchmark. It is the only place that reads flags and prints.
//
// It does not know how statements are parsed, planned or run.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"streamsql/cmd/streamsql/script"
	"streamsql/cmd/streamsql/shell"
	"streamsql/exec/option"
)

// The exit codes, the same for every command.
const (
	exitOK       = 0
	exitFailed   = 1   // an SQL or run-time error
	exitUsage    = 2   // wrong flags, keys or file names
	exitMismatch = 4   // a verification failed
	exitTimeout  = 124 // --timeout ran out
	exitBroken   = 130 // Ctrl-C
)

// usageError is a mistake in the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exitError carries the code to end with; what there was to say has been said.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// errInterrupted is the cause of a context that Ctrl-C ended.
var errInterrupted = errors.New("interrupted")

func main() {
	if shell.Guardian(os.Args) {
		return
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program as a function of its arguments and streams.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	signal.Ignore(syscall.SIGPIPE)
	tuneMemory()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	t := &termination{}
	stop := onInterrupt(cancel, t, !slices.Contains(args, "--child"))
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	return exitCode(root.ExecuteContext(context.WithValue(ctx, terminationKey{}, t)), errs)
}

// stopGrace is how long a command may take to end after Ctrl-C: what does not listen is ended.
const stopGrace = time.Second

// termination is what a command does when it is asked to end in good order; it stands in its context.
type termination struct {
	mu   sync.Mutex
	stop func() bool
	// interrupt is Ctrl-C; true when the command goes on.
	interrupt func() bool
	// exit is what is to be done whatever ends the program.
	exit func()
}

type terminationKey struct{}

// onTerminate sets what SIGTERM does until the result is called. When stop is false, there being nothing to put in
// order, SIGTERM is what Ctrl-C is.
func onTerminate(ctx context.Context, stop func() bool) (reset func()) {
	return change(ctx, func(t *termination, on bool) {
		if t.stop = nil; on {
			t.stop = stop
		}
	})
}

// onInterruptDo sets what Ctrl-C does until the result is called. When it is false Ctrl-C ends the command.
func onInterruptDo(ctx context.Context, interrupt func() bool) (reset func()) {
	return change(ctx, func(t *termination, on bool) {
		if t.interrupt = nil; on {
			t.interrupt = interrupt
		}
	})
}

// atExit sets what is done where the program ends without the command's doing, until the result is called.
func atExit(ctx context.Context, exit func()) (reset func()) {
	return change(ctx, func(t *termination, on bool) {
		if t.exit = nil; on {
			t.exit = exit
		}
	})
}

func change(ctx context.Context, f func(t *termination, on bool)) (reset func()) {
	t, ok := ctx.Value(terminationKey{}).(*termination)
	if !ok {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f(t, true)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		f(t, false)
	}
}

// interrupted is Ctrl-C; true when the command goes on.
func (t *termination) interrupted() bool {
	t.mu.Lock()
	f := t.interrupt
	t.mu.Unlock()
	return f != nil && f()
}

// end ends the program at once.
func (t *termination) end() {
	t.mu.Lock()
	f := t.exit
	t.mu.Unlock()
	if f != nil {
		f()
	}
	os.Exit(exitBroken)
}

func (t *termination) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stop != nil && t.stop()
}

// sameSignal is how soon a signal that comes again is the same one: timeout(1) sends it to the program and to its group.
const sameSignal = 50 * time.Millisecond

// onInterrupt cancels at the first Ctrl-C and, with force, ends the process at the second. A child gets one
// from the terminal and one from its parent: to it they are the same. The first SIGTERM, or SIGHUP of a terminal that is
// gone, ends the command in good order if it can.
func onInterrupt(cancel context.CancelCauseFunc, t *termination, force bool) (stop func()) {
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go func() {
		asked := false
		var was os.Signal
		var at time.Time
		for n := 0; ; n++ {
			var s os.Signal
			select {
			case <-done:
				return
			case s = <-c:
			}
			if s == was && time.Since(at) < sameSignal {
				n--
				continue
			}
			was, at = s, time.Now()
			if s == os.Interrupt && t.interrupted() {
				n = -1
				continue
			}
			if s != os.Interrupt && !asked && n == 0 && t.begin() {
				asked, n = true, -1
				continue
			}
			if n > 0 && force {
				t.end()
			}
			cancel(errInterrupted)
			time.AfterFunc(stopGrace, t.end)
		}
	}()
	return func() {
		signal.Stop(c)
		close(done)
	}
}

// exitCode prints an error, unless it was printed, and gives its code. A reader that closed the pipe is
// no error.
func exitCode(err error, errs io.Writer) int {
	var exit exitError
	var usage usageError
	var failed *script.Error
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.Is(err, errInterrupted):
		fmt.Fprintln(errs, "stopped")
		return exitBroken
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintln(errs, "error: the time given with --timeout is over")
		return exitTimeout
	case errors.As(err, &failed):
		io.WriteString(errs, failed.Text)
		return exitFailed
	case errors.As(err, &usage):
		fmt.Fprintf(errs, "error: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(errs, "error: %v\n", err)
	return exitFailed
}

func newRoot() *cobra.Command {
	c := &cobra.Command{
		Use:   "streamsql",
		Short: "Flink-dialect streaming SQL on one machine",
		Long: `streamsql runs Flink-dialect streaming SQL on one machine.

Without a command it is the shell: streamsql -c "SELECT 1" is streamsql sql -c "SELECT 1".
Rows go to standard output, everything else to standard error.
Exit codes: 0 ok, 1 SQL or run-time error, 2 usage, 4 verification failed, 124 timeout, 130 Ctrl-C.`,
		Example: `  streamsql nexmark run                       all queries, answers verified
  streamsql sql -c "SELECT auction, price FROM nexmark.bid" --limit 5
  streamsql run pipeline.sql                  a script of DDL and INSERTs
  streamsql explain -c "SELECT * FROM nexmark.bid WHERE price > 1000"`,
		SilenceErrors: true, SilenceUsage: true,
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v%s\nsee '%s --help'", err, nearFlag(c, err), c.CommandPath())
	})
	c.SetHelpTemplate(helpTemplate)
	c.SetUsageTemplate(usageTemplate)
	c.SetHelpCommand(newHelp())
	sql := newSQL()
	c.Args = func(c *cobra.Command, args []string) error { // behind the flags: what stands behind an unknown one may be its value
		if len(args) == 0 {
			return nil
		}
		return noCommand(c, args)
	}
	c.RunE = sql.RunE                          // without a command, a session: streamsql -c is streamsql sql -c
	sql.Flags().VisitAll(func(f *pflag.Flag) { // told by its own --help
		hidden := *f
		hidden.Hidden = true
		c.Flags().AddFlag(&hidden)
	})
	c.AddCommand(sql, newRun(), newExplain(), newTranslate(), newLint(), newNexmark(), newBench())
	c.AddCommand(referenceCommands()...)
	c.AddCommand(newDoctor(), newCompletion(), newMan(), newVersion())
	return c
}

// nearCommand names the command that was meant, if one is like the word.
func nearCommand(c *cobra.Command, word string) string {
	var names []string
	for _, x := range c.Commands() {
		names = append(names, x.Name())
	}
	if near := option.Nearest(word, names); near != "" {
		return "did you mean '" + near + "'?  "
	}
	return ""
}

// nearFlag names the flag that was meant by one that there is not, if one is like it.
func nearFlag(c *cobra.Command, err error) string {
	var e *pflag.NotExistError
	if !errors.As(err, &e) {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := option.Nearest(e.GetSpecifiedName(), names); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}

// helpTemplate shows examples first.
const helpTemplate = `{{if .HasExample}}Examples:
{{.Example}}

{{end}}{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}

{{end}}{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}`

// usageTemplate is what stands below the text of --help.
const usageTemplate = `Usage:
{{- if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
`
