package filesystem

import (
	"testing"

	"streamsql/exec/connector"
)

// TestSkips: what is ignored is counted: rows that are none and values that are none of their columns.
func TestSkips(t *testing.T) {
	for _, c := range []struct {
		format, text string
		want         skips
	}{
		{"csv", "1,x\n2,y,z\n3\nq,x\n4,\"x\"y\n5,x\n", skips{rows: 2, values: 2}},
		{"json", `{"a": 1}` + "\nnope\n[1, {\"a\": \"q\"}]\n7\n", skips{rows: 3, values: 1}},
		{"debezium-json", `{"op":"c","after":{"a":"q"}}` + "\n" + `{"op":"u","after":{"a":1}}` + "\n{}\n", skips{rows: 2, values: 1}},
	} {
		s, err := open(t, ab, nil, map[string]string{"path": write(t, "f", c.text), "format": c.format, c.format + ".ignore-parse-errors": "true"})
		if err != nil {
			t.Fatal(err)
		}
		splits, err := s.Splits(1)
		if err != nil {
			t.Fatal(err)
		}
		var last connector.Reader
		if _, err := readFrom(t, s, splits, 1, func(r connector.Reader, _ connector.Read, _ string) { last = r }); err != nil {
			t.Fatal(c.format, err)
		}
		got := last.(connector.Counted).Counters()
		if got[0].Value != c.want.rows || got[1].Value != c.want.values {
			t.Errorf("%s: %v, want %v", c.format, got, c.want)
		}
	}
}
