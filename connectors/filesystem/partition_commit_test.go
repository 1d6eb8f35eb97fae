package filesystem

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

func (s *stream) advance(at string) {
	s.t.Helper()
	when, err := time.Parse("2006-01-02 15:04:05", at)
	if err == nil {
		err = s.w.Advance(types.EventTime(when.UnixMilli()))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestCommitByPartitionTime: a partition is committed when the watermark is past its time and the delay (FLINK-18479
// is that it never was), after a failure too (FLINK-19166), and again for rows that come later.
func TestCommitByPartitionTime(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.partition-commit.trigger": "partition-time",
		"sink.partition-commit.delay": "1 min", "sink.partition-commit.policy.kind": "success-file",
		"sink.partition-commit.watermark-time-zone": "Europe/Berlin", "partition.time-extractor.timestamp-pattern": "2024-07-01 $dt:00:00"})
	s.write("10:1", "11:1")
	s.advance("2024-07-01 08:01:00") // in Berlin it is 10:01
	s.checkpoint()
	s.want("as late as the time and the delay", "")
	s.advance("2024-07-01 08:01:01")
	s.checkpoint()
	s.want("later", "dt=10 _SUCCESS; dt=10: 1")
	s.crash("job1")
	s.write("11:2")
	s.checkpoint()
	s.want("not past", "dt=10 _SUCCESS; dt=10: 1")
	s.advance("2024-07-01 09:01:01")
	s.checkpoint()
	s.want("after a failure", "dt=10 _SUCCESS; dt=10: 1; dt=11 _SUCCESS; dt=11: 1,2")
	s.write("10:late")
	s.checkpoint()
	s.want("late rows", "dt=10 _SUCCESS; dt=10: 1; dt=10: late; dt=11 _SUCCESS; dt=11: 1,2")
	s.write("12:1")
	s.checkpoint()
	if err := s.w.Advance(types.MaxTime); err != nil {
		t.Fatal(err)
	}
	s.checkpoint()
	s.checkpoint()
	s.want("the end", "dt=10 _SUCCESS; dt=10: 1; dt=10: late; dt=11 _SUCCESS; dt=11: 1,2; dt=12 _SUCCESS; dt=12: 1")
	if len(s.w.pending) > 0 {
		t.Errorf("%d partitions are waited for", len(s.w.pending))
	}
}

// TestCommitFailed: a job that dies between a checkpoint and its commit commits partitions after the restore.
func TestCommitFailed(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.partition-commit.policy.kind": "success-file",
		"sink.partition-commit.success-file.name": "_DONE"})
	s.write("x:1")
	s.checkpoint()
	s.want("delay 0", "dt=x _DONE; dt=x: 1")
	s.write("x:2", "y:1")
	s.prepare()
	s.want("not committed", "dt=x _DONE; dt=x: 1")
	s.crash("job1")
	s.want("restored", "dt=x _DONE; dt=x: 1; dt=x: 2; dt=y _DONE; dt=y: 1")
}

// TestCommitByClock: the delay counts from the first rows; a partition that rows come to without a pause is committed
// all the same (FLINK-20213), and again for each delay.
func TestCommitByClock(t *testing.T) {
	opts := map[string]string{"sink.partition-commit.policy.kind": "success-file", "sink.partition-commit.delay": "25 s"}
	s := newStream(t, filepath.Join(t.TempDir(), "k"), opts)
	for range 3 {
		s.write("x:1")
		s.checkpoint()
		s.want("young", "")
		s.clock = s.clock.Add(10 * time.Second)
	}
	s.write("x:2")
	s.checkpoint()
	s.want("old", "dt=x _SUCCESS; dt=x: 1,1,1,2")
	s.write("x:3")
	s.checkpoint()
	s.want("begun anew", "dt=x _SUCCESS; dt=x: 1,1,1,2")
	s.clock = s.clock.Add(26 * time.Second)
	s.write("x:4")
	s.checkpoint()
	s.want("old again", "dt=x _SUCCESS; dt=x: 1,1,1,2; dt=x: 3,4")

	opts["sink.partition-commit.delay"] = "0 s"
	s = newStream(t, filepath.Join(t.TempDir(), "k"), opts)
	s.write("x:1")
	s.checkpoint()
	s.write("x:2")
	s.checkpoint()
	s.want("no delay", "dt=x _SUCCESS; dt=x: 1; dt=x: 2")
}

