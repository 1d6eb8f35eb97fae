package netbench

import (
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table prints results as a table.
func Table(w io.Writer, results []Result) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"topology", "transport", "exclusive", "floating", "flush", "records/ms", "± 99.9 %", "MB/s", "messages/s",
		"CPU-s per million", "peak MiB"})
	right := []table.ColumnConfig{}
	for i := 6; i <= 11; i++ {
		right = append(right, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	for _, r := range results {
		t.AppendRow(table.Row{r.Topology, r.Transport, r.Exclusive, r.Floating, r.Flush, fmt.Sprintf("%.0f", r.RecordsPerMS),
			fmt.Sprintf("%.0f", r.Error), fmt.Sprintf("%.0f", r.MBPerSecond), fmt.Sprintf("%.0f", r.Messages),
			fmt.Sprintf("%.4f", r.CPU), fmt.Sprintf("%.0f", float64(r.RSS)/(1<<20))})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// Table prints the result as a table.
func (r *MapResult) Table(w io.Writer) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"job", "tasks", "figure", "records/ms", "± 99.9 %", "CPU-s per million", "of"})
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 4, Align: text.AlignRight}, {Number: 5, Align: text.AlignRight},
		{Number: 6, Align: text.AlignRight}})
	t.AppendRow(table.Row{r.shape(), r.Tasks, "steady", fmt.Sprintf("%.0f", r.Steady), fmt.Sprintf("%.0f", r.SteadyError),
		fmt.Sprintf("%.5f", r.CPU), fmt.Sprintf("one job, %d checkpoints", r.Checkpoints)})
	t.AppendRow(table.Row{"", "", "whole job", fmt.Sprintf("%.0f", r.Job), fmt.Sprintf("%.0f", r.JobError),
		fmt.Sprintf("%.5f", r.JobCPU), fmt.Sprintf("%d jobs", r.Jobs)})
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// cpuTime is the user and system time of the process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the largest resident set of the process in bytes.
func peakMemory() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Maxrss * 1024
}
