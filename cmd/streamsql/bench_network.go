package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/netbench"
	"streamsql/exec/option"
	"streamsql/exec/vector"
)

// newBench is the command of micro-benchmarks.
func newBench() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "measure parts of the machine",
		Example: `  streamsql bench network --channels 1000 --writers 4
  streamsql bench mapsink`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newBenchNetwork(), newBenchMapSink())
	return c
}

// networkFlags are those of `bench network`.
type networkFlags struct {
	netbench.Config
	topology, flush, format string
	seconds                 float64
	sweep                   bool
	given                   string // a flag among those that --sweep goes through
	profile                 string
}

func newBenchNetwork() *cobra.Command {
	f := &networkFlags{}
	c := &cobra.Command{
		Use:   "network",
		Short: "throughput of the exchange, as Flink's networkThroughput",
		Example: `  streamsql bench network
  streamsql bench network --channels 100 --transport tls --flush 100ms --seconds 10 --format json
  streamsql bench network --topology 1000x4 --exclusive 0
  streamsql bench network --sweep`,
		Long: `Measures the exchange as Flink's networkThroughput benchmark does: writers send 8-byte longs round all channels to one
receiving thread. An invocation counts 5,000,000 records; a fifth of the time warms up, the rest is measured in ten iterations.
--topology is gates x channels per gate; --sweep compares exclusive 2, 1, 0 over both topologies and flushes, each in a
fresh process.`,
		Args: noArgs,
	}
	c.Flags().IntVar(&f.Channels, "channels", 1000, "channels of each writer")
	c.Flags().IntVar(&f.Writers, "writers", 4, "sending threads")
	c.Flags().StringVar(&f.topology, "topology", "", "gates x channels per gate: WxC or CxW of writers W and channels C (default WxC)")
	c.Flags().IntVar(&f.Exclusive, "exclusive", 2, "buffers that each input channel owns")
	c.Flags().IntVar(&f.Floating, "floating", 8, "buffers that the channels of a gate share")
	c.Flags().StringVar(&f.flush, "flush", "100ms", "buffer timeout")
	c.Flags().StringVar(&f.Transport, "transport", "tcp", "local, tcp or tls")
	c.Flags().Float64Var(&f.seconds, "seconds", 10, "time of a measurement")
	c.Flags().IntVar(&f.Late, "late", 0, "percentage of rows that are late, each with a watermark before it")
	c.Flags().StringVar(&f.format, "format", "table", "table or json")
	c.Flags().BoolVar(&f.sweep, "sweep", false, "exclusive 2, 1, 0 x both topologies x flush 1 ms, 100 ms")
	c.Flags().StringVar(&f.profile, "cpuprofile", "", "write a CPU profile to this `file`")
	c.RunE = func(c *cobra.Command, _ []string) error {
		for _, name := range []string{"topology", "exclusive", "flush"} {
			if c.Flags().Changed(name) {
				f.given = name
			}
		}
		if err := f.check(); err != nil {
			return err
		}
		results, err := f.run(c)
		if err != nil {
			return err
		}
		if f.format == "table" {
			return netbench.Table(c.OutOrStdout(), results)
		}
		if f.sweep {
			return writeJSON(c.OutOrStdout(), results)
		}
		return writeJSON(c.OutOrStdout(), results[0])
	}
	return c
}

