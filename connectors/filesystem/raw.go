package filesystem

import (
	"bytes"

	"streamsql/exec/vector"
)

// rawDecoder reads each line as the value of the only column.
type rawDecoder struct{ out *vector.Builder }

func newRaw(f field) *rawDecoder { return &rawDecoder{f.out} }

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
