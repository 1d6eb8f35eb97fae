package main

import (
	"github.com/spf13/cobra"

	"streamsql/exec/checkpoint"
)

// restoreFlags say which checkpoint a start goes on from.
type restoreFlags struct {
	restore bool
	name    string
	from    int64 // of name
}

func (f *restoreFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.restore, "restore", false, "go on from the newest checkpoint, or begin if there is none")
	c.Flags().StringVar(&f.name, "restore-from", "", "go back to the checkpoint `chk-N`: what later ones wrote is written again")
}

// check validates the flags. need is the flag that names the directory of the checkpoints, have whether it was
// given.
func (f *restoreFlags) check(need string, have bool) error {
	switch {
	case !have && (f.restore || f.name != ""):
		return usagef("--restore and --restore-from need %s", need)
	case f.restore && f.name != "":
		return usagef("--restore and --restore-from exclude each other")
	}
	if f.name != "" {
		var ok bool
		if f.from, ok = checkpoint.ParseEpoch(f.name); !ok {
			return usagef("--restore-from is the name of a checkpoint, chk-N, not '%s'", f.name)
		}
	}
	return nil
}
