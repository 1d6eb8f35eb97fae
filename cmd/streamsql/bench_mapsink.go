package main

import (
	"time"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/netbench"
)

// mapFlags are those of `bench mapsink`.
type mapFlags struct {
	netbench.MapConfig
	records, format, profile string
	seconds                  float64
}

func newBenchMapSink() *cobra.Command {
	f := &mapFlags{}
	c := &cobra.Command{
		Use:   "mapsink",
		Short: "throughput of tasks that pass rows on, as Flink's mapSink",
		Example: `  streamsql bench mapsink                         three tasks with exchanges between them
  streamsql bench mapsink --chained               one task
  streamsql bench mapsink --rebalance --seconds 30 --format json`,
		Long: `Measures jobs as Flink's mapSink benchmark does: a source counts up, a map doubles, a sink drops; one subtask each and a
checkpoint every 100 ms. Each operator is a task of its own unless --chained; --rebalance doubles once more behind a
rebalancing exchange. Two figures are given: the rate of one job that is under way (a fifth of the time warms up), and
that of whole jobs of 15,000,000 records, start and end included. Each takes --seconds, the latter ten jobs at least.`,
		Args: noArgs,
	}
	c.Flags().BoolVar(&f.Chained, "chained", false, "operators without an exchange between them share a task")
	c.Flags().BoolVar(&f.Rebalance, "rebalance", false, "a second map behind a rebalancing exchange")
	c.Flags().Float64Var(&f.seconds, "seconds", 10, "time of each of the two measurements")
	c.Flags().StringVar(&f.records, "records", "15M", "records of a whole job; K and M are thousands and millions")
	c.Flags().StringVar(&f.format, "format", "table", "table or json")
	c.Flags().StringVar(&f.profile, "cpuprofile", "", "write a CPU profile to this `file`")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case f.seconds <= 0 || f.seconds > 86400:
			return usagef("--seconds must be above 0, not %v", f.seconds)
		case f.format != "table" && f.format != "json":
			return usagef("--format is table or json, not '%s'", f.format)
		}
		var err error
		if f.Records, err = parseCount(f.records, "records"); err != nil {
			return err
		}
		f.Time = time.Duration(f.seconds * float64(time.Second))
		stop, err := startProfile(f.profile)
		if err != nil {
			return err
		}
		r, err := netbench.RunMap(c.Context(), f.MapConfig)
		if stopped := stop(); err == nil {
			err = stopped
		}
		if err != nil {
			return err
		}
		if f.format == "table" {
			return r.Table(c.OutOrStdout())
		}
		return writeJSON(c.OutOrStdout(), r)
	}
	return c
}
