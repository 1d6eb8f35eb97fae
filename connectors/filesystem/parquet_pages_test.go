package filesystem

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClaims: a struct is as long as its bytes, and nothing in it is longer than those that follow.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		name string
		b    []byte
		n    int // 0 when it is refused
	}{
		{"none", []byte{0, 9}, 1},
		{"numbers", []byte{0x15, 2, 0x26, 0x80, 1, 0x11, 0x12, 0}, 8},
		{"a text", []byte{0x18, 2, 'a', 'b', 0}, 5},
		{"a long text", []byte{0x18, 0xff, 0xff, 0xff, 0xff, 7, 'a', 0}, 0},
		{"a list of texts", []byte{0x19, 0x28, 1, 'a', 0, 0}, 6},
		{"a list of 2 billion", []byte{0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0, 0, 0}, 0},
		{"a map of 2 billion", []byte{0x1b, 0xff, 0xff, 0xff, 0xff, 7, 0x88, 0, 0}, 0},
		{"a struct in a struct", []byte{0x1c, 0x15, 4, 0, 0}, 5},
		{"no end", []byte{0x15, 2}, 0},
		{"no type", []byte{0x1f, 2, 0}, 0},
		{"deep", bytes.Repeat([]byte{0x1c}, 100), 0},
	} {
		var s claims
		n, err := s.check(c.b)
		if n != c.n || (err == nil) != (c.n > 0) {
			t.Errorf("%s: %d, %v, want %d", c.name, n, err, c.n)
		}
	}
	var s claims
	if _, err := s.check([]byte{0x15, 2, 0x26, 0x80, 1, 0x2c, 0x15, 7, 0, 0}); err != nil || s.numbers[1] != 1 || s.numbers[3] != 64 ||
		s.parts[5][1] != -4 {
		t.Errorf("%v, numbers %v, of field 5 %v", err, s.numbers, s.parts[5])
	}
}

// TestParquetClaims: what a file claims beyond what it has, or a page may have, is refused with its place.
func TestParquetClaims(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	insert(t, ab, nil, map[string]string{"path": dir, "format": "parquet"}, strings.Repeat(`{"a":1,"b":"some text"}`+"\n", 500))
	names, _ := filepath.Glob(filepath.Join(dir, "part-*"))
	whole, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, limit, want string
		change            func(b []byte)
	}{
		{"a page", "20", "column 'a': the page at byte 4", func([]byte) {}},
		{"the footer", "1mb", "the footer of 4294967295 bytes", func(b []byte) { binary.LittleEndian.PutUint32(b[len(b)-8:], 1<<32-1) }},
		{"a list in it", "1mb", "the footer of", func(b []byte) {
			n := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
			copy(b[len(b)-8-n:], []byte{0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7})
		}},
		{"what is packed", "1mb", "what is packed says", func(b []byte) {
			at := bytes.LastIndex(b, []byte("\xee#")) // 4590, of the texts and their lengths
			copy(b[at:], []byte{0xff, 0xff, 0xff, 0xff, 7})
		}},
	} {
		b := bytes.Clone(whole)
		c.change(b)
		s, err := open(t, ab, nil, map[string]string{"path": write(t, "f.parquet", string(b)), "format": "parquet", "parquet.page-limit": c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(t, s, 10); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "f.parquet") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
