package network

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/types"
)

// feed runs a script of words over a valve: 0@5 a watermark of channel 0, 0i idle, 0a active, 0x finished; it returns
// what comes out: numbers, i and a.
func feed(v *valve, script string) string {
	var out []string
	for word := range strings.FieldsSeq(script) {
		var c int
		var at int64
		switch {
		case strings.Contains(word, "@"):
			fmt.Sscanf(word, "%d@%d", &c, &at)
			v.input(c, mark{kind: watermarkMark, at: types.EventTime(at)})
		default:
			fmt.Sscanf(word, "%d", &c)
			switch word[len(word)-1] {
			case 'i':
				v.input(c, mark{kind: idleMark})
			case 'a':
				v.input(c, mark{kind: activeMark})
			case 'x':
				v.finish(c)
			}
		}
		for _, m := range v.out {
			switch m.kind {
			case watermarkMark:
				out = append(out, fmt.Sprint(m.at))
			case idleMark:
				out = append(out, "i")
			default:
				out = append(out, "a")
			}
		}
		v.out = v.out[:0]
	}
	return strings.Join(out, " ")
}

func TestValve(t *testing.T) {
	for _, c := range []struct {
		name     string
		channels int
		in, out  string
	}{
		{"minimum", 2, "0@5 1@3 1@7 0@6", "3 5 6"},
		{"no step back", 1, "0@5 0@4 0@5 0@6", "5 6"},
		{"idle leaves the minimum", 2, "0@5 1@3 1i 0@9", "3 5 9"},
		{"idle does not speak", 2, "1i 1@9 0@4", "4"},
		{"active again has to catch up", 2, "0@5 1@3 1i 0@9 1a 1@7 0@10 1@9 1@11", "3 5 9 10"},
		{"all idle", 2, "0@5 1@3 0i 1i", "3 5 i"},
		{"all idle the other way (FLINK-38454)", 2, "0@5 1@3 1i 0i", "3 5 i"},
		{"all idle, behind (FLINK-38454)", 3, "0@5 1@3 2@4 0i 2i 1i", "3 5 i"},
		{"active after all were idle", 2, "0@5 1@3 0i 1i 1a 1@4 1@8 0@9 0a 0@9", "3 5 i a 8"},
		{"a finished channel leaves", 2, "0@5 1@3 1x 0@6", "3 5 6"},
		{"a finished channel sets nothing", 2, "0@5 1@3 0x 1@4", "3 4"},
		{"finished beside idle (FLINK-39586)", 2, "0@5 1@3 0i 1x", "3 5 i"},
		{"finished beside idle, further on", 2, "0@5 1@9 0i 1x", "5 9 i"},
		{"all finished", 2, "0@5 1@5 0x 1x", "5"},
		{"the end", 2, "0@9223372036854775807 1@9223372036854775807 0x 1x", "9223372036854775807"},
	} {
		v := newValve(c.channels)
		if got := feed(v, c.in); got != c.out {
			t.Errorf("%s: %s gives %q, want %q", c.name, c.in, got, c.out)
		}
	}
	if !newValve(0).idle {
		t.Error("a valve without channels is idle (FLINK-39586)")
	}
}

// TestValveAgainstScan compares the heap with a plain scan over random inputs, with a snapshot and restore in between.
func TestValveAgainstScan(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		n := 1 + r.IntN(6)
		v := newValve(n)
		last := v.last
		for range 200 {
			c := r.IntN(n)
			moved := false
			switch k := r.IntN(20); {
			case k < 15:
				was := v.channels[c].at
				v.input(c, mark{kind: watermarkMark, at: types.EventTime(r.IntN(200))})
				moved = v.channels[c].at > was
			case k < 17:
				v.input(c, mark{kind: idleMark})
			case k < 19:
				v.input(c, mark{kind: activeMark})
			case k == 19 && r.IntN(20) == 0:
				v.finish(c)
			default:
				s := v.snapshot()
				finished := v.channels
				v = newValve(n)
				for i := range finished {
					v.channels[i].finished = finished[i].finished
					if finished[i].finished {
						v.finished++
					}
				}
				v.restore(s)
			}
			for _, m := range v.out {
				if m.kind == watermarkMark {
					if m.at <= last {
						t.Fatalf("watermark %d after %d", m.at, last)
					}
					last = m.at
				}
			}
			v.out = v.out[:0]
			least, aligned := types.MaxTime, 0
			for i, c := range v.channels {
				if c.place >= 0 && (c.idle || c.finished || v.heap[c.place] != i) {
					t.Fatalf("channel %d at place %d", i, c.place)
				}
				if c.place >= 0 {
					least, aligned = min(least, c.at), aligned+1
				}
			}
			if aligned != len(v.heap) || moved && aligned > 0 && v.last < least {
				t.Fatalf("passed %d, the minimum of %d channels is %d", v.last, aligned, least)
			}
		}
	}
}
