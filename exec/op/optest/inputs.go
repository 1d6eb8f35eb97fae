package optest

import (
	"strings"
	"testing"

	"streamsql/exec/types"
)

// ParseInputs reads the rows of several inputs, whose lines begin with `0:`, `1:` and so on.
func ParseInputs(t *testing.T, lists [][]types.Type, s string) *Rows {
	t.Helper()
	texts := make([]strings.Builder, len(lists))
	counts := make([]int, len(lists))
	r := &Rows{}
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if at, ok := strings.CutPrefix(line, "^"); ok {
			r.turns = append(r.turns, element{watermark: true, time: eventTime(t, at)})
			continue
		}
		number, row, ok := strings.Cut(line, ":")
		in := int(number[0] - '0')
		if !ok || len(number) != 1 || in < 0 || in >= len(lists) {
			t.Fatalf("optest: a line without the number of its input: %s", line)
		}
		texts[in].WriteString(row + "\n")
		n := len(r.turns)
		if n == 0 || r.turns[n-1].watermark || r.turns[n-1].input != in {
			r.turns = append(r.turns, element{input: in, from: counts[in], to: counts[in]})
			n++
		}
		counts[in]++
		r.turns[n-1].to = counts[in]
	}
	for i, list := range lists {
		r.inputs = append(r.inputs, Parse(t, list, texts[i].String()))
	}
	return r
}

// input is the rows of one input.
func (r *Rows) input(i int) *Rows {
	if r.inputs == nil {
		return r
	}
	return r.inputs[i]
}

// pieces cuts the turns into batches of at most size.
func (r *Rows) pieces(size int) []element {
	var out []element
	for _, e := range r.turns {
		for ; !e.watermark && e.to-e.from > size; e.from += size {
			out = append(out, element{input: e.input, from: e.from, to: e.from + size})
		}
		out = append(out, e)
	}
	return out
}
