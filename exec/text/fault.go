package text

// Fault is why a text could not be read as a value; Ok is none.
type Fault string

// The faults.
const (
	Ok         Fault = ""
	Empty      Fault = "Input is empty."
	Invalid    Fault = "Invalid character found."
	Overflow   Fault = "Overflow."
	SignOnly   Fault = "Input has only positive or negative symbol."
	NotBoolean Fault = "It is none of true, t, yes, y, 1, false, f, no, n, 0."
	NotDate    Fault = "Expected format: yyyy-MM-dd."
	NotTime    Fault = "Expected format: HH:mm:ss[.fff] where HH is 00-23, mm is 00-59, ss is 00-59."
	NotInstant Fault = "Expected format: yyyy-MM-dd[ HH:mm:ss[.fffffffff]]."
	OutOfRange Fault = "Timestamps of more than 6 digits reach from 1677-09-21 to 2262-04-11."
)

// TrimSpaces cuts spaces, and nothing else, off both ends.
func TrimSpaces(t []byte) []byte {
	for len(t) > 0 && t[0] == ' ' {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1] == ' ' {
		t = t[:len(t)-1]
	}
	return t
}

// trimBlanks cuts what Java's String.trim does: every byte up to the space.
func trimBlanks(t []byte) []byte {
	for len(t) > 0 && t[0] <= ' ' {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1] <= ' ' {
		t = t[:len(t)-1]
	}
	return t
}