// TestCommitOfSeveral: a partition is committed once it is past its time and every writer has closed its files.
func TestCommitOfSeveral(t *testing.T) {
	s := openSink(t, partitioned, []int{0}, map[string]string{"path": t.TempDir(), "format": "csv",
		"sink.partition-commit.policy.kind": "success-file", "sink.partition-commit.trigger": "partition-time"}).(*sink)
	part := func(folder string, time int64, open bool) []byte {
		return makeRecord(recordPartition, folder, int64(0), time, open)
	}
	for _, c := range []struct {
		name      string
		watermark types.EventTime
		records   [][]byte
		want      string
	}{
		{"past", 10, [][]byte{part("b", 9, false), part("a", 5, false), part("a", 5, false)}, "a,b"},
		{"not past", 5, [][]byte{part("a", 5, false)}, ""},
		{"one still writes", 10, [][]byte{part("a", 5, false), part("a", 5, true)}, ""},
		{"the end", types.MaxTime, [][]byte{part("a", 5, false)}, "a"},
	} {
		var records []record
		for _, b := range c.records {
			r, err := parseRecord(b)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
		if got := strings.Join(s.completed(records, 0, c.watermark), ","); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPartitionTime(t *testing.T) {
	for _, c := range []struct{ pattern, folder, want string }{
		{"", "dt=2024-01-02/hr=5", "2024-01-02 00:00:00.000"},
		{"$dt $hr:00:00", "dt=2024-01-02/hr=5", "2024-01-02 05:00:00.000"},
		{"$dt $hm:00", "dt=2024-1-2/hm=00%3A15", "2024-01-02 00:15:00.000"},
		{"$d-$dt $h", "d=2024/dt=03-04/h=1%3A2%3A3.25", "2024-03-04 01:02:03.250"},
		{"$d-01-0$1x", "d=2$1x/1x=2", ""},
		{"$d", "d=$e/e=2024-01-01", ""},
		{"", "dt=2024-02-30", ""},
		{"", "dt=__DEFAULT_PARTITION__", ""},
		{"$dt", "dt=2024-01-02T03%3A04%3A05.123456789", "2024-01-02 03:04:05.123"},
	} {
		opts := map[string]string{"path": t.TempDir(), "format": "csv"}
		if c.pattern != "" {
			opts["partition.time-extractor.timestamp-pattern"] = c.pattern
		}
		got := ""
		at, err := openSink(t, partitioned, []int{0}, opts).(*sink).timeOf(c.folder)
		if err == nil {
			got = time.UnixMilli(at).UTC().Format("2006-01-02 15:04:05.000")
		} else if !strings.Contains(err.Error(), "has no time") {
			t.Error(err)
		}
		if got != c.want {
			t.Errorf("%s of %s: got %q, want %q (%v)", c.pattern, c.folder, got, c.want, err)
		}
	}
}

// TestPartitionTimeForms: times in a form of java.time, in a zone.
func TestPartitionTimeForms(t *testing.T) {
	for _, c := range []struct{ form, zone, text, want string }{
		{"yyyyMMddHH", "UTC", "2024010203", "2024-01-02 03:00:00"},
		{"yyyyMMdd", "Asia/Tokyo", "20240102", "2024-01-01 15:00:00"},
		{"dd.MM.yyyy H:mm", "Europe/Berlin", "1.7.2024 0:15", ""},
		{"d.M.yyyy H:mm", "Europe/Berlin", "1.7.2024 0:15", "2024-06-30 22:15:00"},
		{"MMM d, yyyy", "UTC", "Feb 9, 2024", "2024-02-09 00:00:00"},
		{"yyyyMMdd", "UTC", "20241301", ""},
	} {
		s := openSink(t, partitioned, []int{0}, map[string]string{"path": t.TempDir(), "format": "csv",
			"partition.time-extractor.timestamp-formatter": c.form, "sink.partition-commit.watermark-time-zone": c.zone}).(*sink)
		got := ""
		at, err := s.timeOf("dt=" + Escape(c.text))
		if err == nil {
			got = time.UnixMilli(at).UTC().Format(time.DateTime)
		} else if !strings.Contains(err.Error(), "is not of the form "+c.form) {
			t.Error(err)
		}
		if got != c.want {
			t.Errorf("%s as %s in %s: got %q, want %q (%v)", c.text, c.form, c.zone, got, c.want, err)
		}
	}
}

func TestSinkRefusals(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"sink.partition-commit.policy.kind", "success-file,metastore", "not supported: 'metastore'"},
		{"sink.partition-commit.policy.kind", "success", "no policy 'success'; use success-file, custom"},
		{"sink.partition-commit.policy.kind", "custom", "needs 'sink.partition-commit.policy.class'"},
		{"sink.partition-commit.policy.class", "a.B", "are for the policy 'custom'"},
		{"sink.partition-commit.policy.class.parameters", "x", "are for the policy 'custom'"},
		{"sink.partition-commit.watermark-time-zone", "Mars", "'Mars' is no time zone"},
		{"sink.partition-commit.success-file.name", "done", "must begin with _ or ."},
		{"sink.partition-commit.trigger", "never", "process-time"},
		{"partition.time-extractor.kind", "custom", "not supported"},
		{"partition.time-extractor.timestamp-formatter", "yyyy-b", "partition.time-extractor.timestamp-formatter"},
		{"partition.default-name", "", "must have a name"},
		{"compaction.parallelism", "0", "compaction.parallelism"},
		{"sink.parallelism", "0", "sink.parallelism"},
		{"sink.rolling-policy.file-size", "0", "sink.rolling-policy.file-size"},
	} {
		o := Definition.Options()
		err := option.Decode(o, map[string]string{"path": t.TempDir(), "format": "csv", c.key: c.value})
		if err == nil {
			_, err = Definition.Sink(&connector.Table{Name: "t", Columns: partitioned, PartitionKeys: []int{0}, Options: o, Env: &function.Env{}})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s: %v", c.key, c.value, err)
		}
	}
}
