package render

import (
	"fmt"
	"io"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// BenchmarkFormats is the time that a row of bids takes to be printed, all seven columns: a million a second is a microsecond.
func BenchmarkFormats(b *testing.B) {
	cols, bids := bids(4096)
	for _, format := range []string{"csv", "tsv", "ndjson", "changelog", "table"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				f, err := New(io.Discard, Options{Format: format})
				if err != nil {
					b.Fatal(err)
				}
				if err := f.Begin(cols); err != nil {
					b.Fatal(err)
				}
				r := NewResult(f, 0)
				if err := r.Writer().Write(bids); err != nil {
					b.Fatal(err)
				}
				if err := r.End(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*bids.Len), "ns/row")
		})
	}
}

// bids are rows as nexmark.bid has them.
func bids(n int) ([]Column, *vector.Batch) {
	numbers := func(from, step int64) *vector.Column {
		v := make([]int64, n)
		for i := range v {
			v[i] = from + step*int64(i)
		}
		return vector.OfSlice(types.Of(types.BigInt), v)
	}
	texts := func(form string) *vector.Column {
		c := &vector.Column{}
		c.Reset(types.String(), n)
		w := vector.NewText(c)
		for i := range n {
			w.PutString(i, fmt.Sprintf(form, i))
		}
		w.Finish()
		return c
	}
	at := numbers(1_609_459_200_000, 7)
	at.Type = types.TimestampOf(3)
	b := &vector.Batch{Len: n, Cols: []*vector.Column{numbers(1000, 1), numbers(2000, 3), numbers(100, 977), texts("channel-%d"),
		texts("https://www.nexmark.com/wk_v/rkgu/vtph/item.htm?query=1&channel_id=%d"), at,
		texts("qyilhccmuofienawvusfvnJ_KXRZxjigkcbfktwowsxxggMZTZL`KSLH]MbfypaegpdxovIQR]P]%d")}}
	var cols []Column
	for i, name := range []string{"auction", "bidder", "price", "channel", "url", "dateTime", "extra"} {
		cols = append(cols, Column{name, b.Cols[i].Type})
	}
	return cols, b
}
