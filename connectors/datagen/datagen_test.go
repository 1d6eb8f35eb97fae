package datagen

import (
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	integer = types.Of(types.Int)
	str     = types.String()
)

func table(columns []connector.Column, opts map[string]string) (connector.Source, error) {
	o := Definition.Options()
	if err := option.Decode(o, opts); err != nil {
		return nil, err
	}
	return Definition.Source(&connector.Table{Name: "t", Columns: columns, Options: o})
}

// read runs subtask k of n for at most limit rows.
func read(t *testing.T, s connector.Source, k, n, limit int, each func(b *vector.Batch)) {
	t.Helper()
	splits, err := s.Splits(n)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Open(&connector.Context{MaxRows: 7, Subtask: k, Parallelism: n}, splits[k:k+1])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	for rows := 0; rows < limit; {
		x, err := r.Next()
		switch {
		case err != nil:
			t.Fatal(err)
		case x.Status == connector.End:
			return
		case x.Status == connector.Wait:
			<-x.Wake
			continue
		case x.Status == connector.Done:
			continue
		}
		rows += x.Batch.Len
		each(x.Batch)
	}
}

func TestSequence(t *testing.T) {
	cols := []connector.Column{{Name: "a", Type: integer}, {Name: "b.c", Type: str}, {Name: "d", Type: types.DecimalOf(5, 1)}}
	opts := map[string]string{"fields.a.kind": "sequence", "fields.a.start": "5", "fields.a.end": "14", "fields.b.c.length": "3",
		"fields.d.kind": "sequence", "fields.d.start": "1", "fields.d.end": "99", "rows-per-second": "1000000"}
	s, err := table(cols, opts)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Bounded() {
		t.Error("a sequence has an end")
	}
	for n, want := range map[int]string{1: "5 6 7 8 9 10 11 12 13 14 ", 3: "5 8 11 14 6 9 12 7 10 13 "} {
		var got strings.Builder
		for k := range n {
			read(t, s, k, n, 100, func(b *vector.Batch) {
				for i := range b.Len {
					got.Write(append(text.AppendCell(nil, b.Cols[0], i), ' '))
					if len(vector.Text(b.Cols[1], i)) != 3 {
						t.Errorf("a text of %q", vector.Text(b.Cols[1], i))
					}
				}
			})
		}
		if got.String() != want {
			t.Errorf("%d subtasks: %s", n, got.String())
		}
	}
}

func TestRandom(t *testing.T) {
	var cols []connector.Column
	for _, typ := range []types.Type{types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.SmallInt), integer,
		types.Of(types.BigInt), types.Of(types.Float), types.Of(types.Double), types.DecimalOf(10, 2), types.DecimalOf(38, 18),
		types.CharOf(4), types.VarcharOf(5), str, types.Bytes(), types.Of(types.Date), types.TimeOf(3), types.TimestampOf(3),
		types.TimestampLTZOf(9), types.Of(types.IntervalDay), types.Of(types.IntervalMonth), types.MapOf(str, integer),
		types.ArrayOf(types.RowOf(types.Field{Name: "x", Type: integer}, types.Field{Name: "y", Type: types.CharOf(2)})),
		types.MultisetOf(str)} {
		cols = append(cols, connector.Column{Name: string(rune('a' + len(cols))), Type: typ})
	}
	s, err := table(cols, map[string]string{"number-of-rows": "100", "fields.d.min": "-3", "fields.d.max": "3", "fields.e.null-rate": "1"})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	seen := map[string]bool{}
	read(t, s, 0, 1, 1000, func(b *vector.Batch) {
		rows += b.Len
		for i := range b.Len {
			for k, c := range b.Cols {
				cell := string(text.AppendCell(nil, c, i))
				if null := cell == `\N`; null != (k == 4) || strings.Contains(cell, "Infinity") {
					t.Fatalf("column %s of type %s holds %s", cols[k].Name, cols[k].Type, cell)
				}
				if k == 3 {
					seen[cell] = true
				}
			}
		}
	})
	if rows != 100 || len(seen) != 7 || !seen["-3"] || !seen["3"] {
		t.Errorf("%d rows, numbers %v", rows, seen)
	}
}

