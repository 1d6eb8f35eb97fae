package bench

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"streamsql/exec"
)

// Task is what a task did with its time. Soft is back-pressure before a batch, Hard within one.
type Task struct {
	Stage     int    `json:"stage"`
	Subtask   int    `json:"subtask"`
	Operators string `json:"operators"`
	BusyNanos int64  `json:"busy_ns"`
	IdleNanos int64  `json:"idle_ns"`
	SoftNanos int64  `json:"soft_back_pressured_ns"`
	HardNanos int64  `json:"hard_back_pressured_ns"`
}

// Edge is what went over an edge, over all its channels. Queued buffers and those in use of the pools are as they
// were when the job ended.
type Edge struct {
	Stage     int    `json:"stage"` // that it leads to
	Name      string `json:"name"`
	Rows      int64  `json:"rows"`
	Buffers   int64  `json:"buffers"`
	Bytes     int64  `json:"bytes"`
	Queued    int    `json:"queued"`
	OutUsed   int    `json:"out_pool_used"`
	OutSize   int    `json:"out_pool_size"`
	InUsed    int    `json:"in_pool_used"`
	InSize    int    `json:"in_pool_size"`
	SendNanos int64  `json:"sending_ns"`
	ReadNanos int64  `json:"receiving_ns"`
}

func (t *Task) String() string {
	return fmt.Sprintf("stage %d, subtask %d: %s", t.Stage, t.Subtask, t.Operators)
}

// tasksOf lists the tasks along the flow, and names the bottleneck, empty if no task is one.
func tasksOf(stats exec.Stats) (out []Task, bottleneck string) {
	chains := map[int][]string{}
	for _, n := range stats.Nodes {
		name, _, _ := strings.Cut(n.Name, "(")
		name, _, _ = strings.Cut(name, ",")
		chains[n.Stage] = append(chains[n.Stage], name)
	}
	slowest := stats.Bottleneck()
	for i := range stats.Tasks {
		x := &stats.Tasks[i]
		t := Task{x.Stage, x.Subtask, strings.Join(chains[x.Stage], ", "), x.Busy.Nanoseconds(), x.Idle.Nanoseconds(),
			x.Soft.Nanoseconds(), x.Hard.Nanoseconds()}
		if x == slowest {
			bottleneck = t.String()
		}
		out = append(out, t)
	}
	return out, bottleneck
}

func edgesOf(stats exec.Stats) (out []Edge) {
	for _, x := range stats.Edges {
		e := Edge{Stage: x.Stage, Name: x.Name, Rows: x.RowsIn, SendNanos: x.Sending.Nanoseconds(), ReadNanos: x.Receiving.Nanoseconds()}
		for _, w := range x.Outputs {
			e.OutUsed, e.OutSize = e.OutUsed+w.Used, e.OutSize+w.Size
			for _, c := range w.Channels {
				e.Buffers, e.Bytes, e.Queued = e.Buffers+c.Buffers, e.Bytes+c.Bytes, e.Queued+c.Queued
			}
		}
		for _, g := range x.Inputs {
			e.InUsed, e.InSize, e.Queued = e.InUsed+g.Used, e.InSize+g.Size, e.Queued+g.Queued
		}
		out = append(out, e)
	}
	return out
}

// WriteJob writes what the tasks of one job did, as WriteTasks does.
func WriteJob(w io.Writer, name string, stats exec.Stats) error {
	q := Run{ID: name, Edges: edgesOf(stats)}
	q.Tasks, q.Bottleneck = tasksOf(stats)
	return (&Report{Queries: []Run{q}}).WriteTasks(w)
}

// WriteTasks writes what the tasks of each query did with their time, the bottleneck marked, and what went between them.
func (r *Report) WriteTasks(w io.Writer) error {
	tasks := plain(table.Row{"query", "stage", "subtask", "busy", "idle", "soft", "hard", "", "operators"}, 2, 7)
	edges := plain(table.Row{"query", "to stage", "rows", "buffers", "bytes", "sending", "receiving", "edge"}, 2, 7)
	for i := range r.Queries {
		q := &r.Queries[i]
		for _, x := range q.Tasks {
			all := max(x.BusyNanos+x.IdleNanos+x.SoftNanos+x.HardNanos, 1)
			part := func(n int64) string { return fmt.Sprintf("%d %%", (n*100+all/2)/all) }
			mark := ""
			if x.String() == q.Bottleneck {
				mark = "bottleneck"
			}
			tasks.AppendRow(table.Row{q.ID, x.Stage, x.Subtask, part(x.BusyNanos), part(x.IdleNanos), part(x.SoftNanos),
				part(x.HardNanos), mark, x.Operators})
		}
		for _, x := range q.Edges {
			edges.AppendRow(table.Row{q.ID, x.Stage, x.Rows, x.Buffers, x.Bytes, duration(x.SendNanos), duration(x.ReadNanos), x.Name})
		}
	}
	_, err := fmt.Fprintln(w, tasks.Render())
	if err == nil && edges.Length() > 0 {
		_, err = fmt.Fprintln(w, edges.Render())
	}
	return err
}

// plain is a table with numbers in the columns first to last.
func plain(head table.Row, first, last int) table.Writer {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Format = table.FormatOptions{Header: text.FormatDefault, Row: text.FormatDefault, Footer: text.FormatDefault}
	t.SetStyle(style)
	t.AppendHeader(head)
	var configs []table.ColumnConfig
	for i := first; i <= last; i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return t
}
