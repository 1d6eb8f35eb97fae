package parse

import "streamsql/planner/syntax"

// Dialect says how closely the parser keeps to Flink.
type Dialect uint8

// The dialects.
const (
	// Default accepts what Flink accepts and the widenings of widening.go.
	Default Dialect = iota
	// Flink refuses every widening.
	Flink
)

// Options change what the parser accepts.
type Options struct {
	Dialect Dialect
	// Extensions, where it is not nil, gets each place that goes beyond Flink's dialect, and Rewrites what the parser knows to
	// stand for it there; what needs columns or files is known behind it.
	Extensions *[]syntax.Extension
	Rewrites   *[]syntax.Rewrite
}
