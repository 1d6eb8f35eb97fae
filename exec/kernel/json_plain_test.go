package kernel

import "testing"

// TestJSONPlain: every byte is told at every place of a text, and none that stands as it is ends the run.
func TestJSONPlain(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			text := []byte("abcdefghijklmnopqrstuvwx")
			text[at] = byte(c)
			want := 24
			if c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
				want = at / 8 * 8
			}
			if got := JSONPlain(text); got != want {
				t.Fatalf("byte %#x at %d: %d, want %d", c, at, got, want)
			}
		}
	}
	if JSONPlain(nil) != 0 || JSONPlain([]byte("1234567")) != 0 {
		t.Error("fewer than eight bytes are looked at")
	}
}
