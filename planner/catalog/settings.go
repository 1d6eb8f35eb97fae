package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"streamsql/exec/graph"
	"streamsql/exec/network"
	"streamsql/exec/option"
)

// Settings are the options that SET changes. Every field has an effect; keys of Flink that have none
// here are kept with a warning.
type Settings struct {
	Zone           string        `opt:"table.local-time-zone" default:"UTC" doc:"zone of TIMESTAMP_LTZ as text and of CURRENT_DATE and its like"`
	Parallelism    int           `opt:"parallelism.default" default:"1" min:"1" max:"1024" doc:"subtasks of a stage"`
	MaxParallelism int           `opt:"pipeline.max-parallelism" default:"-1" min:"-1" max:"32768" doc:"key groups that keyed state is divided in; -1 leaves it to the parallelism, and to the checkpoint that a job goes on from"`
	Name           string        `opt:"pipeline.name" default:"" doc:"name of the job"`
	Mode           string        `opt:"execution.runtime-mode" default:"STREAMING" enum:"STREAMING,BATCH,AUTOMATIC" doc:"streaming or batch semantics"`
	Interval       time.Duration `opt:"pipeline.auto-watermark-interval" default:"200 ms" min:"0 ms" doc:"time between watermarks sent over an exchange, less where many rows pass; 0 sends each"`
	IdleTimeout    time.Duration `opt:"table.exec.source.idle-timeout" default:"0 ms" min:"0 ms" doc:"time without rows after which a source no longer holds the watermark; 0 is never"`
	LegacyCast     string        `opt:"table.exec.legacy-cast-behaviour" default:"DISABLED" enum:"DISABLED,ENABLED" doc:"ENABLED makes a failing CAST give NULL"`
	NotNull        string        `opt:"table.exec.sink.not-null-enforcer" default:"ERROR" enum:"ERROR,DROP" doc:"what a NULL in a NOT NULL column of a sink does"`
	Materialize    string        `opt:"table.exec.sink.upsert-materialize" default:"AUTO" enum:"NONE,AUTO,FORCE" doc:"whether the last row of each primary key is found before a sink: where the key is not the query's, always or never"`
	TypeLength     string        `opt:"table.exec.sink.type-length-enforcer" default:"IGNORE" enum:"IGNORE,TRIM_PAD,ERROR" doc:"what a sink does with texts that do not fit CHAR(n), VARCHAR(n) and their binary kin"`
	DMLSync        bool          `opt:"table.dml-sync" default:"true" doc:"INSERT waits for its job; false runs it in the background"`
	ResultMode     string        `opt:"sql-client.execution.result-mode" default:"table" enum:"table,changelog,tableau" doc:"how the shell shows results"`
	MaxRows        int           `opt:"sql-client.execution.max-table-result.rows" default:"1000000" doc:"rows that the shell keeps of a result"`
	BatchSize      int           `opt:"streamsql.batch-size" default:"1024" min:"1" max:"65536" doc:"rows of a batch at most"`
	Dialect        string        `opt:"streamsql.dialect" default:"default" enum:"default,flink" doc:"flink refuses what Flink's SQL does not have"`
	Transport      string        `opt:"streamsql.transport" default:"local" enum:"local,tcp,tls" doc:"how rows get from one task to another: in memory, or over connections as between machines, encrypted with tls"`
	Certificate    string        `opt:"streamsql.tls.certificate" default:"" doc:"file with the certificate of the transport tls, in PEM; without it keys are made for the job"`
	Key            string        `opt:"streamsql.tls.key" default:"" doc:"file with the key of the certificate, in PEM"`
	Authority      string        `opt:"streamsql.tls.authority" default:"" doc:"file with the certificate of the authority that signed it, in PEM"`
	Clock          string        `opt:"streamsql.clock" default:"system" enum:"system,rowtime" doc:"what windows over processing time go by; rowtime is for tests"`
	Drain          bool          `opt:"streamsql.proctime.drain" default:"false" doc:"the end of input closes windows over processing time; Flink drops them"`

	StateTTL         time.Duration `opt:"table.exec.state.ttl" default:"0 ms" min:"0 ms" doc:"how long a key of an aggregation lives without rows; 0 is for ever"`
	MiniBatch        bool          `opt:"table.exec.mini-batch.enabled" default:"false" doc:"aggregations fold the changes of a key for a while before they give them"`
	MiniBatchLatency time.Duration `opt:"table.exec.mini-batch.allow-latency" default:"0 ms" min:"0 ms" doc:"how long changes are held for at most; with mini-batches it must be set"`
	MiniBatchSize    int           `opt:"table.exec.mini-batch.size" default:"-1" min:"-1" doc:"rows that come to an aggregation after which it gives its changes; with mini-batches it must be set"`

	SplitDistinct bool `opt:"table.optimizer.distinct-agg.split.enabled" default:"false" doc:"with a parallelism above 1 the values of a DISTINCT are divided, so that a group with many rows is work for all subtasks"`
	SplitBuckets  int  `opt:"table.optimizer.distinct-agg.split.bucket-num" default:"64" min:"1" max:"32768" doc:"the parts that they are divided into"`

	StateLimit option.Size `opt:"state.memory-limit" default:"0" doc:"memory that the state of one operator may take in a subtask; 0 is no limit"`

	CheckpointDir      string        `opt:"execution.checkpointing.dir" alias:"state.checkpoints.dir" default:"" doc:"directory of the checkpoints of INSERTs; none are taken without"`
	CheckpointInterval time.Duration `opt:"execution.checkpointing.interval" default:"0 ms" min:"0 ms" doc:"time between checkpoints; 0 takes only the one at the end of the job"`
	CheckpointPause    time.Duration `opt:"execution.checkpointing.min-pause" default:"0 ms" min:"0 ms" doc:"least time between the end of a checkpoint and the beginning of the next"`
	CheckpointTimeout  time.Duration `opt:"execution.checkpointing.timeout" default:"10 min" min:"1 ms" doc:"how long a checkpoint may take"`
	CheckpointFailures int           `opt:"execution.checkpointing.tolerable-failed-checkpoints" default:"0" min:"0" doc:"checkpoints in a row that may fail before the job does"`
	CheckpointRetained int           `opt:"execution.checkpointing.num-retained" alias:"state.checkpoints.num-retained" default:"1" min:"1" doc:"checkpoints that are kept"`
	SavepointDir       string        `opt:"execution.checkpointing.savepoint-dir" alias:"state.savepoints.dir" default:"" doc:"directory in which jobs that are stopped make their savepoints"`
	Savepoint          string        `opt:"execution.state-recovery.path" alias:"execution.savepoint.path" default:"" doc:"savepoint that INSERTs go on from"`
	Unclaimed          bool          `opt:"execution.state-recovery.ignore-unclaimed-state" alias:"execution.savepoint.ignore-unclaimed-state" default:"false" doc:"a savepoint may hold state that the job has no use for"`

	Restart  string        `opt:"restart-strategy.type" alias:"restart-strategy" default:"none" enum:"none,off,disable,fixed-delay,fixeddelay,exponential-delay,exponentialdelay" doc:"whether a job that failed starts again from its newest checkpoint"`
	Attempts int           `opt:"restart-strategy.fixed-delay.attempts" default:"1" min:"1" doc:"starts after a failure"`
	Delay    time.Duration `opt:"restart-strategy.fixed-delay.delay" default:"1 s" min:"0 ms" doc:"time before each"`
	Backoff  time.Duration `opt:"restart-strategy.exponential-delay.initial-backoff" default:"1 s" min:"1 ms" doc:"time before the first start after a failure"`
	Slowest  time.Duration `opt:"restart-strategy.exponential-delay.max-backoff" default:"1 min" min:"1 ms" doc:"longest time before a start"`
	Growth   float64       `opt:"restart-strategy.exponential-delay.backoff-multiplier" default:"1.5" min:"1" doc:"how much longer each time is than the one before"`
	Calm     time.Duration `opt:"restart-strategy.exponential-delay.reset-backoff-threshold" default:"1 h" min:"1 ms" doc:"a job that ran for so long begins with the first time again"`
	Jitter   float64       `opt:"restart-strategy.exponential-delay.jitter-factor" default:"0.1" min:"0" max:"1" doc:"share by which a time may be longer or shorter"`
	Tries    *int          `opt:"restart-strategy.exponential-delay.attempts-before-reset-backoff" min:"1" doc:"starts before the job is given up; without it there is no end to them"`

	PushDown bool   `opt:"streamsql.pushdown" default:"true" doc:"sources are told which columns and rows a query needs"`
	Off      string `opt:"streamsql.rules.off" default:"" doc:"names of rewrite rules that are left out, with commas between them"`
	Without  string `opt:"streamsql.optimizations.off" default:"" doc:"names of optimizations that operators do without, with commas between them"`

	network.Options

	// admitted are the names that settings which are lists may hold, by key.
	admitted map[string][]string

	// given holds the texts of the keys that were set, known or not.
	given map[string]string
}

