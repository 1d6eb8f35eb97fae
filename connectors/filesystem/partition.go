package filesystem

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// constants makes the columns that are constant in a file: partition keys and metadata.
func (s *source) constants(path string, out []*vector.Column) error {
	for i, c := range s.table.Columns {
		if !s.need[i] {
			continue
		}
		var err error
		switch {
		case c.Metadata != "":
			out[i], err = metadata(c, path)
		case isKey(s.table, i):
			out[i], err = s.partitionValue(c, path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (s *source) partitionValue(c connector.Column, path string) (*vector.Column, error) {
	text, ok := partitionText(placeOf(s.o.Path).base(), path, c.Name)
	switch {
	case !ok:
		return nil, fmt.Errorf("no folder `%s=…` above the file", c.Name)
	case text == s.o.Null || text == flinkNull || text == hiveNull:
		return vector.ConstNull(c.Type, 1), nil
	}
	b := vector.NewBuilder(c.Type)
	if f := (field{name: c.Name, typ: c.Type, out: b}); !f.appendText([]byte(text), sqlForms) {
		return nil, f.refuse([]byte(text))
	}
	return constant(b), nil
}

// constant makes a constant column of the single row of b.
func constant(b *vector.Builder) *vector.Column {
	out := &vector.Column{}
	b.Finish(out)
	out.Enc = vector.Constant
	return out
}

// partitionText finds the value of a key among the folders between root and the file.
func partitionText(root, path, key string) (string, bool) {
	for _, part := range strings.Split(folders(root, path), string(filepath.Separator)) {
		k, v, ok := strings.Cut(part, "=")
		if ok && Unescape(k) == key {
			return Unescape(v), true
		}
	}
	return "", false
}

// folders are those between root and a file; all above it when root is empty, none when the file is not below root.
func folders(root, path string) string {
	dir := filepath.Dir(path)
	if root == "" {
		return dir
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return ""
	}
	return rel
}

func metadata(c connector.Column, path string) (*vector.Column, error) {
	b := vector.NewBuilder(c.Type)
	switch key := c.Metadata; key {
	case "file.path":
		b.AppendString(path)
	case "file.name":
		b.AppendString(filepath.Base(path))
	default:
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if key == "file.size" {
			b.AppendInt(info.Size())
		} else {
			b.AppendInt(info.ModTime().UnixMilli())
		}
	}
	return constant(b), nil
}

// metadataTypes are the metadata columns that there are.
var metadataTypes = map[string]types.Type{"file.path": types.Of(types.Varchar), "file.name": types.Of(types.Varchar),
	"file.size": types.Of(types.BigInt), "file.modification-time": {Kind: types.TimestampLTZ, Precision: 3}}

// checkMetadata refuses a metadata column that there is not, or of another type.
func checkMetadata(t *connector.Table) error {
	for _, c := range t.Columns {
		want, ok := metadataTypes[c.Metadata]
		same := want.Kind == c.Type.Kind && want.Precision == c.Type.Precision || want.Kind.IsText() && c.Type.Kind.IsText()
		if c.Metadata == "" || ok && same {
			continue
		}
		e := &option.Error{}
		e.Msg = fmt.Sprintf("the column '%s' is metadata '%s', which the connector 'filesystem' does not have", c.Name, c.Metadata)
		if ok {
			e.Msg = fmt.Sprintf("the column '%s' is metadata '%s', which is no %s", c.Name, c.Metadata, c.Type.WithNull(true))
		}
		e.Hint = "there are 'file.path' and 'file.name' as STRING, 'file.size' as BIGINT and 'file.modification-time' as TIMESTAMP_LTZ(3)"
		if near := option.Nearest(c.Metadata, slices.Sorted(maps.Keys(metadataTypes))); near != "" && !ok {
			e.Hint = fmt.Sprintf("did you mean '%s'? %s", near, e.Hint)
		}
		return e
	}
	return nil
}
