package script

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/connectors"
	"streamsql/planner"
)

const tables = `
CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '500');
CREATE TABLE b (a BIGINT) WITH ('connector' = 'blackhole');
SET 'table.dml-sync' = 'false';
INSERT INTO b SELECT a FROM n;
`

func newRunner() (r *Runner, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &Runner{Session: planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now}), Out: out, Err: errs,
		Result: render.Options{Format: "csv"}}, out, errs
}

var jobID = regexp.MustCompile(`job '([0-9a-f]{16})' runs in the background`)

// begun starts a job in the background, and gives its id.
func begun(t *testing.T, r *Runner, errs *bytes.Buffer, settings string) string {
	t.Helper()
	if err := r.Run(t.Context(), settings+tables, "t.sql"); err != nil {
		t.Fatal(err)
	}
	r.out.Lock()
	defer r.out.Unlock()
	m := jobID.FindStringSubmatch(errs.String())
	if m == nil {
		t.Fatal(errs)
	}
	return m[1]
}

func TestJobs(t *testing.T) {
	r, out, errs := newRunner()
	id := begun(t, r, errs, "SET 'pipeline.name' = 'mine';")
	if err := r.Run(t.Context(), "SHOW JOBS; DESCRIBE JOB '"+id+"';", ""); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, id+",mine,RUNNING,20") != 2 {
		t.Error(got)
	}
	for _, refused := range [][2]string{ // in order: the last one sets what the one before lacks
		{"STOP JOB 'x'", "there is no job 'x'"},
		{"STOP JOB ''", "there is no job ''"},
		{"DESCRIBE JOB 'x'", "there is no job 'x'"},
		{"STOP JOB '" + id + "' WITH SAVEPOINT", "there is no directory for savepoints"},
		{"SET 'state.savepoints.dir' = '" + t.TempDir() + "'; STOP JOB '" + id + "' WITH SAVEPOINT", "the job takes no checkpoints"},
	} {
		what, want := refused[0], refused[1]
		r.jobs.mu.Lock()
		cancels := r.jobs.list[0].cancel
		r.jobs.list[0].cancel = func(error) {} // an error ends the jobs of a script
		r.jobs.mu.Unlock()
		if err := r.Run(t.Context(), what, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
		r.jobs.list[0].cancel = cancels
	}
	if err := r.Run(t.Context(), "STOP JOB '"+id+"'; SHOW JOBS;", ""); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, id+",mine,CANCELED") {
		t.Error(got)
	}
	if err := r.Run(t.Context(), "STOP JOB '"+id+"'", ""); err == nil || !strings.Contains(err.Error(), "has ended: it is CANCELED") {
		t.Error(err)
	}
	if err := r.Wait(); err != nil {
		t.Error(err)
	}
}

// TestJobEnds: a job in the background tells first that it runs, then of its end and its rows.
func TestJobEnds(t *testing.T) {
	r, _, errs := newRunner()
	script := strings.Replace(tables, "'500'", "'500', 'number-of-rows' = '7'", 1)
	if err := r.Run(t.Context(), script, ""); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(); err != nil {
		t.Fatal(err)
	}
	id := jobID.FindStringSubmatch(errs.String())
	if id == nil || !strings.HasSuffix(errs.String(), id[0]+": insert-into_b\njob '"+id[1]+"' is finished: 7 rows written\n") {
		t.Error(errs)
	}
}

// TestStopJob stops jobs with savepoints, and goes on from one by a setting.
func TestStopJob(t *testing.T) {
	for _, drain := range []string{"", " WITH DRAIN"} {
		dir := t.TempDir()
		r, out, errs := newRunner()
		id := begun(t, r, errs, "SET 'execution.checkpointing.savepoint-dir' = '"+dir+"';")
		if err := r.Run(t.Context(), "STOP JOB '"+id+"' WITH SAVEPOINT"+drain+"; SHOW JOBS;", ""); err != nil {
			t.Fatal(err)
		}
		path := regexp.MustCompile(`(?m)^savepoint path\n(.*/savepoint-.*)$`).FindStringSubmatch(out.String())
		if path == nil || !strings.HasPrefix(path[1], dir) || !strings.Contains(out.String(), id+",insert-into_b,FINISHED") {
			t.Fatal(out)
		}
		if err := r.Wait(); err != nil {
			t.Error(err)
		}
		r, _, errs = newRunner()
		id = begun(t, r, errs, "SET 'execution.savepoint.path' = '"+path[1]+"';")
		if drain == "" {
			if err := r.Run(t.Context(), "STOP JOB '"+id+"'", ""); err != nil {
				t.Error(err)
			}
		}
		if err := r.Wait(); err != nil { // a drained one has nothing to do
			t.Error(err)
		}
	}
}

// TestStopCut: a script that is stopped between its statements, with no savepoint to go on from, says that the rest did not run.
func TestStopCut(t *testing.T) {
	r, _, _ := newRunner()
	r.jobs.stopping = true
	if err := r.Run(t.Context(), "SELECT 1", ""); !errors.Is(err, errCut) {
		t.Error(err)
	}
	r.jobs.saved.Add(1)
	if err := r.Run(t.Context(), "SELECT 1", ""); err != nil {
		t.Error(err)
	}
}

// TestStop ends everything with savepoints, which belong to their INSERTs.
func TestStop(t *testing.T) {
	r, _, errs := newRunner()
	if r.Stop(t.Context()) {
		t.Error("nothing was stopped")
	}
	begun(t, r, errs, "SET 'execution.checkpointing.savepoint-dir' = '"+t.TempDir()+"';")
	if err := r.Run(t.Context(), "INSERT INTO b SELECT a + 1 FROM n", ""); err != nil {
		t.Fatal(err)
	}
	if !r.Stop(context.Background()) {
		t.Fatal("nothing was stopped")
	}
	if err := r.Wait(); err != nil {
		t.Fatal(err)
	}
	paths := regexp.MustCompile(`stopped (insert-\d) with savepoint (.*)`).FindAllStringSubmatch(errs.String(), -1)
	if len(paths) != 2 {
		t.Fatal(errs)
	}
	if err := r.Run(t.Context(), "INSERT INTO b SELECT a FROM n", ""); err != nil || len(r.jobs.list) != 2 {
		t.Errorf("a job was started after the end: %v", err)
	}
	s, err := readSavepoints([]string{paths[0][2], paths[1][2]})
	if err != nil || s.last != 2 || s.paths[1] == s.paths[2] {
		t.Errorf("%v, %+v", err, s)
	}
	if _, err := readSavepoints([]string{paths[0][2], paths[0][2]}); err == nil || !strings.Contains(err.Error(), "are both savepoints of") {
		t.Error(err)
	}
}
