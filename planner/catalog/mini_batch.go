package catalog

import (
	"streamsql/exec/op"
	"streamsql/exec/option"
)

// enabled is the key that switches mini-batches on and off.
const enabled = "table.exec.mini-batch.enabled"

// MiniBatches are what aggregations fold their changes by: nothing where they are not enabled. Given says that the session
// told so, one way or the other. An error says what is not set that must be.
func (s *Settings) MiniBatches() (m op.MiniBatch, given bool, err error) {
	_, given = s.given[enabled]
	switch {
	case !s.MiniBatch:
		return m, given, nil
	case s.MiniBatchLatency <= 0:
		return m, given, unset("table.exec.mini-batch.allow-latency", "'2 s'")
	case s.MiniBatchSize <= 0:
		return m, given, unset("table.exec.mini-batch.size", "'50000'")
	}
	return op.MiniBatch{Latency: s.MiniBatchLatency, Rows: s.MiniBatchSize}, given, nil
}

func unset(key, example string) error {
	return &option.Error{Key: key, Msg: "'" + key + "' must be greater than 0 where '" + enabled + "' is true",
		Hint: "SET '" + key + "' = " + example + ", or RESET '" + enabled + "'"}
}
