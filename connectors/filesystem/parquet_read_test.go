package filesystem

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// foreignBid is a bid as another writer has it: with dictionaries, and NULLs.
type foreignBid struct {
	Auction int64   `parquet:"auction"`
	Price   *int64  `parquet:"price,optional,dict"`
	Channel *string `parquet:"channel,optional,dict"`
	URL     string  `parquet:"url"`
	At      int64   `parquet:"at,timestamp(millisecond:local)"`
}

var foreignBidColumns = []connector.Column{{Name: "auction", Type: types.Of(types.BigInt)}, {Name: "price", Type: types.Of(types.BigInt)},
	{Name: "channel", Type: str}, {Name: "url", Type: str}, {Name: "at", Type: types.TimestampOf(3)}}

func foreignBids(n int) []foreignBid {
	r := rand.New(rand.NewPCG(7, 7))
	out := make([]foreignBid, n)
	for i := range out {
		b := foreignBid{Auction: r.Int64N(1 << 40), URL: fmt.Sprintf("https://www.nexmark.com/%016x/item.htm?query=1&channel_id=%d", r.Uint64(), r.IntN(1e9)),
			At: 1_700_000_000_000 + int64(i)}
		if r.IntN(4) > 0 {
			p, c := r.Int64N(50), fmt.Sprintf("channel-%d", r.IntN(1000))
			b.Price, b.Channel = &p, &c
		}
		out[i] = b
	}
	return out
}

func writeForeign(t testing.TB, n int, options ...parquet.WriterOption) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bids.parquet")
	if err := parquet.WriteFile(path, foreignBids(n), options...); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestParquetDictionaries: texts with a dictionary stay codes, and all values are those that were written, over pages and row groups.
func TestParquetDictionaries(t *testing.T) {
	bids := foreignBids(5000)
	path := writeForeign(t, 5000, parquet.MaxRowsPerRowGroup(1700), parquet.PageBufferSize(3000))
	s, err := open(t, foreignBidColumns, nil, map[string]string{"path": path, "format": "parquet"})
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	got, err := readFrom(t, s, []connector.Split{{ID: path}}, 1000, func(_ connector.Reader, r connector.Read, _ string) {
		if r.Batch.Cols[2].Enc == vector.Dict {
			codes += r.Batch.Len
		}
	})
	if err != nil || codes != 5000 {
		t.Fatalf("%d rows have codes, %v", codes, err)
	}
	for i, line := range strings.Split(strings.TrimSpace(got), "\n") {
		b := bids[i]
		price, channel := "\\N", "\\N"
		if b.Price != nil {
			price, channel = fmt.Sprint(*b.Price), *b.Channel
		}
		if want := fmt.Sprintf("%d %s %s %s %s", b.Auction, price, channel, b.URL, time.UnixMilli(b.At).UTC().Format("2006-01-02 15:04:05.000")); line != want {
			t.Fatalf("row %d: got %s, want %s", i, line, want)
		}
	}
}

// TestParquetUTC: instants of a file are TIMESTAMPs only where that is asked for.
func TestParquetUTC(t *testing.T) {
	cols := columns(types.TimestampLTZOf(3))
	dir := filepath.Join(t.TempDir(), "k")
	insert(t, cols, nil, map[string]string{"path": dir, "format": "parquet"}, `{"a":"2024-01-02 03:04:05Z"}`)
	for utc, want := range map[string]string{"true": "2024-01-02 03:04:05.000\n", "false": ""} {
		s, err := open(t, columns(types.TimestampOf(3)), nil, map[string]string{"path": dir, "format": "parquet", "parquet.utc-timezone": utc})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(t, s, 10)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("utc-timezone %s: got %q, %v", utc, got, err)
		}
	}
}

// TestParquetWritesUTC: a TIMESTAMP is written as an instant where that is asked for, and is the same when it is read.
func TestParquetWritesUTC(t *testing.T) {
	cols := columns(types.TimestampOf(6), types.ArrayOf(types.TimestampOf(3)))
	opts := map[string]string{"path": filepath.Join(t.TempDir(), "k"), "format": "parquet", "parquet.utc-timezone": "true"}
	insert(t, cols, nil, opts, `{"a":"2024-01-02 03:04:05.123456","b":["2024-01-02 03:04:05"]}`)
	in, err := infer("parquet", opts["path"], nil)
	if err != nil || in.Columns[0].Type.Kind != types.TimestampLTZ || in.Columns[1].Type.Elem().Kind != types.TimestampLTZ {
		t.Errorf("columns %v: %v", in.Columns, err)
	}
	s, err := open(t, cols, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readAll(t, s, 10); err != nil || got != "2024-01-02 03:04:05.123456 [2024-01-02 03:04:05.000]\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// BenchmarkParquetRead reads bids, all columns of them and one.
func BenchmarkParquetRead(b *testing.B) {
	const rows = 1 << 18
	for _, codec := range []string{"none", "snappy", "zstd"} {
		option := map[string]parquet.WriterOption{"none": parquet.Compression(&parquet.Uncompressed), "snappy": parquet.Compression(&parquet.Snappy),
			"zstd": parquet.Compression(&parquet.Zstd)}[codec]
		path := writeForeign(b, rows, option)
		for name, need := range map[string][]connector.Path{"all": nil, "one": {{0}}} {
			b.Run(codec+"/"+name, func(b *testing.B) {
				s := newSource(&connector.Table{Columns: foreignBidColumns}, &options{Path: path, Format: "parquet",
					Parquet: parquetOptions{PageLimit: 256 << 20}})
				s.Push(connector.Request{Need: need})
				b.ReportAllocs()
				for b.Loop() {
					drain(b, s, path, rows)
				}
				b.ReportMetric(float64(b.N*rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			})
		}
	}
}

// drain reads a file to its end.
func drain(b *testing.B, s *source, path string, rows int) {
	r, err := s.Open(&connector.Context{MaxRows: 4096, Env: &function.Env{Zone: time.UTC}}, []connector.Split{{ID: path}})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	n := 0
	for {
		read, err := r.Next()
		switch {
		case err != nil:
			b.Fatal(err)
		case read.Status == connector.End:
			if n != rows {
				b.Fatalf("%d rows", n)
			}
			return
		case read.Status == connector.Wait:
			<-read.Wake
		case read.Status == connector.Rows:
			n += read.Batch.Len
		}
	}
}

// BenchmarkTextRead reads bids as csv and json, from files.
func BenchmarkTextRead(b *testing.B) {
	const rows = 1 << 17
	for _, format := range []string{"csv", "json"} {
		path := filepath.Join(b.TempDir(), "bids."+format)
		var out []byte
		for _, x := range foreignBids(rows) {
			price, channel := int64(17), "Google"
			if x.Price != nil {
				price, channel = *x.Price, *x.Channel
			}
			at := time.UnixMilli(x.At).UTC().Format("2006-01-02 15:04:05.000")
			form := "%d,%d,%s,%s,%s\n"
			if format == "json" {
				form = `{"auction":%d,"price":%d,"channel":"%s","url":"%s","at":"%s"}` + "\n"
			}
			out = fmt.Appendf(out, form, x.Auction, price, channel, x.URL, at)
		}
		if err := os.WriteFile(path, out, 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(format, func(b *testing.B) {
			s := newSource(&connector.Table{Columns: foreignBidColumns}, &options{Path: path, Format: format, CSV: csvOptions{Delimiter: ","}})
			b.SetBytes(int64(len(out)))
			b.ReportAllocs()
			for b.Loop() {
				drain(b, s, path, rows)
			}
			b.ReportMetric(float64(b.N*rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}
