// Package connectors lists the connectors there are.
//
// It does not know tables or jobs.
//
// Invariants:
//
//	L1 names are unique.
package connectors

import (
	"streamsql/connectors/blackhole"
	"streamsql/connectors/datagen"
	"streamsql/connectors/filesystem"
	"streamsql/connectors/print"
	"streamsql/exec/connector"
	"streamsql/nexmark"
)

// All lists the connectors, in the order of the reference.
func All() []connector.Definition {
	return []connector.Definition{
		blackhole.Definition,
		datagen.Definition,
		filesystem.Definition,
		nexmark.Definition,
		print.Definition,
	}
}
