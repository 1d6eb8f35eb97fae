package exec

import (
	"strings"
	"testing"

	"streamsql/exec/types"
)

// TestJoined plays scripts: `0:5` is a watermark of input 0, `0i` and `0a` its idleness and the end of it. What
// comes out follows after `=`.
func TestJoined(t *testing.T) {
	for _, script := range []string{
		"0:5 1:3=3 1:9=5 0:7=7",
		"0:5 1:MAX=5 0:MAX=MAX",
		"0:5 1i=5 0:8=8 1a 1:6 0:9=9 1:9 0:12 1:10=10",
		"0:5 0i 1:3=3 1i=5i 0a=a 0:4 0:6=6",
		"0i 1i=i 1a=a 0a 0:1 1:1=1",
		"0:3 0i 0i 1:4=4 0a 0a 1:5=5 0:6 1:6=6",
	} {
		j := newJoined(2)
		for _, step := range strings.Fields(script) {
			in, want, _ := strings.Cut(step, "=")
			input, moved, got := int(in[0]-'0'), false, ""
			switch in[1] {
			case 'i':
				var idle bool
				if moved, idle = j.rest(input); idle {
					got = "i"
				}
			case 'a':
				if j.wake(input) {
					got = "a"
				}
			default:
				at := types.MaxTime
				if in[2:] != "MAX" {
					at = types.EventTime(in[2] - '0')
					if len(in) > 3 {
						at = at*10 + types.EventTime(in[3]-'0')
					}
				}
				moved = j.advance(input, at)
			}
			if moved && j.at == types.MaxTime {
				got = "MAX" + got
			} else if moved {
				got = strings.TrimLeft(string([]byte{byte('0' + j.at/10), byte('0' + j.at%10)}), "0") + got
			}
			if got != want {
				t.Errorf("%s: %s gave %q", script, step, got)
			}
		}
	}
}
