package catalog

import (
	"strings"
	"testing"
	"time"
)

func TestTemporaryHidesPermanent(t *testing.T) {
	c := New(nil)
	n := Name{DefaultCatalog, DefaultDatabase, "t"}
	c.Put(&Table{Name: n, Comment: "permanent"})
	c.Put(&Table{Name: n, Comment: "temporary", Temporary: true})
	if got := c.Table(n).Comment; got != "temporary" {
		t.Errorf("the %s table is found first", got)
	}
	if got := c.Permanent(n).Comment; got != "permanent" {
		t.Errorf("the permanent table is %s", got)
	}
	if list := c.Tables(DefaultCatalog, DefaultDatabase); len(list) != 1 || !list[0].Temporary {
		t.Errorf("%d tables are listed, want the temporary one alone", len(list))
	}
	c.Drop(c.Table(n))
	if got := c.Table(n).Comment; got != "permanent" {
		t.Errorf("behind the dropped table stands the %s one", got)
	}
}

func TestDatabases(t *testing.T) {
	c := New(nil)
	c.CreateDatabase(DefaultCatalog, Database{Name: "built", Hidden: true})
	c.CreateDatabase(DefaultCatalog, Database{Name: "d"})
	c.Put(&Table{Name: Name{DefaultCatalog, "d", "t"}})
	if got := strings.Join(c.Databases(DefaultCatalog), " "); got != "d default_database" {
		t.Errorf("databases: %s", got)
	}
	if err := c.DropDatabase(DefaultCatalog, "d", false); err == nil {
		t.Error("a database with a table was dropped")
	}
	if err := c.DropDatabase(DefaultCatalog, DefaultDatabase, true); err == nil {
		t.Error("the current database was dropped")
	}
	if err := c.DropDatabase(DefaultCatalog, "d", true); err != nil {
		t.Error(err)
	}
	if err := c.DropCatalog(DefaultCatalog); err == nil {
		t.Error("the current catalog was dropped")
	}
}

func TestFunctionClasses(t *testing.T) {
	for class, want := range map[string]string{
		"com.github.nexmark.flink.udf.CountChar": "COUNT_CHAR",
		"a.B$CountChar":                          "COUNT_CHAR",
		"countchar":                              "COUNT_CHAR",
		"a.CountChar2":                           "",
		"":                                       "",
	} {
		if got := BuiltinOf(class); got != want {
			t.Errorf("class %q is %q, want %q", class, got, want)
		}
	}
}

// TestSettings sets keys; the outcome is "ok", the beginning of a warning, or that of an error.
func TestSettings(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"streamsql.batch-size", "65536", "ok"},
		{"streamsql.batch-size", "65537", "error: invalid value '65537'"},
		{"streamsql.batch-size", "many", "error: invalid value 'many'"},
		{"streamsql.nope", "1", "error: unknown setting 'streamsql.nope'"},
		{"parallelism.default", "0", "error: invalid value '0'"},
		{"parallelism.defualt", "2", "warning: unknown setting 'parallelism.defualt' has no effect; did you mean 'parallelism.default'?"},
		{"table.exec.mini-batch.size", "5000", "ok"},
		{"execution.checkpointing.interval", "3 s", "ok"},
		{"execution.checkpointing.interval", "soon", "error: "},
		{"execution.checkpointing.mode", "EXACTLY_ONCE", "warning: 'execution.checkpointing.mode' has no effect"},
		{"taskmanager.memory.process.size", "1 gb", "ok"},
		{"taskmanager.memory.network.min", "1 gb", "ok"},
		{"taskmanager.network.memory.buffers-per-chanel", "1", "warning: 'taskmanager.network.memory.buffers-per-chanel' has no effect; " +
			"did you mean 'taskmanager.network.memory.buffers-per-channel'?"},
		{"taskmanager.network.memory.max", "soon", "error: invalid value 'soon'"},
		{"table.exec.emit.early-fire.enabled", "true", "error: not supported"},
		{"table.exec.emit.early-fire.enabled", "false", "ok"},
		{"table.exec.emit.early-fire.delay", "1 s", "error: not supported"},
		{"table.local-time-zone", "Asia/Kolkata", "ok"},
		{"table.local-time-zone", "Nope/Zone", "error: invalid time zone"},
		{"execution.runtime-mode", "batch", "ok"},
		{"pipeline.auto-watermark-interval", "0", "ok"},
	} {
		s := NewSettings()
		warning, err := s.Set(c.key, c.value)
		got := "ok"
		switch {
		case err != nil:
			got = "error: " + err.Error()
		case warning != "":
			got = "warning: " + warning
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("SET '%s' = '%s': %s, want %s", c.key, c.value, got, c.want)
		}
		_, kept := s.given[c.key]
		if kept != (err == nil) {
			t.Errorf("SET '%s' = '%s': kept %v after %v", c.key, c.value, kept, err)
		}
	}
}

func TestReset(t *testing.T) {
	s := NewSettings()
	for _, kv := range [][2]string{{"streamsql.batch-size", "3"}, {"table.local-time-zone", "Asia/Tokyo"}} {
		if _, err := s.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	s.Reset("streamsql.batch-size")
	if s.BatchSize != 1024 || s.Zone != "Asia/Tokyo" {
		t.Errorf("after RESET of one key: %d, %s", s.BatchSize, s.Zone)
	}
	s.ResetAll()
	if s.Zone != "UTC" || len(s.given) != 0 {
		t.Errorf("after RESET: %s, %v", s.Zone, s.given)
	}
}

func TestLoadZone(t *testing.T) {
	at := time.Unix(0, 0)
	for name, want := range map[string]int{
		"UTC": 0, "Z": 0, "GMT": 0, "GMT+08:00": 8 * 3600, "UTC-3": -3 * 3600, "+05:30": 19800, "-0330": -12600,
		"Europe/Berlin": 3600, "default": 0, "+18:00": 18 * 3600,
	} {
		z, err := LoadZone(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, got := at.In(z).Zone(); got != want {
			t.Errorf("%s is %d seconds ahead, want %d", name, got, want)
		}
	}
	for _, name := range []string{"", "Local", "Nope/Zone", "+99:00", "GMT+", "+08:61", "UTC+-1", "PST", "+19:00", "-1830", "+8:3"} {
		if _, err := LoadZone(name); err == nil {
			t.Errorf("%q is taken for a zone", name)
		}
	}
}