// passive are keys and prefixes of Flink that change how fast or how safely a job runs, not what it
// computes. They are accepted and have no effect.
var passive = []string{
	"table.optimizer.", "table.exec.rank.topn-cache-size",
	"table.exec.resource.", "table.exec.async-", "table.plan.", "table.builtin-", "table.catalog-",
	"execution.target", "execution.attached",
	"execution.savepoint.", "execution.batch", "taskmanager.", "jobmanager.", "state.", "restart-strategy",
	"pipeline.object-reuse", "pipeline.operator-chaining", "pipeline.jars",
	"pipeline.classpaths", "pipeline.generic-types", "pipeline.global-job-parameters", "pipeline.serialization",
	"sql-client.display.", "sql-client.verbose", "rest.", "sql-gateway.", "yarn.", "kubernetes.", "cluster.",
	"high-availability", "metrics.", "akka.", "heartbeat.", "security.", "client.", "io.", "web.", "env.",
	"classloader.", "table.resources.", "table.rtas-ctas.", "table.column-expansion-strategy",
}

// changing are keys that would change results and are not built; the value that means "off" is allowed.
var changing = map[string]string{
	"table.exec.emit.early-fire.enabled":                        "false",
	"table.exec.emit.early-fire.delay":                          "",
	"table.exec.emit.late-fire.enabled":                         "false",
	"table.exec.emit.late-fire.delay":                           "",
	"table.exec.emit.allow-lateness":                            "",
	"table.exec.source.cdc-events-duplicate":                    "false",
	"table.exec.deduplicate.mini-batch.compact-changes-enabled": "false",
	"table.exec.interval-join.min-cleanup-interval":             "0 ms",
	"table.exec.sink.nested-constraint-enforcer":                "IGNORE",
	"table.sql-dialect":                                         "default",
	"table.legacy-nested-row-nullability":                       "false",
}

