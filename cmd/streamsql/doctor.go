package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/shell"
	"streamsql/connectors"
	"streamsql/exec/option"
	"streamsql/planner"
)

// finding is one thing that doctor looked at.
type finding struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Problem says what is wrong and what would mend it; empty where nothing is.
	Problem string `json:"problem,omitempty"`
}

// diagnosis is the document of `doctor --json`.
type diagnosis struct {
	Version  versionInfo `json:"version"`
	Findings []finding   `json:"findings"`
	Problems int         `json:"problems"`
}

func newDoctor() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "doctor",
		Short:   "look at the machine: limits, directories, clock, versions",
		Example: "  streamsql doctor\n  streamsql doctor --json",
		Long: `Looks at what a job needs of the machine, and plans a small query. The exit code is 1 when something is in the way. The
JSON document belongs into a report of a fault.`,
		Args: noArgs,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	c.RunE = func(c *cobra.Command, _ []string) error {
		d := diagnosis{Version: buildVersion(), Findings: examine()}
		for _, f := range d.Findings {
			if f.Problem != "" {
				d.Problems++
			}
		}
		if err := d.write(c.OutOrStdout(), asJSON); err != nil {
			return err
		}
		if d.Problems > 0 {
			return exitError{exitFailed}
		}
		return nil
	}
	return c
}

func (d *diagnosis) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, d)
	}
	v := d.Version
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %s (%s, %s, %s/%s)\n", "streamsql", v.Version, v.Commit, v.Go, v.OS, v.Arch)
	for _, f := range d.Findings {
		fmt.Fprintf(&b, "%-16s %s\n", f.Name, f.Value)
		if f.Problem != "" {
			fmt.Fprintf(&b, "%-16s ! %s\n", "", f.Problem)
		}
	}
	if d.Problems == 0 {
		b.WriteString("\nnothing is in the way\n")
	} else {
		fmt.Fprintf(&b, "\n%d problems\n", d.Problems)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func examine() []finding {
	list := []finding{processors(), memoryFound(), openFiles(), clock(), zone(), query()}
	list = append(list, directory("current dir", "."), directory("temporary dir", os.TempDir()))
	list = append(list, historyDir())
	names := make([]string, 0, 8)
	for _, d := range connectors.All() {
		names = append(names, d.Name)
	}
	list = append(list, finding{Name: "connectors", Value: strings.Join(names, ", ")})
	for _, k := range []string{"GOMEMLIMIT", "GOGC", "GOMAXPROCS", "NO_COLOR", "TERM", "STREAMSQL_RC", "STREAMSQL_HISTORY"} {
		if v, ok := os.LookupEnv(k); ok {
			list = append(list, finding{Name: k, Value: strconv.Quote(v)})
		}
	}
	return list
}

func processors() finding {
	return finding{Name: "processors", Value: fmt.Sprintf("%d, of which %d are used at once", runtime.NumCPU(), runtime.GOMAXPROCS(0))}
}

// leastMemory is what a job with small state needs.
const leastMemory = 128 << 20

func memoryFound() finding {
	n := memory()
	if n == math.MaxInt64 {
		return finding{Name: "memory", Value: "unknown: the system does not tell"}
	}
	f := finding{Name: "memory", Value: fmt.Sprintf("%d MiB", n>>20)}
	if n < leastMemory {
		f.Problem = fmt.Sprintf("a job needs %d MiB at least", leastMemory>>20)
	}
	return f
}

// leastFiles are the files that a sink of partitions holds open, with those of the program.
const leastFiles = 256

func openFiles() finding {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return finding{Name: "open files", Value: "unknown: " + err.Error()}
	}
	f := finding{Name: "open files", Value: fmt.Sprintf("%d, at most %d", r.Cur, r.Max)}
	if uint64(r.Cur) < leastFiles {
		f.Problem = fmt.Sprintf("fewer than %d: 'ulimit -n %d', or a smaller 'sink.open-files'", leastFiles, leastFiles)
	}
	return f
}

// clock measures the smallest step of the clock, and that it goes forward.
func clock() finding {
	now := time.Now()
	f := finding{Name: "clock", Value: now.UTC().Format(time.RFC3339)}
	if now.Year() < 2024 {
		f.Problem = "the clock is behind this program: files and processing time will have wrong times"
	}
	step := time.Hour
	for range 100 {
		if d := time.Since(now); d > 0 {
			step = min(step, d)
		}
		now = time.Now()
	}
	f.Value += fmt.Sprintf(", steps of %v or less", step)
	if step > 10*time.Millisecond {
		f.Problem = "the clock is too coarse for windows over processing time"
	}
	return f
}

func zone() finding {
	f := finding{Name: "time zones", Value: "known"}
	if _, err := time.LoadLocation("Asia/Kolkata"); err != nil {
		f.Value, f.Problem = "unknown", "'table.local-time-zone' takes UTC alone: install the zone data (tzdata)"
	}
	return f
}

// query has a query planned.
func query() finding {
	began := time.Now()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	if _, err := s.Prepare("SELECT auction, MAX(price) FROM nexmark.bid GROUP BY auction"); err != nil {
		return finding{"a query", "fails", err.Error()}
	}
	return finding{Name: "a query", Value: "planned in " + time.Since(began).Round(time.Millisecond).String()}
}

// historyDir is where the shell remembers statements, unless STREAMSQL_HISTORY is empty, which says nowhere.
func historyDir() finding {
	if path := shell.HistoryPath(); path != "" {
		return directory("history dir", existing(filepath.Dir(path)))
	}
	f := finding{Name: "history dir", Value: "none"}
	if _, given := os.LookupEnv("STREAMSQL_HISTORY"); !given {
		f.Problem = "there is no home directory: the shell keeps no history; set HOME"
	}
	return f
}

// existing is the nearest directory above a path that is there.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

// directory tries to make a file.
func directory(name, path string) finding {
	f := finding{Name: name, Value: path}
	if abs, err := filepath.Abs(path); err == nil {
		f.Value = abs
	}
	file, err := os.CreateTemp(path, ".streamsql-doctor-*")
	if err != nil {
		f.Problem = "cannot be written: " + err.Error()
		return f
	}
	file.Close()
	os.Remove(file.Name())
	f.Value += ", can be written"
	if free, ok := freeSpace(path); ok {
		f.Value += ", " + option.Size(free).String() + " free"
		if free < 100<<20 {
			f.Problem = "less than 100 MiB are free"
		}
	}
	return f
}

// freeSpace is what a file system has for the user, in MiB as bytes, where the system tells.
func freeSpace(path string) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize) &^ (1<<20 - 1), true
}
