package script

import (
	"math"
	"strings"
	"testing"
	"time"

	"streamsql/exec"
)

// set changes settings of a session.
func set(t *testing.T, r *Runner, pairs ...string) {
	t.Helper()
	for _, kv := range pairs {
		k, v, _ := strings.Cut(kv, "=")
		if warning, err := r.Session.Set(k, v); err != nil || warning != "" {
			t.Fatal(kv, warning, err)
		}
	}
}

// TestCheckpointSettings: Flink's keys come to the machine, the older ones too.
func TestCheckpointSettings(t *testing.T) {
	r, _, _ := newRunner()
	set(t, r, "state.checkpoints.dir=D", "execution.checkpointing.interval=3 s", "execution.checkpointing.min-pause=2 s",
		"execution.checkpointing.timeout=9 s", "execution.checkpointing.tolerable-failed-checkpoints=4", "state.checkpoints.num-retained=5",
		"execution.savepoint.ignore-unclaimed-state=true")
	got, err := r.checkpoints("insert-1", "S", 0)
	if err != nil {
		t.Fatal(err)
	}
	want := exec.Checkpointing{Dir: "D/insert-1", Interval: 3 * time.Second, MinPause: 2 * time.Second, Timeout: 9 * time.Second,
		Tolerable: 4, Retain: 5, Name: "insert-1", Savepoint: "S", Unclaimed: true}
	if *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
	set(t, r, "execution.checkpointing.dir=", "state.savepoints.dir=E")
	if got, err := r.checkpoints("insert-1", "", 0); err != nil || !got.Transient || !strings.HasPrefix(got.Dir, "E/.job-") {
		t.Errorf("%+v, %v", got, err)
	}
	set(t, r, "execution.checkpointing.savepoint-dir=")
	if got, err := r.checkpoints("insert-1", "", 0); err != nil || got != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRestartSettings(t *testing.T) {
	r, _, _ := newRunner()
	if got := restart(r.Session.Settings()); got != (exec.Restart{}) {
		t.Errorf("by default: %+v", got)
	}
	set(t, r, "restart-strategy=fixed-delay", "restart-strategy.fixed-delay.attempts=3", "restart-strategy.fixed-delay.delay=5 s")
	if got := restart(r.Session.Settings()); got != (exec.Restart{Type: exec.FixedDelay, Attempts: 3, Delay: 5 * time.Second}) {
		t.Errorf("fixed: %+v", got)
	}
	set(t, r, "restart-strategy.type=exponential-delay", "restart-strategy.exponential-delay.initial-backoff=2 s",
		"restart-strategy.exponential-delay.max-backoff=2 min", "restart-strategy.exponential-delay.backoff-multiplier=2.5",
		"restart-strategy.exponential-delay.reset-backoff-threshold=2 h", "restart-strategy.exponential-delay.jitter-factor=0.3")
	want := exec.Restart{Type: exec.ExponentialDelay, Attempts: math.MaxInt, Delay: 2 * time.Second, MaxDelay: 2 * time.Minute,
		ResetAfter: 2 * time.Hour, Multiplier: 2.5, Jitter: 0.3}
	if got := restart(r.Session.Settings()); got != want {
		t.Errorf("growing: %+v, want %+v", got, want)
	}
	set(t, r, "restart-strategy.exponential-delay.attempts-before-reset-backoff=7")
	if got := restart(r.Session.Settings()); got.Attempts != 7 {
		t.Errorf("growing: %+v", got)
	}
	set(t, r, "restart-strategy.type=disable")
	if got := restart(r.Session.Settings()); got != (exec.Restart{}) {
		t.Errorf("disabled: %+v", got)
	}
	if _, err := r.Session.Set("restart-strategy.type", "failure-rate"); err == nil || !strings.Contains(err.Error(), "exponential-delay") {
		t.Error(err)
	}
}
