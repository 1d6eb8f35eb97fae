package filesystem

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestJSONTexts: every byte at every place of a text reads back; what is no UTF-8 is the replacement character.
func TestJSONTexts(t *testing.T) {
	for b := range 256 {
		for at := range 20 {
			text := strings.Repeat("x", at) + string([]byte{byte(b)}) + strings.Repeat("y", 19-at)
			var got string
			if err := json.Unmarshal(appendJSONText(nil, []byte(text)), &got); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if want := strings.ToValidUTF8(text, "\uFFFD"); got != want {
				t.Errorf("%q: got %q", text, got)
			}
		}
	}
}
