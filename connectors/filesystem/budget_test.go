package filesystem

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"streamsql/exec/types"
)

// TestMemory: a thousand open partitions, which rows come to in turn, need less than 300 MiB, whatever the format: with the
// collector waiting until the heap has doubled, half of that may be live.
func TestMemory(t *testing.T) {
	const partitions, most = 1000, 150 << 20
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	rows := make([]string, 0, partitions)
	text := strings.Repeat("0123456789abcdef", 640) // 10 KiB
	for k := range partitions {
		rows = append(rows, fmt.Sprintf("p%d:%d%s", k, k, text))
	}
	for _, format := range []string{"csv", "json", "parquet"} {
		t.Run(format, func(t *testing.T) {
			before := live()
			opts := map[string]string{"format": format}
			if format == "parquet" {
				opts["parquet.compression"] = "UNCOMPRESSED"
			}
			s := newStream(t, filepath.Join(t.TempDir(), "k"), opts)
			s.sink.disk.lazy, s.w.sink.disk.lazy = true, true
			for range rounds {
				s.write(rows...)
				if s.w.held > int64(s.sink.o.Memory) || s.w.handles > s.sink.o.OpenFiles {
					t.Fatalf("%d bytes are held back, %d files are open", s.w.held, s.w.handles)
				}
			}
			now := live() - before
			t.Logf("%d MiB live, %d MiB held back, %d parts", now>>20, s.w.held>>20, len(s.w.parts))
			if now > most {
				t.Errorf("%d MiB are live, at most %d", now>>20, int64(most)>>20)
			}
			if len(s.w.parts) != partitions {
				t.Errorf("%d parts are open", len(s.w.parts))
			}
			if err := s.w.Advance(types.MaxTime); err != nil {
				t.Fatal(err)
			}
			s.checkpoint()
			if s.w.held != 0 {
				t.Errorf("%d bytes are said to be held back at the end", s.w.held)
			}
			files, _ := filepath.Glob(filepath.Join(s.w.root, "*", "part-*"))
			if len(files) != partitions {
				t.Errorf("%d files, want one for each partition", len(files))
			}
		})
	}
}

// live is how much memory is in use.
func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
