package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// partsScript copies a large file; batches are small, so that there is time to kill the job.
const partsScript = `SET 'execution.checkpointing.interval' = '10 ms';
SET 'execution.checkpointing.dir' = 'DIR/chk';
SET 'streamsql.batch-size' = '100';
SET 'parallelism.default' = 'PARALLELISM';
CREATE TABLE big (n BIGINT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'DIR/big', 'format' = 'FORMAT');
CREATE TABLE out (n BIGINT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'DIR/out', 'format' = 'csv');
INSERT INTO out SELECT n, SUBSTRING(s FROM 1 FOR 8) FROM big;
`

// partsParquet makes a Parquet file of csv.
const partsParquet = `SET 'execution.runtime-mode' = 'BATCH';
SET 'parallelism.default' = '1';
CREATE TABLE text (n BIGINT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'DIR/text', 'format' = 'csv');
CREATE TABLE big (n BIGINT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'DIR/big', 'format' = 'parquet',
  'parquet.compression' = 'UNCOMPRESSED', 'parquet.block-size' = '500kb');
INSERT INTO big SELECT * FROM text;
`

// TestRescaledParts: jobs that read parts of a large file are killed and go on at another parallelism: each row is
// there once.
func TestRescaledParts(t *testing.T) {
	t.Logf("-args -seed %d", *soakSeed)
	r := rand.New(rand.NewPCG(*soakSeed, 6))
	rows := 120_000 // of 120 bytes
	if testing.Short() {
		rows /= 2
	}
	long := strings.Repeat("0123456789", 10)
	var want []string
	for i := range rows {
		want = append(want, fmt.Sprintf("%d,%08d", i, i))
	}
	slices.Sort(want)
	began := 0
	for format, form := range map[string]string{"csv": `%d,"%08d%s"`, "json": `{"n":%d,"s":"%08d%s"}`, "parquet": "%d,%08d%s"} {
		dir, name := t.TempDir(), "big"
		if format == "parquet" {
			name = "text"
		}
		var text []byte
		for i := range rows {
			text = fmt.Appendf(text, form+"\n", i, i, long)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "text" {
			c, _, errs := program(t, "run", scriptFile(t, dir, partsParquet, ""))
			if err := c.Run(); err != nil {
				t.Fatal(err, errs)
			}
		}
		began += copyParts(t, dir, format, r)
		var got []string
		files, _ := filepath.Glob(filepath.Join(dir, "out", "*"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.Fields(string(b))...)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, want %d: %v", format, len(got), len(want), firstDifference(got, want))
		}
	}
	if began == 0 {
		t.Error("no job went on at another parallelism")
	}
}

// copyParts runs the script at one parallelism after the other, and says how often it was killed.
func copyParts(t *testing.T, dir, format string, r *rand.Rand) (began int) {
	t.Helper()
	for i, parallelism := range upAndDown {
		script := strings.NewReplacer("PARALLELISM", parallelism, "FORMAT", format).Replace(partsScript)
		c, _, errs := program(t, "run", scriptFile(t, dir, script, ""), "--restore")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if i < len(upAndDown)-1 && kill(t, c, r, filepath.Join(dir, "chk", "insert-1"), true) {
			began++
			continue
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != 0 {
			t.Fatalf("%s, parallelism %s: %v\n%s", format, parallelism, err, errs)
		}
		break
	}
	return began
}
