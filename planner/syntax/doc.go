// Package syntax is the tree of the Flink SQL dialect: statements, queries, table
// references, expressions and types as the user wrote them.
//
// It knows no names, no types of expressions and no parser: planner/parse builds the
// tree, planner/bind gives it meaning. It also holds Error, the one shape of every
// error that concerns a place in SQL text.
//
// Invariants:
//
//  1. Every node carries a Span: byte offsets into the text that was parsed.
//     A parent's span covers the spans of its children.
//  2. Statement, Query, TableRef, Expr and Pattern are sealed: a type switch over the
//     types of this package is complete.
//  3. A node is never changed after the parser has returned it; trees may be shared
//     between goroutines.
//  4. An optional child that is absent is nil; an optional list is empty.
//  5. Identifiers keep their case. Keywords, units and type names are upper case.
package syntax