func TestRate(t *testing.T) {
	s, err := table([]connector.Column{{Name: "a", Type: integer}}, map[string]string{"rows-per-second": "100"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Bounded() {
		t.Error("there is no end")
	}
	from := time.Now()
	read(t, s, 0, 1, 21, func(*vector.Batch) {})
	if d := time.Since(from); d < 190*time.Millisecond || d > 5*time.Second {
		t.Errorf("21 rows at 100 a second took %v", d)
	}
}

func TestRefusals(t *testing.T) {
	cols := []connector.Column{{Name: "a", Type: integer}, {Name: "b", Type: types.Of(types.Boolean)}}
	for _, c := range []struct{ opts, want string }{
		{"number-of-rows=x", "invalid value 'x' for option 'number-of-rows'"},
		{"nope=1", "unknown option 'nope'"},
		{"fields.zz.kind=sequence", "unknown option 'fields.zz.kind': there is no column 'zz'"},
		{"fields.a.nope=1", "column 'a': unknown option 'nope'"},
		{"fields.a.kind=sequence fields.a.start=1", "a sequence needs 'fields.a.start' and 'fields.a.end'"},
		{"fields.a.kind=sequence fields.a.start=2 fields.a.end=1", "'fields.a.start' must not be greater than 'fields.a.end'"},
		{"fields.b.kind=sequence fields.b.start=1 fields.b.end=2", "a sequence cannot be of type BOOLEAN"},
		{"fields.a.start=1", "need 'fields.a.kind' = 'sequence'"},
		{"fields.a.min=5 fields.a.max=4", "'fields.a.min' must not be greater than 'fields.a.max'"},
		{"fields.a.max=3000000000", "invalid value '3000000000' for option 'fields.a.max'; expected a number that is a value of INT"},
	} {
		opts := map[string]string{}
		for _, o := range strings.Fields(c.opts) {
			k, v, _ := strings.Cut(o, "=")
			opts[k] = v
		}
		if _, err := table(cols, opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.opts, err, c.want)
		}
	}
}

// TestResume: what two subtasks left of a sequence is made by any number of them, every row once.
func TestResume(t *testing.T) {
	cols := []connector.Column{{Name: "a", Type: integer}}
	opts := map[string]string{"fields.a.kind": "sequence", "fields.a.start": "1", "fields.a.end": "100", "rows-per-second": "1000000"}
	s, err := table(cols, opts)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 5; n++ {
		splits := []connector.Split{{ID: "0/2", Position: []byte{11}}, {ID: "1/2", Position: []byte{38}}}
		left, err := s.(connector.Resumer).Resume(n, splits)
		if err != nil {
			t.Fatal(err)
		}
		if want := max(2, (n+1)/2*2); len(left) != want {
			t.Errorf("%d subtasks: %d splits, want %d", n, len(left), want)
		}
		rows := map[int32]int{}
		for _, split := range left {
			r, err := s.Open(&connector.Context{MaxRows: 7}, []connector.Split{split})
			if err != nil {
				t.Fatal(err)
			}
			for read, _ := r.Next(); read.Status != connector.End; read, _ = r.Next() {
				switch read.Status {
				case connector.Wait:
					<-read.Wake
				case connector.Rows:
					for _, v := range vector.Values[int32](read.Batch.Cols[0]) {
						rows[v]++
					}
				}
			}
			_ = r.Close()
		}
		for v := int32(1); v <= 100; v++ {
			want := 1
			if i := v - 1; i%2 == 0 && i/2 < 11 || i%2 == 1 && i/2 < 38 {
				want = 0
			}
			if rows[v] != want {
				t.Errorf("%d subtasks: %d comes %d times", n, v, rows[v])
			}
		}
	}
}

// TestShare: how much was given is known where there is an end.
func TestShare(t *testing.T) {
	r := &reader{parts: []part{{made: 5, end: 10}, {made: 0, end: 10}}}
	if share, known := r.Share(); share != 0.25 || !known {
		t.Error(share, known)
	}
	r.parts[1].end = -1
	if _, known := r.Share(); known {
		t.Error("the share of what has no end is known")
	}
}
