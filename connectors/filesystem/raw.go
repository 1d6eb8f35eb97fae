package filesystem

import (
	"bytes"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

type rawOptions struct {
	Charset string `opt:"charset" default:"UTF-8" enum:"UTF-8" doc:"of texts"`
}

var rawFormat = &format{
	name:    "raw",
	check:   checkRaw,
	decoder: func(_ *options, fields []field) decoder { return &rawDecoder{fields[0].out} },
	encoder: func(*options, []string) encoder { return rawEncoder{} },
	cut:     cutLines,
}

func checkRaw(t *connector.Table, _ *options) error {
	stored := storedColumns(t)
	if len(stored) != 1 || !isRaw(t.Columns[stored[0]].Type) {
		return &option.Error{Key: "format", Msg: "the format 'raw' takes exactly one column, of a text or binary type",
			Hint: "declare one, such as line STRING, or use 'format' = 'csv' or 'json'"}
	}
	return nil
}

func isRaw(t types.Type) bool { return t.Kind.IsText() || t.Kind.IsBinary() }

// rawDecoder reads each line as the value of the only column.
type rawDecoder struct{ out *vector.Builder }

func (d *rawDecoder) decode(data []byte, last bool, _, limit int) (out decoded, err error) {
	for out.rows < limit && out.used < len(data) {
		line := data[out.used:]
		n := bytes.IndexByte(line, '\n')
		switch {
		case n >= 0:
			line, out.used = line[:n], out.used+n+1
		case !last:
			return out, nil
		default:
			out.used = len(data)
		}
		if d.out != nil {
			d.out.AppendBytes(bytes.TrimSuffix(line, []byte("\r")))
		}
		out.lines, out.rows = out.lines+1, out.rows+1
	}
	return out, nil
}

// rawEncoder writes the only column, a line each.
type rawEncoder struct{}

func (rawEncoder) appendRow(dst []byte, cols []*vector.Column, row int) ([]byte, error) {
	if !cols[0].Null(row) {
		dst = append(dst, vector.Text(cols[0], row)...)
	}
	return append(dst, '\n'), nil
}
