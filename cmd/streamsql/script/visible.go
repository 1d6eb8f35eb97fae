package script

import (
	"time"

	"streamsql/exec/graph"
	"streamsql/planner/catalog"
)

// showEvery is the time between the checkpoints of a job without end whose sinks show rows at them, where no setting
// says another.
const showEvery = 10 * time.Second

// interval is the time between the checkpoints that a job needs for its rows to become visible, or 0 for one that
// shows them at its end, or at once.
func interval(set *catalog.Settings, g *graph.Graph) time.Duration {
	commits := false
	for _, s := range g.Stages {
		for _, n := range s.Nodes {
			if n.Sink == nil || n.Sink.Sink == nil {
				continue
			}
			if c, err := n.Sink.Sink.Committer(); err == nil && c != nil {
				commits = true
			}
		}
	}
	switch {
	case !commits || !g.Endless():
		return 0
	case set.CheckpointInterval > 0:
		return set.CheckpointInterval
	}
	return showEvery
}
