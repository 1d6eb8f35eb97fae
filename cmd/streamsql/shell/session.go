package shell

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"streamsql/cmd/streamsql/script"
)

// RC is the user's own file that a session begins with: what STREAMSQL_RC says, or streamsql/rc.sql where the settings of
// programs belong; empty when there is no home.
func RC() string {
	if p, ok := os.LookupEnv("STREAMSQL_RC"); ok {
		return p
	}
	return ownFile("XDG_CONFIG_HOME", ".config", "rc.sql")
}

// ownFile is a file of this program in the directory that a variable names, or else in one below the home; empty when there is
// no home.
func ownFile(variable, below, name string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, below)
	}
	return filepath.Join(dir, "streamsql", name)
}

// Output sends rows to a file, or to a program behind a |.
func (s *Shell) Output(target string) error { return s.out.to(target) }

// Finish ends what rows went to.
func (s *Shell) Finish() error { return s.out.to("") }

// leaveTime is how long jobs have to stop when a session ends.
const leaveTime = 10 * time.Second

// Leave ends the jobs of a session that its user left: with savepoints, where those have a place.
func (s *Shell) Leave(ctx context.Context) error {
	err := s.Finish()
	if s.r.Running() == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	if !s.r.Stop(ctx) {
		s.r.Cancel(script.ErrLeft)
	}
	if e := s.r.Wait(); e != nil && err == nil {
		return fmt.Errorf("a job ended badly: %w", e)
	}
	return err
}
