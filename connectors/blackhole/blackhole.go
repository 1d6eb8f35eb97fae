// Package blackhole is the sink that takes every row and keeps none: what is left is the cost of the
// query itself. The job counts the rows that reach it.
//
// It does not know the rows that it is given.
//
// Invariants:
//
//	B1 a write never fails and never blocks.
package blackhole

import (
	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

type options struct{}

// Definition declares the connector.
var Definition = connector.Definition{
	Name:    "blackhole",
	Doc:     "Takes every row and keeps none.",
	Options: func() any { return new(options) },
	Sink:    func(*connector.Table) (connector.Sink, error) { return sink{}, nil },
}

type sink struct{}

func (sink) Changelog() bool { return true }

func (sink) UpdateBefore() bool { return false }

func (sink) Open(*connector.Context) (connector.Writer, error) { return writer{}, nil }

func (sink) Committer() (connector.Committer, error) { return nil, nil }

type writer struct{ connector.Uncommitted }

func (writer) Write(*vector.Batch) error { return nil }
