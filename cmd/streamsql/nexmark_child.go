package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors/print"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/planner"
)

// reportFD is where a child process writes its run.
const reportFD = 3

// childGrace is how long an interrupted child may take to report what it counted.
const childGrace = stopGrace - 100*time.Millisecond

// asChild measures one query and writes the run for the parent.
func (f *nexmarkFlags) asChild(c *cobra.Command, q string) error {
	run := f.measure(c.Context(), q, c.OutOrStdout(), c.ErrOrStderr())
	w := os.NewFile(reportFD, "report")
	if w == nil {
		return usagef("--child is for the program itself")
	}
	defer w.Close()
	return json.NewEncoder(w).Encode(run)
}

// inChild measures one query in a fresh process of this binary.
func (f *nexmarkFlags) inChild(c *cobra.Command, q string) bench.Run {
	failed := func(err error) bench.Run { return bench.Run{ID: q, Error: err.Error()} }
	self, err := os.Executable()
	if err != nil {
		return failed(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return failed(err)
	}
	defer r.Close()
	child := exec.CommandContext(c.Context(), self, f.childArgs(q)...)
	child.ExtraFiles = []*os.File{w}
	var stderr bytes.Buffer
	child.Stdout, child.Stderr = c.OutOrStdout(), io.MultiWriter(&stderr)
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = childGrace
	if err := child.Start(); err != nil {
		w.Close()
		return failed(err)
	}
	w.Close()
	text, readErr := io.ReadAll(r)
	waitErr := child.Wait()
	var run bench.Run
	if err := json.Unmarshal(text, &run); err != nil {
		return failed(errors.Join(fmt.Errorf("%s", strings.TrimSpace(stderr.String())), waitErr, readErr))
	}
	io.Copy(c.ErrOrStderr(), &stderr)
	return run
}

// childArgs are the arguments that measure q alone with the same settings.
func (f *nexmarkFlags) childArgs(q string) []string {
	args := []string{"nexmark", "run", q, "--child", "--events", f.events, "--parallelism", strconv.Itoa(f.parallelism),
		"--rng", f.rng, "--split", f.split, "--pushdown", f.pushDown, "--sink", f.sink, "--transport", f.transport,
		"--verify=" + strconv.FormatBool(f.verify), "--digest=" + strconv.FormatBool(f.digest),
		"--state-report=" + strconv.FormatBool(f.state), "--task-report=" + strconv.FormatBool(f.tasks)}
	if f.out != "" {
		args = append(args, "--out-dir", f.out)
	}
	if f.checkpoints != "" {
		args = append(args, "--checkpoint-dir", f.checkpoints, "--checkpoint-interval", f.interval.String(),
			"--restore="+strconv.FormatBool(f.restore), "--restore-from="+f.name)
	}
	for _, w := range f.with {
		args = append(args, "--with", w)
	}
	for _, x := range f.settings {
		args = append(args, "-X", x)
	}
	return args
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

// openPrint makes a writer of the connector print for any sink.
func openPrint(s *graph.Sink, c *connector.Context) (connector.Writer, error) {
	options := print.Definition.Options()
	sink, err := print.Definition.Sink(&connector.Table{Name: s.Table, Columns: s.Columns, Options: options, Env: c.Env})
	if err != nil {
		return nil, err
	}
	return sink.Open(c)
}
