// Package catalog keeps what a session has declared: catalogs, databases, tables, views, functions and
// settings, by name.
//
// It does not know expressions' types, plans or the text of statements: planner/bind checks a
// declaration before it is put here, and resolves what is taken out.
//
// Invariants:
//
//	K1 names are case-sensitive, function names are not.
//	K2 a temporary object hides the permanent one of its name.
//	K3 what is put into a catalog is not changed afterwards.
//	K4 listings are sorted by name.
package catalog
