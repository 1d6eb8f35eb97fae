package filesystem

import (
	"bytes"

	"streamsql/exec/vector"
)

// rawDecoder reads each line as the value of the only column.
type rawDecoder struct{ out *vector.Builder }

func newRaw(f field) *rawDecoder { return &rawDecoder{f.out} }

func (d *rawDecoder) decode(data []byte, last bool, limit int) (used, lines, rows int, err error) {
	for rows < limit && used < len(data) {
		line := data[used:]
		n := bytes.IndexByte(line, '\n')
		switch {
		case n >= 0:
			line, used = line[:n], used+n+1
		case !last:
			return used, lines, rows, nil
		default:
			used = len(data)
		}
		if d.out != nil {
			d.out.AppendBytes(bytes.TrimSuffix(line, []byte("\r")))
		}
		lines, rows = lines+1, rows+1
	}
	return used, lines, rows, nil
}
