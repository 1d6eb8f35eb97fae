package main

import (
	"bufio"
	"io"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStandardInput gives the program one statement after the other, each when the one before has been answered.
func TestStandardInput(t *testing.T) {
	c, _, _ := program(t, "sql", "--format", "csv")
	c.Stdout, c.Stderr = nil, nil
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(60*time.Second, func() { _ = c.Process.Kill() })
	defer timer.Stop()
	rows, notes := bufio.NewScanner(out), bufio.NewScanner(errs)
	say := func(text string) {
		t.Helper()
		if _, err := io.WriteString(in, text); err != nil {
			t.Fatal(err)
		}
	}
	hear := func(s *bufio.Scanner, pattern string) []string {
		t.Helper()
		for s.Scan() {
			if m := regexp.MustCompile(pattern).FindStringSubmatch(s.Text()); m != nil {
				return m
			}
		}
		t.Fatalf("the program ended without %q", pattern)
		return nil
	}
	say("SELECT 'one' AS x; SELECT '")
	hear(rows, "^one$")
	say("two;' AS x;\n")
	hear(rows, "^two;$")
	say("SET 'table.dml-sync' = 'false'; SET 'execution.checkpointing.savepoint-dir' = '" + t.TempDir() + "';" +
		"CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '500');" +
		"CREATE TABLE b (a BIGINT) WITH ('connector' = 'blackhole'); INSERT INTO b SELECT a FROM n;")
	id := hear(notes, "^job '([0-9a-f]{16})' runs in the background: insert-into_b$")[1]
	say("SHOW JOBS;")
	hear(rows, "^"+id+",insert-into_b,RUNNING,")
	say("STOP JOB '" + id + "' WITH SAVEPOINT;")
	hear(rows, "/savepoint-")
	say("SHOW JOBS;")
	hear(rows, "^"+id+",insert-into_b,FINISHED,")
	say("SELECT 'last' AS x")
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	hear(rows, "^last$")
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// TestStandardInputSignals: SIGTERM and Ctrl-C end the program while it waits for a statement, SIGTERM with savepoints
// of what runs where they have a place.
func TestStandardInputSignals(t *testing.T) {
	jobs := "SET 'table.dml-sync' = 'false'; CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '500');" +
		"CREATE TABLE b (a BIGINT) WITH ('connector' = 'blackhole'); INSERT INTO b SELECT a FROM n; SELECT 'ready' AS x;"
	saved := "SET 'execution.checkpointing.savepoint-dir' = '" + t.TempDir() + "';"
	for _, x := range []struct {
		text   string
		signal syscall.Signal
		code   int
		note   string
	}{
		{"SELECT 'ready' AS x; SELECT", syscall.SIGTERM, exitBroken, "stopped\n"},
		{jobs, syscall.SIGINT, exitBroken, "stopped\n"},
		{jobs, syscall.SIGTERM, exitBroken, "stopped\n"},
		{saved + jobs, syscall.SIGTERM, exitOK, "stopped insert-1 with savepoint "},
	} {
		c, _, errs := program(t, "sql", "-f", "-", "--format", "csv")
		c.Stdout = nil
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, x.text); err != nil {
			t.Fatal(err)
		}
		for s := bufio.NewScanner(out); s.Scan() && s.Text() != "ready"; {
		}
		if err := c.Process.Signal(x.signal); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // its code says more
		if code := c.ProcessState.ExitCode(); code != x.code || !strings.Contains(errs.String(), x.note) {
			t.Errorf("%v after %q: exit code %d, want %d\n%s", x.signal, x.text, code, x.code, errs)
		}
	}
}

// TestSignalTwice: a Ctrl-C that the program gets once and once more with its group, as timeout(1) sends it, does not keep it
// from writing what a query has so far.
func TestSignalTwice(t *testing.T) {
	var out string
	for _, after := range []time.Duration{200 * time.Millisecond, time.Second, 5 * time.Second} { // a busy machine begins late
		c, rows, errs := program(t, "-c", "SELECT MOD(auction, 3) AS m, COUNT(*) AS n FROM nexmark.bid GROUP BY MOD(auction, 3)", "--format", "csv")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after)
		for range 2 {
			if err := c.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		_ = c.Wait() // its code says more
		if out = rows.String(); c.ProcessState.ExitCode() != exitBroken {
			t.Fatalf("exit code %d, want %d\n%s", c.ProcessState.ExitCode(), exitBroken, errs)
		}
		if strings.Count(out, "\n") == 4 {
			return
		}
	}
	t.Errorf("the rows are\n%s", out)
}
