package exec

import (
	"streamsql/exec/checkpoint"
	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// commit makes what the writers of each sink prepared visible.
func (j *Job) commit() error {
	for i, s := range j.graph.Stages {
		for k, node := range s.Nodes {
			if node.Sink == nil || node.Sink.Sink == nil {
				continue
			}
			var all [][]byte
			for _, t := range j.tasks {
				for _, w := range t.writers {
					if t.stage == i && w.node.index == k {
						all = append(all, w.committables...)
					}
				}
			}
			if err := j.commitSink(i, k, lastEpoch, all, types.MaxTime); err != nil {
				return err
			}
		}
	}
	return nil
}

// commitSink makes visible what the writers of a sink prepared.
func (j *Job) commitSink(stage, node int, epoch int64, all [][]byte, watermark types.EventTime) error {
	n := j.graph.Stages[stage].Nodes[node]
	return guard(&Failure{Operator: n.String(), Stage: stage}, func() error {
		c, err := n.Sink.Sink.Committer()
		if c == nil || err != nil {
			return err
		}
		return c.Commit(epoch, all, watermark)
	})
}

// commitAll has the sinks commit what a checkpoint names; they may have done so before.
func (j *Job) commitAll(m *checkpoint.Metadata) error {
	for stage, s := range j.graph.Stages {
		for node := range s.Nodes {
			all := m.CommittablesOf(stage, node)
			if s.Nodes[node].Sink == nil || len(all) == 0 {
				continue
			}
			if err := j.commitSink(stage, node, m.Epoch, all, sunk(m, stage, node)); err != nil {
				return err
			}
		}
	}
	return nil
}

// clean has the sinks remove what an earlier process of the job left unfinished.
func (j *Job) clean() error {
	for stage, s := range j.graph.Stages {
		for _, n := range s.Nodes {
			if n.Sink == nil {
				continue
			}
			if k, ok := n.Sink.Sink.(connector.Cleaner); ok {
				err := guard(&Failure{Operator: n.String(), Stage: stage}, func() error { return k.Clean(j.checkpoints.id()) })
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}
