package connector

import "strings"

// Error is what went wrong outside: with a file, a row of it, a device.
type Error struct {
	// Place says where, as `bids.csv, line 3`; may be empty.
	Place string
	// Hint is what to do about it, with the name of the option if there is one; may be empty.
	Hint string
	// Pos and End are the offsets in the statement of what led to it; End is 0 where nothing in it did.
	Pos, End int
	Err      error
}

// Error is the place and what is wrong, without the hint.
func (e *Error) Error() string {
	text := e.Err.Error()
	if e.Place == "" || strings.Contains(text, e.Place) {
		return text
	}
	return e.Place + ": " + text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
