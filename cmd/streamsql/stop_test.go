package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const stoppable = `
CREATE TABLE counts (bidder BIGINT, start_time TIMESTAMP(3), n BIGINT) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
SET 'parallelism.default' = '%d';
SET 'pipeline.max-parallelism' = '128';
SET 'streamsql.transport' = '%s';
INSERT INTO counts SELECT bidder, window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE nexmark.bid /*+ OPTIONS('events.num' = '20000', 'max-emit-speed' = '%t', 'first-event.rate' = '30000') */,
    DESCRIPTOR(dateTime), INTERVAL '0.1' SECOND)) GROUP BY bidder, window_start, window_end;
`

// TestStopped stops a script with SIGTERM at random moments and goes on from its savepoints, at other parallelisms and
// over other transports, until it comes to its end: the files hold what those of a run hold that was left alone.
func TestStopped(t *testing.T) {
	t.Logf("-args -seed %d", *soakSeed)
	r := rand.New(rand.NewPCG(*soakSeed, 2))
	dir := t.TempDir()
	script := func(out string, parallelism int, transport string, fast bool) string {
		name := filepath.Join(dir, "script.sql")
		text := fmt.Appendf(nil, stoppable, filepath.Join(dir, out), parallelism, transport, fast)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	c, _, errs := program(t, "run", script("want", 1, "local", true))
	if err := c.Run(); err != nil {
		t.Fatal(err, errs)
	}
	want := lines(t, filepath.Join(dir, "want"))
	from, stops := "", 0
	for i := 0; ; i++ {
		transport := []string{"local", "tls", "tcp"}[i%3]
		args := []string{"run", script("got", 1+i%3, transport, false), "--savepoint-dir", filepath.Join(dir, "saved")}
		if from != "" {
			args = append(args, "--from-savepoint", from)
		}
		c, _, errs := program(t, args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		alive := time.Duration(100+20*i+r.IntN(150)) * time.Millisecond // longer each time, so that it comes to an end anywhere
		timer := time.AfterFunc(alive, func() { _ = c.Process.Signal(syscall.SIGTERM) })
		err := c.Wait()
		timer.Stop()
		// It may not have come to a job, or not even to hear signals.
		if err != nil && c.ProcessState.ExitCode() != exitBroken && !c.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
			t.Fatalf("%v\n%s", err, errs)
		}
		_, path, stopped := strings.Cut(errs.String(), "stopped insert-1 with savepoint ")
		if stopped {
			from, stops = strings.TrimSpace(path), stops+1
			continue
		}
		if err == nil {
			break
		}
	}
	t.Logf("%d stops", stops)
	if got := lines(t, filepath.Join(dir, "got")); !slices.Equal(got, want) || stops == 0 {
		t.Fatalf("%d lines after %d stops, %d if left alone", len(got), stops, len(want))
	}
}

// lines are the lines of the visible files in a directory, sorted.
func lines(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")...)
	}
	slices.Sort(out)
	return out
}
