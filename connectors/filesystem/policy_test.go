package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// program writes a program of the shell.
func program(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "commit.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil { //nolint:gosec // it is to be run
		t.Fatal(err)
	}
	return path
}

// hintOf is what the user is told to do about an error.
func hintOf(err error) string {
	var e *connector.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Hint
}

// TestCommitByCommand: the policies of the list are done in its order, and the program learns which partition it is.
func TestCommitByCommand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	s := newStream(t, dir, map[string]string{"sink.partition-commit.policy.kind": "success-file, custom",
		"sink.partition-commit.policy.class":            program(t, `ls "$3" > "$3/_SEEN"; echo "$1+$2 $STREAMSQL_TABLE $STREAMSQL_PARTITION" > "$3/_TOLD"`),
		"sink.partition-commit.policy.class.parameters": "a b;$c"})
	s.write("x/1:1")
	s.checkpoint()
	s.want("committed", "dt=x%2F1 _SEEN; dt=x%2F1 _SUCCESS; dt=x%2F1 _TOLD; dt=x%2F1: 1")
	seen, _ := os.ReadFile(filepath.Join(dir, "dt=x%2F1", "_SEEN"))
	told, _ := os.ReadFile(filepath.Join(dir, "dt=x%2F1", "_TOLD"))
	if !strings.Contains(string(seen), "_SUCCESS") || string(told) != "a b+$c t dt=x%2F1\n" {
		t.Errorf("it saw %q and was told %q", seen, told)
	}
}

// TestCommitBySlowCommand: a program that takes too long is ended, also one that waits for another, and the error names the option.
func TestCommitBySlowCommand(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.partition-commit.policy.kind": "custom",
		"sink.partition-commit.policy.class":         program(t, "echo waiting; sleep 20; echo done"),
		"sink.partition-commit.policy.class.timeout": "200 ms"})
	s.write("x:1")
	s.prepare()
	began := time.Now()
	err := committer{s.sink, time.Now}.Commit(s.epoch, s.last, types.MinTime)
	if err == nil || !strings.Contains(err.Error(), "'sink.partition-commit.policy.class.timeout'") || !strings.Contains(err.Error(), "waiting") {
		t.Errorf("the error is %v", err)
	}
	if h := hintOf(err); h != "'sink.partition-commit.policy.class.timeout' lets it take longer" {
		t.Errorf("the hint is %q", h)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestCommitByFailingCommand: the error names the partition and the program, and has what it wrote; the next try does
// it again.
func TestCommitByFailingCommand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	command := program(t, `if test -e "$1/_TRIED"; then : > "$1/_DONE"; else : > "$1/_TRIED"; echo went wrong; exit 3; fi`)
	s := newStream(t, dir, map[string]string{"sink.partition-commit.policy.kind": "custom", "sink.partition-commit.policy.class": command})
	s.write("x:1")
	s.prepare()
	err := committer{s.sink, time.Now}.Commit(s.epoch, s.last, types.MinTime)
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{"filesystem: commit the partition dt=x: ", command, "exit status 3", "went wrong"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not tell of %q", err, part)
		}
	}
	if h := hintOf(err); !strings.Contains(h, "'sink.partition-commit.policy.class'") || !strings.Contains(h, "the job can go on") {
		t.Errorf("the hint is %q", h)
	}
	s.crash("job1")
	s.want("again", "dt=x _DONE; dt=x _TRIED; dt=x: 1")
}
