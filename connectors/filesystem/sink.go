package filesystem

import (
	"fmt"

	"streamsql/exec/connector"
)

type sink struct {
	table *connector.Table
	o     *options
}

func (s *sink) Changelog() bool { return false }

func (s *sink) Open(*connector.Context) (connector.Writer, error) {
	return nil, fmt.Errorf("not supported: writing to files (table %s)", s.table.Name)
}

func (s *sink) Committer() (connector.Committer, error) { return nil, nil }
