// Package shell is the session that a user sees: it reads statements and commands from a terminal or a script, shows
// results as they come, and tells how a stream gets on.
//
// It does not know flags, nor how statements are cut, planned or run.
//
// Invariants:
//
//	H1 no escape sequence, prompt or progress goes to what is no terminal.
//	H2 the terminal is left as it was found, whatever ends the program.
//	H3 a file or a text ends at its first error; a session at a terminal goes on.
//	H4 one goroutine reads keys at a time, and none does while another program has the terminal.
//	H5 what is drawn over and over, status line and live table, is drawn ten times a second at most.
package shell
