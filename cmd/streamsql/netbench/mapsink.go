package netbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"streamsql/exec"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/graph"
	"streamsql/exec/network"
	"streamsql/exec/op"
	"streamsql/exec/vector"
)

// checkpointEvery is the time between checkpoints of the job, mapTimeout the buffer timeout of its edges.
const (
	checkpointEvery = 100 * time.Millisecond
	mapTimeout      = 100 * time.Millisecond
)

// MapConfig is one measurement of a job: numbers that count up, doubled, to a sink that drops them, one subtask
// each.
type MapConfig struct {
	// Chained puts operators into one task as far as no exchange stands between them; otherwise each is a task.
	Chained bool
	// Rebalance doubles a second time behind a rebalancing exchange.
	Rebalance bool
	// Time of each of the two parts: one job in its stride, and whole jobs of Records one after the other.
	Time    time.Duration
	Records int64
}

// MapResult is what was measured.
type MapResult struct {
	Chained     bool    `json:"chained"`
	Rebalance   bool    `json:"rebalance"`
	Tasks       int     `json:"tasks"`
	Steady      float64 `json:"steady_records_per_ms"`
	SteadyError float64 `json:"steady_error_99_9"`
	CPU         float64 `json:"steady_cpu_s_per_million"`
	Checkpoints int     `json:"steady_checkpoints"`
	Job         float64 `json:"job_records_per_ms"`
	JobError    float64 `json:"job_error_99_9"`
	JobCPU      float64 `json:"job_cpu_s_per_million"`
	Jobs        int     `json:"jobs"`
	RSS         int64   `json:"rss_peak_bytes"`
}

// RunMap measures.
func RunMap(ctx context.Context, c MapConfig) (MapResult, error) {
	r := MapResult{Chained: c.Chained, Rebalance: c.Rebalance}
	dir, err := os.MkdirTemp("", "streamsql-mapsink-")
	if err != nil {
		return r, err
	}
	m := &mapBench{config: c, dir: dir}
	if err = m.steady(ctx, &r); err == nil {
		err = m.jobs(ctx, &r)
	}
	r.RSS = peakMemory()
	return r, errors.Join(err, os.RemoveAll(dir))
}

type mapBench struct {
	config  MapConfig
	dir     string
	started int
}

// start starts a job of a number of records, or one that does not end (-1). The sink counts into rows.
func (m *mapBench) start(ctx context.Context, records int64, rows *atomic.Int64) (*exec.Job, int, error) {
	g, err := m.graph(records, rows)
	if err != nil {
		return nil, 0, err
	}
	m.started++
	j, err := exec.Start(ctx, g, exec.Options{Checkpoints: &exec.Checkpointing{Dir: filepath.Join(m.dir, fmt.Sprint("job-", m.started)),
		Interval: checkpointEvery, Retain: 1, Transient: true}})
	return j, len(g.Stages), err
}

// graph is source, map and sink, with a second map where the configuration says so.
func (m *mapBench) graph(records int64, rows *atomic.Int64) (*graph.Graph, error) {
	double, err := doubled()
	if err != nil {
		return nil, err
	}
	o := network.DefaultOptions()
	o.BufferTimeout = mapTimeout
	g := &graph.Graph{Exchange: graph.Exchange{Options: &o}}
	// add puts a node behind the last one: into its stage, or behind an edge.
	add := func(n graph.Node, p graph.Partitioning, chained bool) {
		if last := len(g.Stages) - 1; last >= 0 && chained {
			s := g.Stages[last]
			n.Inputs = []int{len(s.Nodes) - 1}
			s.Nodes = append(s.Nodes, n)
			return
		}
		s := &graph.Stage{Name: fmt.Sprint("task ", len(g.Stages)+1), Parallelism: 1}
		if from := len(g.Stages) - 1; from >= 0 {
			n.Inputs = []int{graph.FromEdge}
			s.In = []graph.Edge{{From: from, FromNode: len(g.Stages[from].Nodes) - 1, Partitioning: p, Types: row, Names: []string{"value"}}}
		}
		s.Nodes = []graph.Node{n}
		g.Stages = append(g.Stages, s)
	}
	add(graph.Node{Source: &graph.Source{Table: "numbers", Source: numbers{records}}}, graph.Forward, false)
	add(graph.Node{Op: double}, graph.Forward, m.config.Chained)
	if m.config.Rebalance {
		add(graph.Node{Op: double}, graph.Rebalance, false)
	}
	add(graph.Node{Sink: &graph.Sink{Table: "discarding", Sink: discarding{rows: rows}}}, graph.Forward, m.config.Chained)
	return g, nil
}

