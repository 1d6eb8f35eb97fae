package main

import (
	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/script"
)

// savepointFlags say where a run makes savepoints when it is stopped, and which ones it goes on from.
type savepointFlags struct {
	dir       string
	from      []string
	unclaimed bool
}

func (f *savepointFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.dir, "savepoint-dir", "",
		"SIGTERM stops each INSERT with a savepoint in this `directory` (SET 'execution.checkpointing.savepoint-dir')")
	c.Flags().StringArrayVar(&f.from, "from-savepoint", nil,
		"go on from the savepoint in this `directory`; one for each INSERT that was stopped, in any order")
	c.Flags().BoolVar(&f.unclaimed, "allow-non-restored-state", false,
		"a savepoint may hold state that the script has no use for any more: it is given up")
}

// apply checks the flags and tells the runner of them.
func (f *savepointFlags) apply(r *script.Runner, from *restoreFlags) error {
	switch {
	case len(f.from) > 0 && (from.restore || from.name != ""):
		return usagef("--from-savepoint and --restore, --restore-from exclude each other")
	case f.unclaimed && len(f.from) == 0 && r.Session.Settings().Savepoint == "":
		return usagef("--allow-non-restored-state needs --from-savepoint")
	}
	if f.dir != "" {
		if _, err := r.Session.Set("execution.checkpointing.savepoint-dir", f.dir); err != nil {
			return usagef("%v", err)
		}
	}
	if f.unclaimed {
		if _, err := r.Session.Set("execution.state-recovery.ignore-unclaimed-state", "true"); err != nil {
			return usagef("%v", err)
		}
	}
	r.Savepoints = f.from
	return nil
}
