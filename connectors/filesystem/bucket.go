package filesystem

import (
	"encoding/binary"
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// The directories of NULL: Flink's and Hive's. Both are read as NULL, whatever 'partition.default-name' says.
const (
	flinkNull = "__DEFAULT_PARTITION__"
	hiveNull  = "__HIVE_DEFAULT_PARTITION__"
)

// buckets finds the directory of a row. Rows come in runs of equal partition values, and a run is looked up once, by
// its raw values.
type buckets struct {
	columns []connector.Column // of the partition
	at      []int              // where they stand in a batch
	heads   [][]byte           // `key=` of each, escaped
	null    []byte             // the directory of NULL, escaped
	nulls   []string           // what no text may be

	keys  *vector.Keys
	cols  []*vector.Column
	edges []bool // by row: its partition is not that of the row before
	raw   []byte
	path  []byte
	value []byte
}

func newBuckets(t *connector.Table, o *options) *buckets {
	b := &buckets{at: t.PartitionKeys, null: AppendEscaped(nil, []byte(o.Null)), nulls: []string{o.Null, flinkNull, hiveNull}}
	var list []types.Type
	for _, k := range t.PartitionKeys {
		c := t.Columns[k]
		b.columns, list = append(b.columns, c), append(list, c.Type)
		b.heads = append(b.heads, append(AppendEscaped(nil, []byte(c.Name)), '='))
	}
	b.keys = vector.NewKeys(list)
	return b
}

// folderOf is the folder of constants.
func (b *buckets) folderOf(values []*vector.Column) (string, error) {
	b.cols = values
	folder, err := b.folder(0)
	return string(folder), err
}

// cut marks where runs of a partition begin in a batch.
func (b *buckets) cut(batch *vector.Batch) []bool {
	n := batch.Len
	if cap(b.edges) < n {
		b.edges = make([]bool, n, n+n/2)
	}
	edges := b.edges[:n]
	b.edges = edges
	clear(edges)
	edges[0] = true
	b.cols = b.cols[:0]
	for _, k := range b.at {
		b.cols = append(b.cols, batch.Cols[k])
	}
	b.keys.Load(b.cols, n)
	for i, c := range b.cols {
		if c.Enc == vector.Constant {
			continue
		}
		if _, codes := b.keys.Codes(i); codes != nil {
			unequal(edges, codes)
			continue
		}
		switch k := b.keys.Column(i); {
		case k.Text:
			unequalTexts(edges, k.Views, k.Bufs)
		default:
			unequal(edges, k.Words)
			if k.Wide {
				unequal(edges, k.High)
			}
		}
	}
	if b.keys.Nulls != nil {
		unequal(edges, b.keys.Nulls)
	}
	return edges
}

func unequal[T int32 | uint64](edges []bool, v []T) {
	v = v[:len(edges)]
	last := v[0]
	for r := 1; r < len(v); r++ {
		if v[r] != last {
			edges[r], last = true, v[r]
		}
	}
}

func unequalTexts(edges []bool, v []vector.View, bufs [][]byte) {
	v = v[:len(edges)]
	last := v[0]
	for r := 1; r < len(v); r++ {
		if at := v[r]; at != last {
			edges[r] = edges[r] || !kernel.EqualView(&at, &last, bufs, bufs)
			last = at
		}
	}
}

// rawOf are the partition values of a row as bytes: equal for equal values. They are lent until the next call.
func (b *buckets) rawOf(row int) []byte {
	raw := b.raw[:0]
	if b.keys.Nulls != nil {
		raw = binary.LittleEndian.AppendUint64(raw, b.keys.Nulls[row])
	} else {
		raw = binary.LittleEndian.AppendUint64(raw, 0)
	}
	for i := range b.cols {
		switch k := b.keys.Column(i); {
		case k.Text:
			t := k.Views[row].Bytes(k.Bufs)
			raw = append(binary.AppendUvarint(raw, uint64(len(t))), t...)
		default:
			raw = binary.LittleEndian.AppendUint64(raw, k.Words[row])
			if k.Wide {
				raw = binary.LittleEndian.AppendUint64(raw, k.High[row])
			}
		}
	}
	b.raw = raw
	return raw
}

// folder is `key=value/key=value` of a row; lent until the next call.
func (b *buckets) folder(row int) ([]byte, error) {
	dst := b.path[:0]
	for i, c := range b.cols {
		if i > 0 {
			dst = append(dst, '/')
		}
		dst = append(dst, b.heads[i]...)
		if c.Null(row) {
			dst = append(dst, b.null...)
			continue
		}
		b.value = appendValue(b.value[:0], c, row, ' ', true)
		if c.Type.Kind.IsText() {
			for _, n := range b.nulls {
				if string(b.value) == n {
					return nil, fmt.Errorf("filesystem: the partition column '%s' has the value '%s', which would be read back as NULL",
						b.columns[i].Name, n)
				}
			}
		}
		dst = AppendEscaped(dst, b.value)
	}
	b.path = dst
	return dst, nil
}
