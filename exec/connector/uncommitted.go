package connector

import "streamsql/exec/types"

// Uncommitted is what a Writer embeds whose rows need no commit, and that has nothing to end: what it wrote is written.
type Uncommitted struct{}

// Advance implements Writer.
func (Uncommitted) Advance(types.EventTime) error { return nil }

// Prepare implements Writer.
func (Uncommitted) Prepare(int64) ([][]byte, func() error, error) { return nil, nil, nil }

// Abort implements Writer.
func (Uncommitted) Abort() error { return nil }

// Close implements Writer.
func (Uncommitted) Close() error { return nil }
