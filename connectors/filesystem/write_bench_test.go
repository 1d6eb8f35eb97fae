//go:build unix

package filesystem

import (
	"fmt"
	"io"
	"syscall"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var bidColumns = []connector.Column{{Name: "auction", Type: types.Of(types.BigInt)}, {Name: "bidder", Type: types.Of(types.BigInt)},
	{Name: "price", Type: types.Of(types.BigInt)}, {Name: "channel", Type: str}, {Name: "url", Type: str},
	{Name: "dateTime", Type: types.TimestampOf(3)}, {Name: "extra", Type: str}}

// bids is a batch of rows like those of Nexmark, about 150 bytes each as CSV.
func bids(rows int) *vector.Batch {
	b := &vector.Batch{Len: rows}
	var out []*vector.Builder
	for _, c := range bidColumns {
		out, b.Cols = append(out, vector.NewBuilder(c.Type)), append(b.Cols, &vector.Column{})
	}
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for i := range rows {
		h := uint64(i)*0x9E3779B97F4A7C15 ^ 0xD1B54A32D192ED03
		out[0].AppendInt(1000 + int64(i/50) + int64(h%100))
		out[1].AppendInt(1000 + int64(h>>7%5000))
		out[2].AppendInt(int64(h >> 40))
		channel := [...]string{"Google", "Facebook", "Baidu", "Apple", "channel-4711"}[h>>3%5]
		out[3].AppendString(channel)
		out[4].AppendString(fmt.Sprintf("https://www.nexmark.com/%s/%x/item.htm?query=1&channel_id=%d", letters[h%20:h%20+5], h>>44, h>>50))
		out[5].AppendInt(1436918400000 + int64(i)/10)
		var extra [40]byte
		for k := range extra {
			extra[k] = letters[(h>>(k%48)+uint64(k)*7)%uint64(len(letters))]
		}
		out[6].AppendString(string(extra[:20+h%20]))
	}
	for i, o := range out {
		o.Finish(b.Cols[i])
	}
	return b
}

// BenchmarkWrite is what formats cost, rows to bytes, and the way of a row through the writer to its file.
func BenchmarkWrite(b *testing.B) {
	batch := bids(1024)
	// By the time of the processor, which a loaded machine gives in pieces.
	var began float64
	report := func(b *testing.B) {
		b.ReportMetric(float64(b.N*batch.Len)/(processor()-began)/1e6, "Mrows/CPU-s")
	}
	for _, format := range []string{"csv", "json"} {
		b.Run(format, func(b *testing.B) {
			w := benchWriter(b, map[string]string{"format": format})
			b.ReportAllocs()
			began = processor()
			for b.Loop() {
				if err := w.Write(batch); err != nil {
					b.Fatal(err)
				}
			}
			report(b)
		})
	}
	for _, codec := range []string{"UNCOMPRESSED", "SNAPPY", "ZSTD"} {
		b.Run("parquet/"+codec, func(b *testing.B) {
			w := newParquetFiles(&options{Parquet: parquetOptions{Compression: codec, GroupSize: 32 << 20}}, bidColumns)(io.Discard)
			b.ReportAllocs()
			began = processor()
			for b.Loop() {
				if err := w.write(batch.Cols, 0, batch.Len); err != nil {
					b.Fatal(err)
				}
			}
			report(b)
		})
	}
}

// processor is how many seconds of it the process has had.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// benchWriter writes bids where files go nowhere.
func benchWriter(b *testing.B, opts map[string]string) *writer {
	b.Helper()
	all := map[string]string{"path": b.TempDir(), "sink.rolling-policy.file-size": "1gb"}
	for k, v := range opts {
		all[k] = v
	}
	s, err := sinkOf(bidColumns, nil, all)
	if err != nil {
		b.Fatal(err)
	}
	c, err := s.Open(&connector.Context{Parallelism: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Abort() })
	return c.(*writer)
}
