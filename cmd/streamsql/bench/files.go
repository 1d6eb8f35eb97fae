package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/planner"
)

// place decides where files go. Those of no directory of the caller's are removed.
func (c *Config) place(checkpoints bool) (remove func(), err error) {
	if c.OutDir != "" {
		c.OutDir, err = filepath.Abs(c.OutDir)
		return func() {}, err
	}
	if checkpoints {
		return nil, errors.New(c.Query + " writes files, which its checkpoints and savepoints are of: give them a directory with --out-dir")
	}
	if c.OutDir, err = os.MkdirTemp("", "streamsql-nexmark-"); err != nil {
		return nil, err
	}
	dir := c.OutDir
	return func() { _ = os.RemoveAll(dir) }, nil
}

// take makes a writer of the folder in place of a sink's own.
func (f *Folder) take(*graph.Sink, *connector.Context) (connector.Writer, error) {
	return f.Writer(), nil
}

// readBack folds what the table of a query holds.
func readBack(ctx context.Context, s *planner.Session, query string, f *Folder) error {
	res, err := s.Prepare("SELECT * FROM nexmark_" + query)
	if err != nil {
		return err
	}
	set := s.Settings()
	_, err = exec.Run(ctx, res.Graph, exec.Options{Env: s.Env(), MaxRows: set.BatchSize, Writer: f.take})
	return err
}
