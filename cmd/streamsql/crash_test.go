package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"streamsql/queries"
)

// program is a run of this program, in a process of its own.
func program(t *testing.T, args ...string) (c *exec.Cmd, out, errs *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, out, errs = exec.Command(self, args...), &bytes.Buffer{}, &bytes.Buffer{}
	c.Args[0] = "streamsql" // which TestMain goes by
	c.Stdout, c.Stderr = out, errs
	// Under the race detector a program sleeps for a second before it ends, when it hears signals no more.
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return c, out, errs
}

// killsPerShape is how often a job is killed in the mean before it may come to its end.
const killsPerShape = 3

// killShapes are queries that keep something in every way there is, and how they are run: first what is special, then
// each query at one or two subtasks.
func killShapes() (out [][]string) {
	special := [][]string{
		{"q17", "--parallelism", "2", "--transport", "tcp", "--split", "upstream"},
		{"q16", "--parallelism", "1", "-X", "streamsql.batch-size=7"}, {"q9k", "--parallelism", "4", "--pushdown", "off"},
		{"q20", "--parallelism", "2", "--transport", "tls"},
		{"cep0", "--parallelism", "1"}, {"cep2", "--parallelism", "1"}, {"cep3", "--parallelism", "1"},
	}
	for i, q := range []string{"q3", "q4", "q5", "q6beam", "q7", "q8", "q9k", "q11", "q12e", "q13", "q15", "q16", "q17", "q18k", "q19k", "q20", "q23"} {
		special = append(special, []string{q, "--parallelism", strconv.Itoa(1 + i%2)})
	}
	for _, shape := range special {
		if slices.Contains(queries.List(), shape[0]) {
			out = append(out, shape)
		}
	}
	return out
}

// TestKilled kills jobs with SIGKILL at random moments and starts them again until they come to their end:
// the digest is that of a run that was left alone. A finished one gives it once more.
func TestKilled(t *testing.T) {
	p := newProgress(t, 3)
	r := rand.New(rand.NewPCG(*soakSeed, 1))
	shapes := killShapes()
	r.Shuffle(len(shapes), func(a, b int) { shapes[a], shapes[b] = shapes[b], shapes[a] })
	restored := 0
	for i := 0; p.more(); i++ {
		shape := shapes[i%len(shapes)]
		args := append([]string{"nexmark", "run"}, shape...)
		args = append(args, "--events", "20K", "--digest", "--with", "first-event.rate=40000", "--with", "next-event.rate=40000")
		c, want, errs := program(t, args...)
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, errs)
		}
		dir := t.TempDir()
		args = append(args, "--with", "max-emit-speed=false", "--checkpoint-dir", dir, "--checkpoint-interval", "10ms", "--restore")
		for left := 1 + r.IntN(2*killsPerShape); ; left-- {
			c, got, errs := program(t, args...)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			if p.left > 0 && left > 0 && kill(t, c, r, filepath.Join(dir, shape[0]), r.IntN(3) > 0 || restored == 0) {
				if p.left--; len(checkpoints(dir, shape[0])) > 0 {
					restored++
				}
				continue
			}
			if err := c.Wait(); c.ProcessState.ExitCode() != 0 {
				t.Fatalf("%v: %v\n%s", args, err, errs)
			}
			if got.String() != want.String() {
				t.Fatalf("%v:\n%swant\n%s%s", args, got, want, errs)
			}
			break
		}
		c, got, errs := program(t, args...)
		if err := c.Run(); err != nil || got.String() != want.String() {
			t.Fatalf("%v, finished: %v\n%swant\n%s%s", args, err, got, want, errs)
		}
	}
	if restored == 0 {
		t.Error("no job was killed that had a checkpoint")
	}
}

// kill kills a process after a while, or a while after its next checkpoint. It is false if the process ended
// first.
func kill(t *testing.T, c *exec.Cmd, r *rand.Rand, dir string, later bool) bool {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	wait := time.Duration(r.IntN(150)) * time.Millisecond
	if later {
		wait = time.Duration(r.IntN(40)) * time.Millisecond
		before := checkpoints(filepath.Split(dir))
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if now := checkpoints(filepath.Split(dir)); len(now) > 0 && now != before {
				break
			}
			select {
			case <-ended:
				return false
			default:
			}
		}
	}
	select {
	case <-ended:
		return false
	case <-time.After(wait):
	}
	if err := c.Process.Kill(); err != nil {
		<-ended
		return false
	}
	<-ended
	return true
}

// checkpoints is the names of the checkpoints in a directory.
func checkpoints(dir, query string) string {
	names, _ := filepath.Glob(filepath.Join(dir, query, "chk-*"))
	for i, n := range names {
		number, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(n), "chk-"))
		names[i] = strconv.Itoa(number)
	}
	return strings.Join(names, " ")
}
