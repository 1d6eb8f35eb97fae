package filesystem

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUnreadable: what is not read is refused before it is read as something else.
func TestUnreadable(t *testing.T) {
	xz := write(t, "a.csv.xz", "1,x\n")
	for path, want := range map[string]string{
		xz:                                       "not supported: the compressed file " + xz,
		filepath.Dir(xz):                         "not supported: the compressed file " + xz,
		filepath.Join(filepath.Dir(xz), "*.csv"): "no file matches ",
		filepath.Join(filepath.Dir(xz), "[*"):    "is not well formed",
	} {
		s, err := open(t, ab, nil, map[string]string{"path": path, "format": "csv"})
		if err == nil {
			_, err = s.Splits(1)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
