package planner

import (
	"streamsql/planner/bind"
	"streamsql/planner/catalog"
)

// Catalog is what the session has declared, to be read.
func (s *Session) Catalog() *catalog.Catalog { return s.catalog }

// BuiltInTables are those that every session can read and that listings leave out, with their database.
func (s *Session) BuiltInTables() []string { return bind.BuiltInTables() }

// FlinkFunctions lists Flink's functions by their names; a session may not have them all.
func FlinkFunctions() []string { return bind.FlinkFunctions() }
