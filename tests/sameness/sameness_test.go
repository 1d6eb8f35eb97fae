package sameness

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
)

var (
	soak     = flag.Bool("soak", false, "run every setting of the matrix over every input")
	soakSeed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "the order in which settings are run, and the moments of breaking off")
	soakFrom = flag.Int("from", 0, "how many settings of that order to pass over")
	soakFor  = flag.Duration("for", 0, "with -soak: begin nothing after so long; 0 runs everything")
)

// TestSameness: the answer is the golden. Of each query it takes some settings that the seed says, most of them over the
// smallest input, and one with -short; `make soak` takes everything, the smallest input first (the whole matrix takes a
// tenth of the time there) and within an input in an order that the seed says, so that of what its time allows every
// value has its share.
func TestSameness(t *testing.T) {
	r := rand.New(rand.NewPCG(*soakSeed, 6))
	var list []setting
	for i, in := range bench.Inputs() {
		from := len(list)
		for _, q := range bench.Judged() {
			own := settings(q, in)
			if i > 0 && !*soak {
				own = slices.DeleteFunc(own, slow)
			}
			r.Shuffle(len(own), func(a, b int) { own[a], own[b] = own[b], own[a] })
			list = append(list, own[:few(i, len(own))]...)
		}
		part := list[from:]
		r.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
	}
	t.Logf("%d settings, -args -seed %d", len(list), *soakSeed)
	p := progress{t: t, list: list, began: time.Now(), told: time.Now(), took: make([]time.Duration, len(list))}
	p.next.Store(int64(min(*soakFrom, len(list))))
	var workers sync.WaitGroup
	// Small buffers are handed to and fro so often that a job is many times slower where more jobs than processors run.
	for range runtime.GOMAXPROCS(0) {
		workers.Go(p.work)
	}
	workers.Wait()
	t.Logf("%d jobs went on from a checkpoint", p.restored.Load())
	if at := int(p.next.Load()); at < len(list) {
		t.Logf("stopped after %d of %d settings; go on with -args -soak -seed %d -from %d", at, len(list), *soakSeed, at)
	}
	if *soak {
		p.report()
	}
}

// slow tells the settings that take many buffers or batches for a large input.
func slow(s setting) bool {
	return s.way["streamsql.batch-size"] != "1024" || s.way["taskmanager.memory.segment-size"] == "256 b"
}

// few is how many settings of all are run over an input.
func few(input, all int) int {
	switch {
	case *soak:
		return all
	case testing.Short():
		return max(1-input, 0)
	}
	return min([]int{4, 0, 1}[input], all)
}

// progress is how far a matrix was run.
type progress struct {
	t        *testing.T
	list     []setting
	next     atomic.Int64
	restored atomic.Int64
	began    time.Time
	took     []time.Duration // by setting; 0 was not run
	mu       sync.Mutex
	told     time.Time
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
		p.one(at)
		p.mu.Lock()
		if time.Since(p.told) > tellEvery {
			p.told = time.Now()
			p.t.Log(p.far(at + 1))
		}
		p.mu.Unlock()
	}
}

// one runs a setting.
func (p *progress) one(at int) {
	dir := p.t.TempDir()
	defer os.RemoveAll(dir)
	start, s := time.Now(), &p.list[at]
	restored, err := s.run(p.t.Context(), rand.New(rand.NewPCG(*soakSeed, uint64(at))), filepath.Join(dir, "checkpoints"))
	p.restored.Add(int64(restored))
	p.took[at] = max(time.Since(start), 1)
	if err != nil {
		p.t.Errorf("setting %d, -args -seed %d -from %d: %v: %v", at, *soakSeed, at, s, err)
	}
}
