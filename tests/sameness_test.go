package tests

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/queries"
)

var (
	soak     = flag.Bool("soak", false, "run every setting of the sameness matrix over every input")
	soakSeed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "the order in which settings are run")
	soakFrom = flag.Int("from", 0, "how many settings of that order to pass over")
	soakFor  = flag.Duration("for", 0, "with -soak: begin nothing after so long; 0 runs everything")
)

// exchanged are the queries whose keys meet behind an exchange.
var exchanged = []string{"q4", "q12e", "q15", "q16", "q17"}

// setting is a run whose answer must be the golden.
type setting struct {
	query, input string
	options      map[string]string
	way          map[string]string
	checkpoints  bool
}

func (s *setting) String() string {
	var way []string
	for _, k := range slices.Sorted(maps.Keys(s.way)) {
		way = append(way, k+"="+s.way[k])
	}
	return fmt.Sprintf("%s/%s, checkpoints %t, %s", s.query, s.input, s.checkpoints, strings.Join(way, ", "))
}

// ways are the settings of exchanges that must not change an answer: batch size, parallelism, segment size,
// exclusive buffers, transport.
func ways() []map[string]string {
	var out []map[string]string
	for _, batch := range []int{1, 3, 1024} {
		out = append(out, map[string]string{"streamsql.batch-size": fmt.Sprint(batch)})
		for _, parallelism := range []int{2, 4} {
			for _, segment := range []string{"256 b", "32 kb"} {
				for _, exclusive := range []int{0, 1, 2} {
					for _, transport := range []string{"local", "tcp"} {
						out = append(out, map[string]string{"streamsql.batch-size": fmt.Sprint(batch),
							"parallelism.default": fmt.Sprint(parallelism), "taskmanager.memory.segment-size": segment,
							"taskmanager.network.memory.buffers-per-channel": fmt.Sprint(exclusive), "streamsql.transport": transport})
					}
				}
			}
		}
	}
	for _, batch := range []int{3, 1024} {
		for _, parallelism := range []int{2, 4} {
			out = append(out, map[string]string{"streamsql.batch-size": fmt.Sprint(batch), "parallelism.default": fmt.Sprint(parallelism),
				"table.optimizer.distinct-agg.split.enabled": "true"})
		}
	}
	return out
}

// settings is the whole matrix over some inputs, in an order that the seed says.
func settings(over int) []setting {
	var out []setting
	for _, q := range exchanged {
		if !slices.Contains(queries.List(), q) {
			continue
		}
		for _, in := range inputs[:over] {
			for _, way := range ways() {
				for _, checkpoints := range []bool{false, true} {
					out = append(out, setting{q, in.name, in.options, way, checkpoints})
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(*soakSeed, 6))
	r.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}

// TestSameness: however rows travel between tasks, the answer is the golden. It takes an eighth of the matrix over
// the small input, and a part of that with -short; `make soak` takes everything, as far as its time goes.
func TestSameness(t *testing.T) {
	list := settings(1)
	switch {
	case *soak:
		list = settings(len(inputs))
	case testing.Short():
		list = list[:len(list)/24]
	default:
		list = list[:len(list)/8]
	}
	t.Logf("%d settings, -args -seed %d", len(list), *soakSeed)
	p := progress{t: t, list: list, began: time.Now(), told: time.Now()}
	p.next.Store(int64(min(*soakFrom, len(list))))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(p.work)
	}
	workers.Wait()
	if at := int(p.next.Load()); at < len(list) {
		t.Logf("stopped after %d of %d settings; go on with -args -soak -seed %d -from %d", at, len(list), *soakSeed, at)
	}
}

// progress is how far a matrix was run.
type progress struct {
	t     *testing.T
	list  []setting
	next  atomic.Int64
	began time.Time
	mu    sync.Mutex
	told  time.Time
}

// tellEvery is how often a long run says where it is.
const tellEvery = 10 * time.Second

func (p *progress) work() {
	for *soakFor == 0 || time.Since(p.began) < *soakFor {
		at := int(p.next.Add(1)) - 1
		if at >= len(p.list) {
			p.next.Store(int64(len(p.list)))
			return
		}
		start := time.Now()
		err := same(p.t, &p.list[at])
		if took := time.Since(start); took > tellEvery {
			p.t.Logf("setting %d took %v: %v", at, took.Round(time.Second), &p.list[at])
		}
		if err != nil {
			p.t.Errorf("setting %d, -args -seed %d -from %d: %v: %v", at, *soakSeed, at, &p.list[at], err)
		}
		p.mu.Lock()
		if time.Since(p.told) > tellEvery {
			p.told = time.Now()
			p.t.Logf("%v: %d of %d settings", time.Since(p.began).Round(time.Second), at+1, len(p.list))
		}
		p.mu.Unlock()
	}
}

// same runs a query one way and compares it with its golden.
func same(t *testing.T, c *setting) error {
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	way := maps.Clone(c.way)
	if c.checkpoints {
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		way["execution.checkpointing.dir"] = filepath.Join(dir, "checkpoints")
		way["execution.checkpointing.interval"] = "2 ms"
	}
	for k, v := range way {
		if w, err := s.Set(k, v); err != nil || w != "" {
			return fmt.Errorf("%s = %s: %s %v", k, v, w, err)
		}
	}
	run, _ := bench.Measure(t.Context(), s, bench.Config{Query: c.query, Options: maps.Clone(c.options), Verify: true,
		Out: io.Discard, Err: io.Discard})
	if run.Error != "" || run.Verified == nil || !*run.Verified {
		return fmt.Errorf("%s %s %s", run.Error, run.Digest, run.Note)
	}
	if c.checkpoints && run.Checkpoints == 0 {
		return errors.New("no checkpoint was taken")
	}
	return nil
}
