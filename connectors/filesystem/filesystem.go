// Package filesystem reads tables from files and writes them to files: CSV, JSON, raw lines and Parquet, in one
// file, a directory, or a tree of hive-style partitions.
//
// It does not know queries, checkpoints or who reads what it writes.
//
// Invariants:
//
//	F1 a split is a file or a part of one, which begins and ends where rows do; whole are files whose order counts, and those
//	   that cannot be divided unread. Names that start with `_` or `.` are not there. Of a place that is watched each subtask is one, and
//	   knows the files that it read as long as they are there.
//	F2 errors name the file and the line.
//	F3 a file being written has a hidden name with the id of its job; the commit renames it, and what has a
//	   visible name is whole and never changes. A name is never given twice.
//	F4 files are read in a goroutine of the reader, which ends before Close returns, unless it hangs in a
//	   pipe or terminal that cannot be closed.
//	F5 a file that is open at a checkpoint goes on behind what the checkpoint knows of it, after a restore too;
//	   hidden files of the job that no checkpoint knows are removed, and no others.
//	F6 a partition has its mark once all its rows up to some epoch are visible.
//	F7 a commit makes the same files whenever it is repeated: which become one, what replaces what and all names
//	   follow from its committables.
//	F8 what a writer holds back and holds open is bounded, however many partitions have rows.
package filesystem

import (
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

type options struct {
	Path      string           `opt:"path" required:"true" doc:"a file, a directory, a pattern with * ? [a-z] and ** for any directories, or - for the standard input"`
	Format    string           `opt:"format" required:"true" enum:"csv,json,debezium-json,raw,parquet" doc:"how rows stand in files: csv, json, debezium-json, raw or parquet"`
	Null      string           `opt:"partition.default-name" default:"__DEFAULT_PARTITION__" doc:"the directory of NULL"`
	Extractor extractorOptions `opt:"partition.time-extractor."`
	CSV       csvOptions       `opt:"csv." with:"format=csv"`
	JSON      jsonOptions      `opt:"json." with:"format=json"`
	Debezium  debeziumOptions  `opt:"debezium-json." with:"format=debezium-json"`
	Raw       rawOptions       `opt:"raw." with:"format=raw"`
	Parquet   parquetOptions   `opt:"parquet." with:"format=parquet"`
	Monitor   *time.Duration   `opt:"source.monitor-interval" min:"1 ms" doc:"look for files that appear so often; the table has no end then"`
	Rolling   rollingOptions   `opt:"sink.rolling-policy."`
	Commit    commitOptions    `opt:"sink.partition-commit."`
	OpenFiles int              `opt:"sink.open-files" beyond:"true" default:"100" min:"1" doc:"files that a subtask holds open at most; others are opened again when rows are written"`
	Memory    option.Size      `opt:"sink.memory" beyond:"true" default:"64mb" min:"1mb" doc:"rows that a subtask holds back at most: those of the files that have most of them are written first"`

	Shuffle     bool              `opt:"sink.shuffle-by-partition.enable" default:"false" doc:"gives all rows of a partition to one subtask: fewer files, but a large partition is not divided"`
	Parallelism *int64            `opt:"sink.parallelism" min:"1" doc:"how many subtasks write; as many as there are before the sink if absent"`
	Compact     bool              `opt:"auto-compaction" default:"false" doc:"makes few files of those of a checkpoint; each file ends with the checkpoint then"`
	Compaction  compactionOptions `opt:"compaction."`
}

// Definition declares the connector.
var Definition = connector.Definition{
	Name:    "filesystem",
	Doc:     "Reads and writes files: csv, json, raw lines and parquet.",
	Options: func() any { return new(options) },
	Source: func(t *connector.Table) (connector.Source, error) {
		o, err := check(t)
		if err != nil {
			return nil, err
		}
		if o.Monitor != nil {
			return watched{newSource(t, o)}, nil
		}
		return newSource(t, o), nil
	},
	Sink: func(t *connector.Table) (connector.Sink, error) {
		o, err := check(t)
		if err != nil {
			return nil, err
		}
		return newSink(t, o)
	},
	Files:    files,
	Metadata: true,
	Changes:  func(o any) bool { return formatOf(o.(*options)).changes },
}

// check finds what tags cannot say.
func check(t *connector.Table) (*options, error) {
	o := t.Options.(*options)
	if err := checkMetadata(t); err != nil {
		return nil, err
	}
	return o, formatOf(o).check(t, o)
}

// storedColumns are the columns that stand in the files: neither partition keys nor metadata.
func storedColumns(t *connector.Table) []int {
	var out []int
	for i, c := range t.Columns {
		if c.Metadata == "" && !isKey(t, i) {
			out = append(out, i)
		}
	}
	return out
}

func isKey(t *connector.Table, column int) bool {
	for _, k := range t.PartitionKeys {
		if k == column {
			return true
		}
	}
	return false
}
