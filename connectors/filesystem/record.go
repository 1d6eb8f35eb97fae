package filesystem

import (
	"errors"
	"strconv"
	"strings"
)

// A record is what writers tell the committer, and keep for their successors: a kind and fields, joined by NUL bytes,
// which no path has.
const (
	// recordFile is a finished file: hidden and visible path, and its size.
	recordFile = "file"
	// recordLate is a finished file that the last commit is for; it has the fields of recordFile.
	recordLate = "late"
	// recordOpen is a file that is still written: visible path, size, folder, when it was begun and last written.
	recordOpen = "open"
	// recordWriter is there once for each writer, so that no epoch is without a commit.
	recordWriter = "writer"
	// recordPartition is a partition that has rows which are not committed: folder, when its first rows came, the time
	// that it stands for, and whether more is being written.
	recordPartition = "partition"
)

// fieldsOf is how many fields there are behind the kind.
var fieldsOf = map[string]int{recordFile: 3, recordLate: 3, recordOpen: 5, recordWriter: 0, recordPartition: 4}

type record struct {
	kind   string
	fields []string
}

var errRecord = errors.New("filesystem: a checkpoint has something else than this table's files")

func makeRecord(kind string, fields ...any) []byte {
	out := []byte(kind)
	for _, f := range fields {
		out = append(out, 0)
		switch v := f.(type) {
		case string:
			out = append(out, v...)
		case int64:
			out = strconv.AppendInt(out, v, 10)
		case bool:
			out = strconv.AppendBool(out, v)
		default:
			panic("filesystem: a field of no known type")
		}
	}
	return out
}

// bytes is what parseRecord reads.
func (r record) bytes() []byte {
	return []byte(strings.Join(append([]string{r.kind}, r.fields...), "\x00"))
}

func parseRecord(b []byte) (record, error) {
	f := strings.Split(string(b), "\x00")
	if n, ok := fieldsOf[f[0]]; !ok || len(f) != n+1 {
		return record{}, errRecord
	}
	return record{f[0], f[1:]}, nil
}

// number is field i, 0 where it is none.
func (r record) number(i int) int64 {
	v, _ := strconv.ParseInt(r.fields[i], 10, 64)
	return v
}