// NewSettings are the defaults.
func NewSettings() *Settings {
	s := &Settings{given: map[string]string{}}
	if err := option.Decode(s, nil); err != nil {
		panic("catalog: " + err.Error())
	}
	return s
}

// Set changes one setting. A warning tells that the key is accepted and does nothing.
func (s *Settings) Set(key, value string) (warning string, err error) {
	if off, ok := changing[key]; ok && !strings.EqualFold(value, off) {
		e := notBuilt(key, value, "'"+off+"'")
		if off == "" {
			e.Hint = "leave it unset"
		}
		return "", e
	}
	if name, ok := s.name(key); ok {
		key = name
	}
	switch {
	case slices.Contains(s.keys(), key):
		if err := s.check(key, value); err != nil {
			return "", err
		}
		if err := option.Set(s, key, value); err != nil {
			return "", err
		}
	case strings.HasPrefix(key, own):
		return "", s.unknown(key)
	case strings.HasPrefix(key, "execution.checkpointing."):
		warning = fmt.Sprintf("'%s' has no effect", key)
	case !s.isPassive(key):
		warning = fmt.Sprintf("unknown setting '%s' has no effect", key)
		if near := option.Nearest(key, s.keys()); near != "" {
			warning += fmt.Sprintf("; did you mean '%s'?", near)
		}
	default:
		if near := option.Misspelt(key, s.keys()); near != "" {
			warning = fmt.Sprintf("'%s' has no effect; did you mean '%s'?", key, near)
		}
	}
	s.given[key] = value
	return warning, nil
}

// check refuses values that the tags cannot describe, and those that are not built.
func (s *Settings) check(key, value string) error {
	switch {
	case key == "table.local-time-zone":
		if _, err := LoadZone(value); err != nil {
			return &option.Error{Key: key, Msg: fmt.Sprintf("invalid time zone '%s'", value),
				Hint: "expected a name such as 'Europe/Berlin', 'UTC' or an offset such as 'GMT+08:00'"}
		}
	case key == "pipeline.max-parallelism" && strings.TrimSpace(value) == "0":
		return &option.Error{Key: key, Msg: "'pipeline.max-parallelism' cannot be 0", Hint: "expected -1, or 1 to 32768"}
	case s.admitted[key] != nil:
		for name := range namesOf(value) {
			if !slices.Contains(s.admitted[key], name) {
				return noSuchName(key, name, s.admitted[key])
			}
		}
	}
	return nil
}

