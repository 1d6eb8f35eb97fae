package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// TestHints: what is wrong with a file has its place, and a hint that names the option.
func TestHints(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone.csv")
	for _, c := range []struct {
		name, file, text, format, place, says, hint string
		columns                                     []connector.Column
	}{
		{"a value", "a.csv", "1,a\nx,b\n", "csv", "a.csv, line 2", `"x" is no INT`, "'csv.ignore-parse-errors' = 'true'", ab},
		{"a header", "h.csv", "a,b\n1,x\n", "csv", "h.csv, line 1", `"a" is no INT`, "'csv.header' = 'true'", ab},
		{"a line", "a.json", "{\"a\":1}\n{", "json", "a.json, line 2", "no valid JSON", "'json.ignore-parse-errors' = 'true'", ab},
		{"no gzip", "a.csv.gz", "1,a\n", "csv", "a.csv.gz", "cannot be unpacked", ".gz", ab},
		{"cut off", "b.csv.gz", "\x1f\x8b\x08\x00", "csv", "b.csv.gz", "cannot be unpacked", "cut off", ab},
		{"no snappy", "a.csv.snappy", "1,a\n", "csv", "a.csv.snappy", "cannot be unpacked", ".snappy", ab},
		{"no Parquet", "a.parquet", "1,a\n2,b\n3,c\n4,d\n", "parquet", "a.parquet", "no Parquet file", "", ab},
		{"no file", "", "", "csv", "", "does not exist", "'path' = '" + gone, ab},
	} {
		path := gone
		if c.file != "" {
			path = write(t, c.file, c.text)
		}
		s, err := open(t, c.columns, nil, map[string]string{"path": path, "format": c.format})
		if err == nil {
			_, err = readAll(t, s, 10)
		}
		var x *connector.Error
		if !errors.As(err, &x) || !strings.HasSuffix(x.Place, c.place) || !strings.Contains(x.Err.Error(), c.says) ||
			!strings.Contains(x.Hint, c.hint) {
			t.Errorf("%s: %v, %+v", c.name, err, x)
		}
	}
}

// TestMetadataKey: a metadata column that there is not is refused where the table is opened.
func TestMetadataKey(t *testing.T) {
	for _, c := range []struct {
		key        string
		typ        types.Type
		says, hint string
	}{
		{"file.nam", str, "'file.nam', which the connector", "did you mean 'file.name'?"},
		{"file.size", str, "'file.size', which is no STRING", "'file.size' as BIGINT"},
	} {
		columns := append(columns(integer), connector.Column{Name: "m", Type: c.typ, Metadata: c.key})
		_, err := open(t, columns, nil, map[string]string{"path": os.DevNull, "format": "csv"})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.hint) {
			t.Errorf("%s: %v", c.key, err)
		}
	}
}
