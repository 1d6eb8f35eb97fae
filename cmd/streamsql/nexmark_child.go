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
	"github.com/spf13/pflag"

	"streamsql/cmd/streamsql/bench"
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
	child := exec.CommandContext(c.Context(), self, f.childArgs(c.Flags(), q)...)
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

// ofParent are the flags about all runs together, or about a process that makes one.
var ofParent = []string{"runs", "format", "verify", "cpuprofile", "child"}

// childArgs are the arguments that measure q alone as the flags say.
func (f *nexmarkFlags) childArgs(given *pflag.FlagSet, q string) []string {
	args := []string{"nexmark", "run", q, "--child", "--verify=" + strconv.FormatBool(f.verify)} // whose default goes by the others
	given.Visit(func(x *pflag.Flag) {
		if slices.Contains(ofParent, x.Name) {
			return
		}
		values := []string{x.Value.String()}
		if list, ok := x.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			args = append(args, "--"+x.Name+"="+v)
		}
	})
	return args
}
