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

// check validates the flags; named says that the settings name a savepoint to go on from.
func (f *savepointFlags) check(from *restoreFlags, named bool) error {
	switch {
	case len(f.from) > 0 && (from.restore || from.name != ""):
		return usagef("--from-savepoint and --restore, --restore-from exclude each other")
	case f.unclaimed && len(f.from) == 0 && !named:
		return usagef("--allow-non-restored-state needs --from-savepoint")
	}
	return nil
}

// settings is what the flags are of, as key=value.
func (f *savepointFlags) settings() (list []string) {
	if f.dir != "" {
		list = append(list, "execution.checkpointing.savepoint-dir="+f.dir)
	}
	if f.unclaimed {
		list = append(list, "execution.state-recovery.ignore-unclaimed-state=true")
	}
	return list
}

// apply checks the flags and tells the runner of them.
func (f *savepointFlags) apply(r *script.Runner, from *restoreFlags) error {
	if err := f.check(from, r.Session.Settings().Savepoint != ""); err != nil {
		return err
	}
	r.Savepoints = f.from
	return applySettings(r.Session, f.settings())
}
