package filesystem

import (
	"path/filepath"
	"strings"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// TestRoundTrip: what a format writes of each type it reads back, and so does a partition's name, NULL included.
func TestRoundTrip(t *testing.T) {
	rows := strings.ReplaceAll(parquetRows, ",\n", ",")
	flat := parquetTypes
	nested := append(append([]connector.Column{}, flat...), connector.Column{Name: "r", Type: types.ArrayOf(types.Of(types.BigInt))},
		connector.Column{Name: "s", Type: types.RowOf(types.Field{Name: "x", Type: integer}, types.Field{Name: "y", Type: str})},
		connector.Column{Name: "t", Type: types.MapOf(str, types.Of(types.Double))})
	nestedRows := strings.Replace(rows, `{"a":true`, `{"r":[1,null,-3],"s":{"x":null,"y":"é"},"t":{"k":1.5,"":2},"a":true`, 1)
	for _, c := range []struct {
		format  string
		columns []connector.Column
		rows    string
		opts    map[string]string
	}{
		{"csv", flat, rows, map[string]string{"csv.null-literal": "n/a"}},
		{"csv", flat, rows, map[string]string{"csv.null-literal": "n/a", "csv.quote-character": "'", "csv.field-delimiter": `\t`}},
		{"csv", flat, rows, map[string]string{"csv.null-literal": "n/a", "csv.write-bigdecimal-in-scientific-notation": "false"}},
		{"json", nested, nestedRows, nil},
		{"json", nested, nestedRows, map[string]string{"json.timestamp-format.standard": "ISO-8601", "json.encode.decimal-as-plain-number": "true"}},
		{"json", nested, nestedRows, map[string]string{"json.encode.ignore-null-fields": "true"}},
		{"debezium-json", nested, nestedRows, nil},
		{"parquet", nested, nestedRows, nil},
		{"parquet", nested, nestedRows, map[string]string{"parquet.compression": "ZSTD"}},
		{"raw", []connector.Column{{Name: "j", Type: str}}, `{"j":"q é, \" x"}` + "\n" + `{"j":"z"}`, nil},
	} {
		want := rowsOf(t, c.columns, nil, map[string]string{"path": write(t, "rows.json", c.rows), "format": "json"}, 10)
		opts := map[string]string{"path": filepath.Join(t.TempDir(), "k"), "format": c.format}
		for k, v := range c.opts {
			opts[k] = v
		}
		insert(t, c.columns, nil, opts, c.rows)
		if got := rowsOf(t, c.columns, nil, opts, 2); got != want {
			t.Errorf("%s %v:\ngot\n%swant\n%s", c.format, c.opts, got, want)
		}
		// Each column but one that stays is a partition key once.
		for k := range len(flat) {
			if c.format == "raw" || flat[k].Type.Kind == types.Boolean || c.opts != nil {
				continue
			}
			opts["path"] = filepath.Join(t.TempDir(), "k")
			filled := strings.ReplaceAll(c.rows, `"j":"",`, `"j":"-",`)
			want := rowsOf(t, c.columns, nil, map[string]string{"path": write(t, "rows.json", filled), "format": "json"}, 10)
			insert(t, c.columns, []int{k}, opts, filled)
			if got := rowsOf(t, c.columns, []int{k}, opts, 2); got != want {
				t.Errorf("%s by %s:\ngot\n%swant\n%s", c.format, flat[k].Type, got, want)
			}
		}
	}
}