// doubled is the map: the value times two.
func doubled() (op.Spec, error) {
	two := expr.NewConst(vector.ConstOf(row[0], int64(2), 1), "2")
	value := &expr.Column{Name: "value", T: row[0]}
	times := function.Must("*")
	sig, err := times.Type([]function.Arg{{Type: row[0]}, {Type: row[0], Const: two.Value}})
	if err != nil {
		return nil, err
	}
	return &op.Calc{Exprs: []expr.Expr{&expr.Call{Fn: times, List: []expr.Expr{value, two}, T: sig.Result, Pos: -1}},
		Names: []string{"value"}}, nil
}

// errMeasured ends the job that does not end.
var errMeasured = errors.New("measured")

// steady measures one job once it is under way.
func (m *mapBench) steady(ctx context.Context, r *MapResult) error {
	var rows atomic.Int64
	j, tasks, err := m.start(ctx, -1, &rows)
	if err != nil {
		return err
	}
	r.Tasks = tasks
	done := make(chan error, 1)
	go func() {
		s, err := j.Wait()
		if s.Checkpoints != nil {
			r.Checkpoints = s.Checkpoints.Completed
		}
		done <- err
	}()
	rates, failed := m.sample(&rows, done, r)
	if failed != nil {
		return failed
	}
	j.Cancel(errMeasured)
	if err := <-done; !errors.Is(err, errMeasured) {
		return err
	}
	r.Steady, r.SteadyError = interval(rates)
	return nil
}

// sample lets a job run for the time and notes its rates.
func (m *mapBench) sample(rows *atomic.Int64, done <-chan error, r *MapResult) ([]float64, error) {
	pause := func(d time.Duration) error {
		select {
		case err := <-done:
			return err
		case <-time.After(d):
			return nil
		}
	}
	if err := pause(m.config.Time / 5); err != nil {
		return nil, err
	}
	runtime.GC()
	var rates []float64
	cpu, first := cpuTime(), rows.Load()
	at, since := first, time.Now()
	for range iterations {
		if err := pause(m.config.Time / iterations); err != nil {
			return nil, err
		}
		n, now := rows.Load(), time.Now()
		rates = append(rates, float64(n-at)/(now.Sub(since).Seconds()*1000))
		at, since = n, now
	}
	r.CPU = (cpuTime() - cpu).Seconds() / (float64(at-first) / 1e6)
	return rates, nil
}

// jobs measures whole jobs, from building the graph to the end of the last task.
func (m *mapBench) jobs(ctx context.Context, r *MapResult) error {
	runtime.GC()
	cpu := cpuTime()
	var rates []float64
	for range iterations {
		n, begun := 0, time.Now()
		for n == 0 || time.Since(begun) < m.config.Time/iterations {
			if err := m.job(ctx); err != nil {
				return err
			}
			n++
		}
		rates = append(rates, float64(int64(n)*m.config.Records)/(time.Since(begun).Seconds()*1000))
		r.Jobs += n
	}
	r.JobCPU = (cpuTime() - cpu).Seconds() / (float64(int64(r.Jobs)*m.config.Records) / 1e6)
	r.Job, r.JobError = interval(rates)
	return nil
}

func (m *mapBench) job(ctx context.Context) error {
	var rows atomic.Int64
	j, _, err := m.start(ctx, m.config.Records, &rows)
	if err != nil {
		return err
	}
	if _, err := j.Wait(); err != nil {
		return err
	}
	if n := rows.Load(); n != m.config.Records {
		return fmt.Errorf("%d records of %d reached the sink", n, m.config.Records)
	}
	return nil
}

// shape is how the tasks are joined, for people.
func (r *MapResult) shape() string {
	parts := []string{"source", "map", "sink"}
	joins := []string{" | ", " | "}
	if r.Chained {
		joins = []string{"-", "-"}
	}
	if r.Rebalance {
		parts = []string{"source", "map", "map", "sink"}
		joins = []string{joins[0], " ⇒ ", joins[1]}
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(joins[i-1])
		}
		b.WriteString(p)
	}
	return b.String()
}
