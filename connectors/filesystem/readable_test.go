package filesystem

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUnreadable: what is not read is refused before it is read as something else.
func TestUnreadable(t *testing.T) {
	gz := write(t, "a.csv.gz", "1,x\n")
	for path, want := range map[string]string{
		gz:                                       "not supported: the compressed file " + gz,
		filepath.Dir(gz):                         "not supported: the compressed file " + gz,
		filepath.Join(filepath.Dir(gz), "*.csv"): "not supported: patterns in 'path'",
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