func (f *networkFlags) check() error {
	var err error
	switch {
	case f.Channels < 1 || f.Channels > 100_000:
		return usagef("--channels is from 1 to 100000, not %d", f.Channels)
	case f.Writers < 1 || f.Writers > 1000:
		return usagef("--writers is from 1 to 1000, not %d", f.Writers)
	case f.Exclusive < 0 || f.Exclusive > 100:
		return usagef("--exclusive is from 0 to 100, not %d", f.Exclusive)
	case f.Floating < 1 || f.Floating > 100_000:
		return usagef("--floating is from 1 to 100000, not %d", f.Floating)
	case f.Late < 0 || f.Late > 100:
		return usagef("--late is from 0 to 100, not %d", f.Late)
	case f.seconds <= 0 || f.seconds > 86400:
		return usagef("--seconds must be above 0, not %v", f.seconds)
	case f.Transport != "local" && f.Transport != "tcp" && f.Transport != "tls":
		return usagef("--transport is local, tcp or tls, not '%s'", f.Transport)
	case f.format != "table" && f.format != "json":
		return usagef("--format is table or json, not '%s'", f.format)
	case f.sweep && f.profile != "":
		return usagef("--cpuprofile is for one measurement")
	case f.sweep && f.given != "":
		return usagef("--sweep goes through all values of --%s", f.given)
	}
	if f.Flush, err = option.ParseDuration(f.flush); err != nil {
		return usagef("--flush: '%s' is no duration such as 1ms or 100ms", f.flush)
	}
	f.Time, f.Batch = time.Duration(f.seconds*float64(time.Second)), vector.DefaultMaxRows
	f.Records = netbench.Records
	return f.shape()
}

// shape reads the topology.
func (f *networkFlags) shape() error {
	f.Gates, f.PerGate = f.Writers, f.Channels
	if f.topology == "" {
		return nil
	}
	gates, perGate, ok := strings.Cut(f.topology, "x")
	g, err1 := strconv.Atoi(gates)
	p, err2 := strconv.Atoi(perGate)
	if !ok || err1 != nil || err2 != nil || !(g == f.Writers && p == f.Channels || g == f.Channels && p == f.Writers) {
		return usagef("--topology is %dx%d or %dx%d with --writers %d --channels %d, not '%s'", f.Writers, f.Channels, f.Channels,
			f.Writers, f.Writers, f.Channels, f.topology)
	}
	f.Gates, f.PerGate = g, p
	return nil
}

func (f *networkFlags) run(c *cobra.Command) ([]netbench.Result, error) {
	if f.sweep {
		return f.runSweep(c)
	}
	stop, err := startProfile(f.profile)
	if err != nil {
		return nil, err
	}
	r, err := netbench.Run(c.Context(), f.Config)
	if stopped := stop(); err == nil {
		err = stopped
	}
	return []netbench.Result{r}, err
}

// runSweep measures each setting in a fresh process of this binary.
func (f *networkFlags) runSweep(c *cobra.Command) ([]netbench.Result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var out []netbench.Result
	topologies := slices.Compact([]string{fmt.Sprintf("%dx%d", f.Writers, f.Channels), fmt.Sprintf("%dx%d", f.Channels, f.Writers)})
	for _, topology := range topologies {
		for _, flush := range []string{"1ms", "100ms"} {
			for _, exclusive := range []int{2, 1, 0} {
				child := exec.CommandContext(c.Context(), self, "bench", "network", "--late", strconv.Itoa(f.Late), "--channels", strconv.Itoa(f.Channels), "--writers",
					strconv.Itoa(f.Writers), "--topology", topology, "--exclusive", strconv.Itoa(exclusive), "--floating",
					strconv.Itoa(f.Floating), "--flush", flush, "--transport", f.Transport, "--seconds",
					strconv.FormatFloat(f.seconds, 'f', -1, 64), "--format", "json")
				child.Stderr = c.ErrOrStderr()
				text, err := child.Output()
				if err != nil {
					return nil, fmt.Errorf("bench network --topology %s --flush %s --exclusive %d: %w", topology, flush, exclusive, err)
				}
				var r netbench.Result
				if err := json.Unmarshal(text, &r); err != nil {
					return nil, err
				}
				out = append(out, r)
				fmt.Fprintf(c.ErrOrStderr(), "%s, flush %s, exclusive %d: %.0f records/ms, %.4f CPU-s per million\n", topology, flush,
					exclusive, r.RecordsPerMS, r.CPU)
			}
		}
	}
	return out, nil
}
