// Package tests holds the tests that look at the product as a whole: the structure of its code, the
// corpus of Flink's outcomes, the Nexmark answers, sameness and the command line.
//
// It does not know how any of it is built.
package tests
