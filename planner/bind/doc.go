// Package bind gives SQL its meaning: it resolves names against the catalog, types every expression,
// inserts Flink's implicit casts and turns queries into logical plans. It also carries out the statements
// that only concern the catalog and the session: CREATE, ALTER, DROP, SHOW, DESCRIBE, USE and SET.
//
// It does not know operators, parallelism or how a plan is run.
//
// Invariants:
//
//	B1 every error about a statement is a *syntax.Error with a code, a position and, where there are
//	   candidates, the nearest one.
//	B2 a statement that fails changes nothing in the catalog.
//	B3 what is valid and not built is bound as far as names and types go, and then refused as a whole:
//	   a plan that is returned means exactly what the text says.
//	B4 the plan of a text is a function of the text, the catalog and the settings.
package bind
