package filesystem

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"streamsql/exec/connector"
)

// bz2 is "1,x\n2,y\n" as bzip2 packs it: the library only unpacks.
var bz2 = "BZh91AY&SY,|:R\x00\x00\x02X\x80\x00\x10\x00\x040\x00\x00`\x20\x00!\xa6\x99\xa0\xc0\x02\x95\x0b\x0b\xb9\x22\x9c(H\x16>\x1d)\x00"

// packed is a text in each of the compressions; several frames, where those may follow each other.
func packed(t *testing.T, text string) map[string]string {
	t.Helper()
	pack := func(w func(io.Writer) io.WriteCloser) string {
		var b bytes.Buffer
		for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
			c := w(&b)
			if _, err := io.WriteString(c, part); err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	return map[string]string{
		".gz":     pack(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }),
		".s2":     pack(func(w io.Writer) io.WriteCloser { return s2.NewWriter(w) }),
		".snappy": pack(func(w io.Writer) io.WriteCloser { return snappy.NewBufferedWriter(w) }),
		".zst": pack(func(w io.Writer) io.WriteCloser {
			c, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}),
	}
}

// TestPacked: compressed files are read as what they hold, also from a position within; damaged ones are errors.
func TestPacked(t *testing.T) {
	var rows strings.Builder
	for range 10_000 {
		rows.WriteString("1,some text\n2,other\n")
	}
	for ext, content := range packed(t, rows.String()) {
		path := write(t, "a.csv"+ext, content)
		s, err := open(t, ab, nil, map[string]string{"path": path, "format": "csv"})
		if err != nil {
			t.Fatal(err)
		}
		var at []byte
		before := 0
		all, err := readFrom(t, s, []connector.Split{{ID: path}}, 5000, func(r connector.Reader, _ connector.Read, rows string) {
			if len(rows) < 150_000 {
				at, _ = r.Position(0)
				before = len(rows)
			}
		})
		if err != nil || strings.Count(all, "\n") != 20_000 {
			t.Fatalf("%s: %d rows, %v", ext, strings.Count(all, "\n"), err)
		}
		rest, err := readFrom(t, s, []connector.Split{{ID: path, Position: at}}, 100, nil)
		if err != nil || rest != all[before:] {
			t.Errorf("%s: %d bytes of rows, want %d: %v", ext, len(rest), len(all)-before, err)
		}
		if err := os.WriteFile(path, []byte(content[:len(content)-3]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(t, s, 1000); err == nil || !strings.Contains(err.Error(), "read "+path) {
			t.Errorf("%s, cut: %v", ext, err)
		}
		if _, err := readFrom(t, s, []connector.Split{{ID: path, Position: at}}, 100, nil); err == nil || !strings.Contains(err.Error(), "bytes when it was read before") {
			t.Errorf("%s, resumed after a cut: %v", ext, err)
		}
	}
}

// TestBzip2: the library only unpacks, so that this one is small.
func TestBzip2(t *testing.T) {
	s, err := open(t, ab, nil, map[string]string{"path": write(t, "a.csv.bz2", bz2), "format": "csv"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readAll(t, s, 10); err != nil || got != "1 x\n2 y\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestChanged: a file that is written to while it is read is said.
func TestChanged(t *testing.T) {
	path := write(t, "a.csv", strings.Repeat("1,x\n", 600_000))
	s, err := open(t, ab, nil, map[string]string{"path": path, "format": "csv"})
	if err != nil {
		t.Fatal(err)
	}
	cut := false
	_, err = readFrom(t, s, []connector.Split{{ID: path}}, 5000, func(connector.Reader, connector.Read, string) {
		if !cut {
			cut = true
			if err := os.Truncate(path, 1000); err != nil {
				t.Error(err)
			}
		}
	})
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "files of a table never change") {
		t.Errorf("got %v", err)
	}
}