func notBuilt(key, value, built string) *option.Error {
	return &option.Error{Key: key, Msg: fmt.Sprintf("not supported: '%s' = '%s'", key, value), Hint: "only " + built + " is built"}
}

// Reset takes one setting back to its default; a key never set is fine.
func (s *Settings) Reset(key string) {
	given := s.given
	if name, ok := s.name(key); ok {
		key = name
	}
	delete(given, key)
	s.ResetAll()
	for k, v := range given {
		if slices.Contains(s.keys(), k) {
			if err := option.Set(s, k, v); err != nil {
				panic("catalog: " + err.Error())
			}
		}
	}
	s.given = given
}

// ResetAll takes all settings back to their defaults.
func (s *Settings) ResetAll() {
	admitted := s.admitted
	*s = *NewSettings()
	s.admitted = admitted
}

// List gives key and value of all settings that have an effect, and of the others that were set.
func (s *Settings) List() [][2]string {
	all := maps.Clone(s.given)
	for _, f := range option.Describe(s) {
		if _, ok := all[f.Name]; !ok && f.Default != "" {
			all[f.Name] = f.Default
		}
	}
	var out [][2]string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		out = append(out, [2]string{k, all[k]})
	}
	return out
}

// Exchange is how the edges of a job are carried.
func (s *Settings) Exchange() graph.Exchange {
	o := s.Options
	x := graph.Exchange{Options: &o, Interval: s.Interval}
	switch s.Transport {
	case "tcp":
		x.Transport = graph.TCP
	case "tls":
		x.Transport, x.TLS = graph.TLS, graph.TLSFiles{Certificate: s.Certificate, Key: s.Key, Authority: s.Authority}
	}
	return x
}

// DistinctBuckets is the number of parts that the values of a DISTINCT are divided into, 0 for undivided.
func (s *Settings) DistinctBuckets() int {
	if !s.SplitDistinct {
		return 0
	}
	return s.SplitBuckets
}

// Flink tells that the strict dialect is set.
func (s *Settings) Flink() bool { return s.Dialect == "flink" }

// RulesOff are the rewrite rules that are switched off.
func (s *Settings) RulesOff() map[string]bool { return namesOf(s.Off) }

// OptimizationsOff are the optimizations that are switched off.
func (s *Settings) OptimizationsOff() map[string]bool { return namesOf(s.Without) }

// Location is the session's time zone.
func (s *Settings) Location() *time.Location {
	z, err := LoadZone(s.Zone)
	if err != nil {
		panic("catalog: " + err.Error())
	}
	return z
}

// Known tells whether a key has an effect, or is refused for the one it would have.
func (s *Settings) Known(key string) bool {
	_, refused := changing[key]
	_, known := s.name(key)
	return refused || known
}

// name is the setting's own name, which key may be another one for.
func (s *Settings) name(key string) (string, bool) {
	for _, f := range option.Describe(s) {
		if f.Name == key || slices.Contains(f.Aliases, key) {
			return f.Name, true
		}
	}
	return "", false
}

// own is the prefix of the keys that Flink does not have. An unknown one is an error.
const own = "streamsql."

func (s *Settings) unknown(key string) error {
	var valid []string
	for _, k := range s.keys() {
		if strings.HasPrefix(k, own) {
			valid = append(valid, k)
		}
	}
	e := &option.Error{Key: key, Msg: fmt.Sprintf("unknown setting '%s'", key)}
	if near := option.Nearest(key, valid); near != "" {
		e.Hint = fmt.Sprintf("did you mean '%s'?  ", near)
	}
	e.Hint += "settings: " + strings.Join(valid, ", ")
	return e
}

func (s *Settings) keys() []string {
	var out []string
	for _, f := range option.Describe(s) {
		out = append(out, f.Name)
	}
	return out
}

func (s *Settings) isPassive(key string) bool {
	if _, ok := changing[key]; ok {
		return true
	}
	return slices.ContainsFunc(passive, func(p string) bool { return strings.HasPrefix(key, p) })
}
