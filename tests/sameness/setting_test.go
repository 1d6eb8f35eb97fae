// Package sameness holds one test: whatever the batches, subtasks, buffers, transport and checkpoints, and wherever a job
// was broken off, the answer of a Nexmark query is its golden.
package sameness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors"
	"streamsql/planner"
)

// safety is what is done about failures, and whether there are any.
type safety int

const (
	plain safety = iota
	checkpoints
	crashes
)

func (s safety) String() string { return [...]string{"plain", "checkpoints", "crashes"}[s] }

// setting is a run whose answer must be the golden.
type setting struct {
	query  string
	input  bench.GoldenInput
	way    map[string]string
	safety safety
}

func (s *setting) String() string {
	var way []string
	for _, k := range slices.Sorted(maps.Keys(s.way)) {
		way = append(way, k+"="+s.way[k])
	}
	return fmt.Sprintf("%s/%s, %v, %s", s.query, s.input.Name, s.safety, strings.Join(way, ", "))
}

// ways are the settings that must not change an answer: batch size, parallelism, segment size, exclusive buffers,
// transport, mini-batches, and whether groups with DISTINCT are divided. One subtask has no exchange.
func ways(settled bool) []map[string]string {
	var out []map[string]string
	for _, batch := range []string{"1", "3", "1024"} {
		out = append(out, map[string]string{"streamsql.batch-size": batch}, miniBatches(batch, "1"))
		if !settled {
			continue
		}
		for _, parallelism := range []string{"2", "4"} {
			for _, segment := range []string{"256 b", "32 kb"} {
				for _, exclusive := range []string{"0", "1", "2"} {
					for _, transport := range []string{"local", "tcp", "tls"} {
						out = append(out, map[string]string{"streamsql.batch-size": batch, "parallelism.default": parallelism,
							"taskmanager.memory.segment-size":                segment,
							"taskmanager.network.memory.buffers-per-channel": exclusive, "streamsql.transport": transport})
					}
				}
			}
			out = append(out, map[string]string{"streamsql.batch-size": batch, "parallelism.default": parallelism,
				"table.optimizer.distinct-agg.split.enabled": "true"}, miniBatches(batch, parallelism))
		}
	}
	return out
}

// miniBatches folds the changes of groups for as many rows as a batch has a few times over.
func miniBatches(batch, parallelism string) map[string]string {
	return map[string]string{"streamsql.batch-size": batch, "parallelism.default": parallelism, "table.exec.mini-batch.enabled": "true",
		"table.exec.mini-batch.allow-latency": "5 ms", "table.exec.mini-batch.size": batch + "0"}
}

// settings is the matrix of a query over an input.
func settings(query string, in bench.GoldenInput) (out []setting) {
	for _, way := range ways(bench.Settled(query, in.Name)) {
		if bench.Arrives(query, in.Name) {
			way["streamsql.pushdown"] = "false"
		}
		for _, s := range []safety{plain, checkpoints, crashes} {
			out = append(out, setting{query, in, way, s})
		}
	}
	return out
}

// run runs a query one way and compares it with its golden. dir is empty, and for checkpoints.
func (s *setting) run(ctx context.Context, r *rand.Rand, dir string) (restored int, err error) {
	if s.safety == crashes {
		if restored, err = s.breakOff(ctx, r, dir); err != nil {
			return restored, err
		}
	}
	run, err := s.measure(ctx, dir)
	if err != nil {
		return restored, err
	}
	if run.Error != "" || run.Verified == nil || !*run.Verified {
		return restored, fmt.Errorf("%s %s %s", run.Error, run.Digest, run.Note)
	}
	if s.safety == checkpoints && run.Checkpoints == 0 {
		return restored, errors.New("no checkpoint was taken")
	}
	return restored, nil
}

// attempts is how often at most a job is broken off.
const attempts = 3

// moment is when a job is broken off: one that goes by the clock at any time of it, another soon more often than late,
// as most take little time.
func (s *setting) moment(r *rand.Rand) time.Duration {
	if s.paced() {
		return time.Duration(r.IntN(220)) * time.Millisecond
	}
	const soonest, doublings = 5, 5.5
	return time.Duration(soonest * math.Exp2(doublings*r.Float64()) * float64(time.Millisecond))
}

// paced tells whether events come by the clock, so that there is something to break off.
func (s *setting) paced() bool { return s.safety == crashes && s.input.Name == bench.Inputs()[0].Name }

// breakOff starts a job and breaks it off at random moments. restored is how often there was a checkpoint by then.
func (s *setting) breakOff(ctx context.Context, r *rand.Rand, dir string) (restored int, err error) {
	for range 1 + r.IntN(attempts) {
		short, cancel := context.WithTimeout(ctx, s.moment(r))
		run, err := s.measure(short, dir)
		cancel()
		if err != nil {
			return restored, err
		}
		if run.Error != "" {
			return restored, fmt.Errorf("broken off: %s", run.Error)
		}
		if run.Note != "stopped" {
			break
		}
		if found, _ := filepath.Glob(filepath.Join(dir, s.query, "chk-*")); len(found) > 0 {
			restored++
		}
	}
	return restored, nil
}

func (s *setting) measure(ctx context.Context, dir string) (bench.Run, error) {
	session := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	way, options := maps.Clone(s.way), maps.Clone(s.input.Options)
	if s.safety != plain {
		way["execution.checkpointing.dir"] = dir
		way["execution.checkpointing.interval"] = "2 ms"
	}
	if s.paced() {
		options["max-emit-speed"] = "false"
	}
	for k, v := range way {
		if w, err := session.Set(k, v); err != nil || w != "" {
			return bench.Run{}, fmt.Errorf("%s = %s: %s %w", k, v, w, err)
		}
	}
	run, _ := bench.Measure(ctx, session, bench.Config{Query: s.query, Options: options, Verify: true,
		Restore: s.safety == crashes, Out: io.Discard, Err: io.Discard})
	return run, nil
}
