package render

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"time"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// jsonFormat writes rows as objects: one document that is a list (json), or one object per line as it
// comes (ndjson), which for changes other than inserts opens with the key "op".
type jsonFormat struct {
	w     io.Writer
	zone  *time.Location
	array bool
	names [][]byte
	rows  int
	line  []byte
}

func (f *jsonFormat) Begin(cols []Column) error {
	for _, c := range cols {
		name, err := json.Marshal(c.Name)
		if err != nil {
			return err
		}
		f.names = append(f.names, append(name, ':', ' '))
	}
	return nil
}

func (f *jsonFormat) Row(b *vector.Batch, i int) error {
	f.line = f.line[:0]
	if f.array {
		f.line = append(f.line, map[bool]string{true: "[\n  ", false: ",\n  "}[f.rows == 0]...)
	}
	f.rows++
	f.line = append(f.line, '{')
	if b.Kinds != nil && b.Kind(i) != vector.Insert {
		f.line = append(append(append(f.line, `"op": "`...), b.Kind(i).String()...), '"')
	}
	for k, c := range b.Cols {
		if len(f.line) > 0 && f.line[len(f.line)-1] != '{' {
			f.line = append(f.line, ", "...)
		}
		f.line = append(f.line, f.names[k]...)
		f.line = appendJSON(f.line, c, i, f.zone)
	}
	f.line = append(f.line, '}')
	if !f.array {
		f.line = append(f.line, '\n')
	}
	_, err := f.w.Write(f.line)
	return err
}

func (f *jsonFormat) End() error {
	if !f.array {
		return nil
	}
	tail := "\n]\n"
	if f.rows == 0 {
		tail = "[]\n"
	}
	_, err := io.WriteString(f.w, tail)
	return err
}

// appendJSON writes a value: numbers and booleans as such, ROW and MAP as objects, ARRAY as a list,
// bytes in base64 as Flink's JSON format has them, everything else as a string. NaN and the infinities,
// which JSON lacks, are strings.
func appendJSON(dst []byte, c *vector.Column, i int, zone *time.Location) []byte {
	if c.Null(i) {
		return append(dst, "null"...)
	}
	c, i = c.At(i)
	switch k := c.Type.Kind; {
	case k.IsApprox() && !finite(c, i):
	case k == types.Boolean:
		if vector.Bool(c, i) {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case k.IsNumeric():
		return text.Append(dst, c, i, zone)
	case k.IsBinary():
		dst = append(dst, '"')
		return append(base64.StdEncoding.AppendEncode(dst, vector.Text(c, i)), '"')
	case k == types.Row:
		dst = append(dst, '{')
		for n, child := range c.Children {
			dst = appendKey(dst, n, c.Type.Fields[n].Name)
			dst = appendJSON(dst, child, i, zone)
		}
		return append(dst, '}')
	case k == types.Array:
		dst = append(dst, '[')
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			if e > c.Offsets[i] {
				dst = append(dst, ", "...)
			}
			dst = appendJSON(dst, c.Children[0], int(e), zone)
		}
		return append(dst, ']')
	case k == types.Map || k == types.Multiset:
		dst = append(dst, '{')
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			dst = appendKey(dst, int(e-c.Offsets[i]), cell(c.Children[0], int(e), zone, "null"))
			dst = appendJSON(dst, c.Children[1], int(e), zone)
		}
		return append(dst, '}')
	}
	return appendString(dst, cell(c, i, zone, ""))
}

func finite(c *vector.Column, i int) bool {
	v := 0.0
	if c.Type.Kind == types.Float {
		v = float64(vector.Value[float32](c, i))
	} else {
		v = vector.Value[float64](c, i)
	}
	return !math.IsNaN(v) && !math.IsInf(v, 0)
}

func appendKey(dst []byte, n int, name string) []byte {
	if n > 0 {
		dst = append(dst, ", "...)
	}
	return append(appendString(dst, name), ": "...)
}

func appendString(dst []byte, s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic("render: " + err.Error())
	}
	return append(dst, b...)
}
