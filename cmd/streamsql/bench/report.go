package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"streamsql/queries"
)

// Schema names the JSON document of a report.
const Schema = "streamsql.bench/v1"

// Run is one measured run of one query.
type Run struct {
	ID     string `json:"id"`
	Run    int    `json:"run"`
	Events int64  `json:"events"`
	// WallNanos is from the start of the job to its end, CPUNanos the user and system time of the whole
	// process, start-up included.
	WallNanos int64 `json:"wall_ns"`
	CPUNanos  int64 `json:"cpu_ns"`
	// RSSPeakBytes is the largest resident set of the process.
	RSSPeakBytes int64 `json:"rss_peak_bytes"`
	RowsOut      int64 `json:"rows_out"`
	// Digest is empty when it was not asked for.
	Digest string `json:"digest"`
	// Verified is null when nothing was compared.
	Verified    *bool  `json:"verified"`
	RNG         string `json:"rng"`
	PushDown    bool   `json:"pushdown"`
	Parallelism int    `json:"parallelism"`
	// Checkpoints are those completed, CheckpointBytes what tasks wrote for them, CheckpointPauseNanos the longest
	// time that a task stood still for one.
	Checkpoints          int   `json:"checkpoints"`
	CheckpointBytes      int64 `json:"checkpoint_bytes"`
	CheckpointPauseNanos int64 `json:"checkpoint_max_pause_ns"`
	// StateBytes is the memory of all operators' state, each when it took the most; Tables are its parts, if
	// asked for.
	StateBytes int64   `json:"state_bytes"`
	Tables     []Table `json:"tables,omitempty"`
	// Bottleneck is the first task along the flow that was busy most of its time and not held up by others, empty if
	// there is none; Tasks and Edges are all of them, if asked for.
	Bottleneck string `json:"bottleneck"`
	Tasks      []Task `json:"tasks,omitempty"`
	Edges      []Edge `json:"edges,omitempty"`
	// GCFraction is the part of the time on cores that went into collecting garbage, GCIdleFraction what cores did for
	// it that had nothing else to do, GCPauseNanos a bound of the longest time that all stood still for it. On a machine
	// that others use too, a pause is as long as others keep a core.
	GCFraction     float64 `json:"gc_cpu_fraction"`
	GCIdleFraction float64 `json:"gc_idle_cpu_fraction"`
	GCPauseNanos   int64   `json:"gc_max_pause_ns"`
	// Note says why nothing was verified, or that the run was stopped.
	Note string `json:"note,omitempty"`
	// Error is why the query failed.
	Error string `json:"error,omitempty"`
}

// CPURate is the events per CPU-second, WallRate per second of the clock.
func (r *Run) CPURate() float64 { return rate(r.Events, r.CPUNanos) }

// WallRate is the events per second of the clock.
func (r *Run) WallRate() float64 { return rate(r.Events, r.WallNanos) }

func rate(n, nanos int64) float64 {
	if nanos <= 0 {
		return 0
	}
	return float64(n) / (float64(nanos) / 1e9)
}

// Environment says where a report was made.
type Environment struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	CPU     string `json:"cpu"`
	Cores   int    `json:"cores"`
}

// NewEnvironment reads the machine's.
func NewEnvironment(version, commit string) Environment {
	e := Environment{Version: version, Commit: commit, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Cores: runtime.NumCPU()}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return e
	}
	for _, line := range strings.Split(string(info), "\n") {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
			e.CPU = strings.TrimSpace(v)
			break
		}
	}
	return e
}

// Report is all runs of one command.
type Report struct {
	Schema      string            `json:"schema"`
	Environment Environment       `json:"environment"`
	Options     map[string]string `json:"options"`
	Queries     []Run             `json:"queries"`
}

// WriteJSON writes the report as one document.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteTable writes one line per run, and a total when there are several. Variants and patterns stand apart below the
// queries of the benchmark, and are not in the total. colour marks what failed.
func (r *Report) WriteTable(w io.Writer, colour bool) error {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Format = table.FormatOptions{Header: text.FormatDefault, Row: text.FormatDefault, Footer: text.FormatDefault}
	t.SetStyle(style)
	head := table.Row{"query", "events", "time", "M events/s", "cores", "M events/CPU-s", "peak RSS", "rows out", "verified"}
	t.AppendHeader(head)
	configs := make([]table.ColumnConfig, 0, len(head))
	for i := 2; i < len(head); i++ {
		configs = append(configs, table.ColumnConfig{
			Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight, AlignFooter: text.AlignRight,
		})
	}
	t.SetColumnConfigs(configs)
	own, variants := r.apart()
	for _, q := range own {
		t.AppendRow(q.cells())
	}
	t.AppendSeparator()
	for _, q := range variants {
		t.AppendRow(q.cells())
	}
	if total := total(own); total != nil {
		t.AppendFooter(total)
	}
	if colour {
		rows := slices.Concat(own, variants)
		t.SetRowPainter(table.RowPainterWithAttributes(func(_ table.Row, at table.RowAttributes) text.Colors {
			if q := rows[at.NumberSorted-1]; q.Error != "" || (q.Verified != nil && !*q.Verified) {
				return text.Colors{text.FgRed}
			}
			return nil
		}))
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// apart divides the runs into those of the benchmark's queries and those of variants; without the one, the other are all.
func (r *Report) apart() (own, variants []*Run) {
	for i := range r.Queries {
		if q := &r.Queries[i]; queries.Variant(q.ID) || queries.Pattern(q.ID) {
			variants = append(variants, q)
		} else {
			own = append(own, q)
		}
	}
	if own == nil {
		return variants, nil
	}
	return own, variants
}

func (r *Run) cells() table.Row {
	if r.Error != "" {
		return table.Row{r.ID, r.Events, "", "", "", "", "", "", "FAILED"}
	}
	return table.Row{r.ID, r.Events, duration(r.WallNanos), mega(r.WallRate()), cores(r.CPUNanos, r.WallNanos),
		mega(r.CPURate()), fmt.Sprintf("%.0f MiB", float64(r.RSSPeakBytes)/(1<<20)), r.RowsOut, r.verdict()}
}

func (r *Run) verdict() string {
	switch {
	case r.Verified == nil:
		return r.Note
	case *r.Verified:
		return "yes"
	}
	return "differs"
}

func duration(nanos int64) string {
	return time.Duration(nanos).Round(time.Millisecond).String()
}

func mega(v float64) string { return fmt.Sprintf("%.2f", v/1e6) }

func cores(cpu, wall int64) string {
	if wall <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(cpu)/float64(wall))
}

// total sums times and gives the geometric means of the rates. What failed is in none of them.
func total(runs []*Run) table.Row {
	if len(runs) < 2 {
		return nil
	}
	var events, wall, cpu, rss, rows int64
	var logWall, logCPU float64
	n := 0
	for _, q := range runs {
		if q.Error != "" || q.WallNanos <= 0 || q.CPUNanos <= 0 || q.Events == 0 {
			continue
		}
		n++
		events, wall, cpu, rows, rss = events+q.Events, wall+q.WallNanos, cpu+q.CPUNanos, rows+q.RowsOut, max(rss, q.RSSPeakBytes)
		logWall += math.Log(q.WallRate())
		logCPU += math.Log(q.CPURate())
	}
	if n == 0 {
		return nil
	}
	return table.Row{"total, geo. mean", events, duration(wall), mega(math.Exp(logWall / float64(n))), cores(cpu, wall),
		mega(math.Exp(logCPU / float64(n))), fmt.Sprintf("%.0f MiB", float64(rss)/(1<<20)), rows, ""}
}
