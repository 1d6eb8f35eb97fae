// Package parse reads the Flink SQL dialect: text in, planner/syntax tree out.
//
// Statements that MySQL has no counterpart of (DDL, SET, SHOW, statement sets) are parsed
// by hand. Queries and expressions go through TiDB's parser: a shaper walks their clauses
// and operands and writes a normalised text in which every name, literal, call, alias and
// clause that the dialects spell differently is a numbered placeholder, `17`; what is left
// are the operators and clauses that both share. TiDB gives the operators their operands and
// the query blocks their structure, and the lowering turns its tree into syntax nodes,
// taking everything else from the placeholders' entries. A construct of the dialect is one
// file: how it is written down and what becomes of it.
//
// The package knows no catalog, types of expressions or session, and does not replace ${NAME}
// on its own: Substitute does, for whoever runs scripts.
//
// Invariants:
//
//  1. Every error is a *syntax.Error whose span lies inside the text that was given.
//  2. No input panics or overflows the stack: size, nesting and height of trees are bounded
//     (limit.go), and an error that hits a bound names it.
//  3. With Dialect Flink nothing is accepted that Flink's parser refuses, as far as
//     tests/testdata/flink tells; what is accepted beyond Flink stands in one list (widening.go).
//  4. The text for TiDB holds placeholders, shared operators and the words of text.go alone:
//     no literal, no MySQL function, no word of the user.
//  5. TiDB's tree is lowered before its parser returns to the pool.
package parse
