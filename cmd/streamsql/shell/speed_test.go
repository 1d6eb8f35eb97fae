package shell

import (
	"testing"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// BenchmarkComplete is how long a word takes to be completed: 20 ms are what nobody notices.
func BenchmarkComplete(b *testing.B) {
	s := benchmarkShell(b)
	for name, line := range map[string]string{
		"keyword": "SEL", "table": "SELECT * FROM nex", "column": "SELECT pr", "function": "SELECT REGEXP_E",
		"columns of two": "SELECT b.price, a.it FROM nexmark.bid AS b JOIN nexmark.auction AS a ON b.auction = a.",
		"option":         "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', '", "setting": "SET 'ex", "command": `\pset fo`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.complete("", line)
			}
		})
	}
}

// BenchmarkPaint is how long the colours of a statement take at each key.
func BenchmarkPaint(b *testing.B) {
	s := benchmarkShell(b)
	s.color = true
	line := []rune("SELECT auction, COUNT(*) AS n FROM nexmark.bid WHERE price > 1000 AND channel = 'Apple' GROUP BY auction;")
	for b.Loop() {
		s.paint(line)
	}
}

// BenchmarkFold is what a change costs a table that is drawn again.
func BenchmarkFold(b *testing.B) {
	const n = 1000
	keys, before, after := make([]int64, 2*n), 0, 0
	counts := make([]int64, 2*n)
	kinds := make([]vector.RowKind, 2*n)
	batch := &vector.Batch{Len: n, Cols: make([]*vector.Column, 2)}
	fill := func(kind func(i int) (vector.RowKind, int64), rows int) {
		for i := range rows {
			keys[i] = int64(i / 2 * (rows / n)) // pairs of -U and +U
			if rows == n {
				keys[i] = int64(i)
			}
			kinds[i], counts[i] = kind(i)
		}
		batch.Len, batch.Kinds = rows, kinds[:rows]
		batch.Cols[0] = vector.OfSlice(types.Of(types.BigInt), keys[:rows])
		batch.Cols[1] = vector.OfSlice(types.Of(types.BigInt), counts[:rows])
	}
	r := newRows(1000)
	take := func() {
		for i := range batch.Len {
			if err := r.take(batch, i, render.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
	fill(func(int) (vector.RowKind, int64) { return vector.Insert, 0 }, n)
	take()
	for b.Loop() {
		before, after = after, after+1
		fill(func(i int) (vector.RowKind, int64) {
			if i%2 == 0 {
				return vector.UpdateBefore, int64(before)
			}
			return vector.UpdateAfter, int64(after)
		}, 2*n)
		for i := range 2 * n {
			keys[i] = int64(i / 2)
		}
		take()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*2*n), "ns/change")
}

func benchmarkShell(b *testing.B) *Shell {
	s, _, _ := newShell(b)
	return s
}
