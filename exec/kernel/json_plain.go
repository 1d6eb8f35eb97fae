package kernel

import "encoding/binary"

// JSONPlain is how many bytes of t, by eights, come before one that JSON may have to write in another way: a control
// character, a quote, a backslash, or one that is not ASCII.
func JSONPlain(t []byte) int {
	n := 0
	for ; n+8 <= len(t); n += 8 {
		w := binary.LittleEndian.Uint64(t[n:])
		quote, slash := w^'"'*lowBits, w^'\\'*lowBits
		// Below the top bit, a byte that is 0 less 1 borrows it, and so does one below the blank less the blank.
		if (w|(w-' '*lowBits)|(quote-lowBits)&^quote|(slash-lowBits)&^slash)&highBits != 0 {
			break
		}
	}
	return n
}
