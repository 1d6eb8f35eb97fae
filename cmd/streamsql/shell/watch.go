package shell

import (
	"fmt"
	"io"
	"os"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec"
	"streamsql/exec/types"
)

// How often what runs is looked at, and when it is told of unasked.
const (
	redraw      = 100 * time.Millisecond
	statusAfter = 500 * time.Millisecond
	whyAfter    = 10 * time.Second
)

// watch shows how a job gets on until the result is called: on a line below its rows, or on the last of its table. A job
// without output for long is told why.
func (s *Shell) watch(job func() *exec.Job) (over func()) {
	s.running.set(job)
	if s.o.Quiet && s.live.get() == nil {
		return func() { s.running.set(nil) }
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer s.t.guard()
		p := &progress{began: time.Now()}
		t := time.NewTicker(redraw)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				s.tick(job(), p)
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
		s.screen.clear()
		s.running.set(nil)
		s.endless.Store(false)
	}
}

// tick looks at a job once.
func (s *Shell) tick(j *exec.Job, p *progress) {
	live := s.live.get()
	if j == nil || !s.t.Err && p.told {
		return
	}
	p.see(j.Stats())
	switch {
	case live != nil:
		live.tick(p.parts())
	case s.t.Err && !s.o.Quiet && !s.o.NoProgress && time.Since(p.began) > statusAfter:
		w, _ := s.t.Size()
		s.screen.status(fitted(p.parts(), "[Ctrl-C stops]", w-1))
	}
	switch {
	case p.told || s.o.Quiet || time.Since(p.began) < whyAfter:
	case !s.t.Err:
		p.told = true
		if s.endless.Load() {
			about := "still running: Ctrl-C, --limit and --timeout end a query without end"
			if s.held.Load() {
				about += "; its rows change and are written then: --format changelog shows each change at once"
			}
			_, _ = io.WriteString(s.r.Err, about+"\n")
		}
	case p.silent() > whyAfter && (live == nil || !live.drawn()):
		p.told = true
		_, _ = io.WriteString(s.r.Err, "nothing came out for "+whyAfter.String()+":\n"+s.seen(why(p.now, s.r.Session.Settings().Location())))
	}
}

// drawn says that the table has the terminal.
func (l *live) drawn() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown
}

// observed is the job that is waited for, or was last.
type observed struct {
	mu  sync.Mutex
	job func() *exec.Job
	was *exec.Job
}

func (o *observed) set(job func() *exec.Job) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if job == nil && o.job != nil {
		o.was = o.job()
	}
	o.job = job
}

// last is the job that is waited for, or was last; nil if there was none.
func (o *observed) last() *exec.Job {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.job != nil {
		return o.job()
	}
	return o.was
}

// progress is what a job did, now and a moment ago.
type progress struct {
	began time.Time
	now   exec.Stats
	// before is a rateSpan ago or two, or the beginning; rates are over the time since then. next takes its place.
	before, next exec.Stats
	at           time.Time // of next

	output  int64
	changed time.Time // when rows came out last
	told    bool
}

// rateSpan is the time that rates are over, at least.
const rateSpan = time.Second

func (p *progress) see(s exec.Stats) {
	now := time.Now()
	if p.at.IsZero() || now.Sub(p.at) >= rateSpan {
		p.before, p.next, p.at = p.next, s, now
	}
	p.now = s
	if out := rowsOut(&s); out != p.output || p.changed.IsZero() {
		p.output, p.changed = out, now
	}
}

func (p *progress) silent() time.Duration { return time.Since(p.changed) }

func rowsIn(s *exec.Stats) (n int64) {
	for _, i := range s.Inputs {
		n += i.Rows
	}
	return n
}

func rowsOut(s *exec.Stats) (n int64) {
	for _, x := range s.Nodes {
		if x.Sink {
			n += x.RowsIn
		}
	}
	return n
}

// parts are those of the line about a job: time, rows in and out each second, watermark, bottleneck, late rows, memory, and
// how much the bottleneck holds others up.
func (p *progress) parts() []string {
	s := &p.now
	part := []string{clock(s.Wall) + bar(s),
		"in " + rate(rowsIn(s)-rowsIn(&p.before), s.Wall-p.before.Wall), "out " + rate(rowsOut(s)-rowsOut(&p.before), s.Wall-p.before.Wall)}
	if w := watermark(s); w != "" {
		part = append(part, "wm "+w)
	}
	busy, held := p.bottleneck()
	if busy != "" {
		part = append(part, busy)
	}
	if n := late(s); n > 0 {
		part = append(part, fmt.Sprintf("late %d", n))
	}
	if n := stateBytes(s); n > 0 {
		part = append(part, "state "+size(n))
	}
	part = append(part, "mem "+size(memory()))
	if held > 0 {
		part = append(part, fmt.Sprintf("back-pressure %d%%", held))
	}
	return part
}

// fitted is a line of as many parts as a width has room for beside what stands at the end.
func fitted(parts []string, end string, w int) string {
	text, room := "", w-render.Width(end)-2
	for _, p := range parts {
		switch {
		case text == "":
			text = p
		case render.Width(text)+2+render.Width(p) <= room:
			text += "  " + p
		}
	}
	return cut(text+"  "+end, w)
}

// barWidth is that of a bar of progress.
const barWidth = 12

// bar says how much of the inputs was read and how long the rest may take, where they end and tell; otherwise it is
// empty.
func bar(s *exec.Stats) string {
	share := 0.0
	for _, in := range s.Inputs {
		if !in.Bounded || in.Share < 0 {
			return ""
		}
		share += in.Share / float64(len(s.Inputs))
	}
	if len(s.Inputs) == 0 {
		return ""
	}
	full := int(share * barWidth)
	text := "  [" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + fmt.Sprintf("] %d%%", int(100*share))
	if share > 0.01 && share < 1 {
		text += " ~" + clock(time.Duration(float64(s.Wall)*(1-share)/share)) + " left"
	}
	return text
}

func clock(d time.Duration) string {
	sec := int(d.Seconds())
	if sec >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", sec/3600, sec/60%60, sec%60)
	}
	return fmt.Sprintf("%02d:%02d", sec/60, sec%60)
}

// rate is rows in each second.
func rate(n int64, d time.Duration) string {
	if d <= 0 {
		return "0/s"
	}
	return short(float64(n)/d.Seconds()) + "/s"
}

func short(v float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= u.of {
			return strconv.FormatFloat(v/u.of, 'f', 2, 64) + u.name
		}
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

func size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%dG", n>>30)
	case n >= 1<<20:
		return fmt.Sprintf("%dM", n>>20)
	}
	return fmt.Sprintf("%dK", n>>10)
}

// watermark is the event time that all of the job has reached, with how far it is behind the clock where that says
// something; empty when there is none.
func watermark(s *exec.Stats) string {
	at := types.MaxTime
	for _, n := range s.Nodes {
		if n.Sink {
			at = min(at, n.Watermark)
		}
	}
	if at == types.MinTime || at == types.MaxTime {
		return ""
	}
	when := time.UnixMilli(int64(at)).UTC()
	text := when.Format("15:04:05")
	if lag := time.Since(when); lag < 24*time.Hour && lag > -24*time.Hour {
		return text + fmt.Sprintf(" lag %.1fs", lag.Seconds())
	}
	return when.Format("2006-01-02 15:04:05")
}

// bottleneck names the operator that keeps the others waiting with the share of its time that it is busy, and gives the
// percentage of theirs that the one which waits most cannot go on.
func (p *progress) bottleneck() (busy string, held int) {
	s := p.recently()
	t := s.Bottleneck()
	if t == nil {
		return "", 0
	}
	name, most := "", time.Duration(-1)
	for _, n := range p.now.Nodes {
		if n.Stage == t.Stage && n.Busy > most {
			name, most = n.Name, n.Busy
		}
	}
	if i := strings.IndexAny(name, "([,"); i > 0 {
		name = name[:i]
	}
	name = strings.Replace(name, "Source: ", "source ", 1)
	for _, x := range s.Tasks {
		held = max(held, percent(x.Soft+x.Hard, x))
	}
	return fmt.Sprintf("busy %s %d%%", strings.TrimSpace(name), percent(t.Busy, *t)), held
}

// percent is a part of a task's time.
func percent(d time.Duration, t exec.TaskStats) int {
	return int(100 * d / max(t.Busy+t.Idle+t.Soft+t.Hard, 1))
}

// recently is what tasks did with the time that rates are over. One that waits says nothing until it goes on: what it does
// not tell of is idle.
func (p *progress) recently() exec.Stats {
	s := exec.Stats{Tasks: slices.Clone(p.now.Tasks)}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if i < len(p.before.Tasks) {
			was := p.before.Tasks[i]
			t.Busy, t.Soft, t.Hard = max(t.Busy-was.Busy, 0), max(t.Soft-was.Soft, 0), max(t.Hard-was.Hard, 0)
		}
		t.Idle = max(p.now.Wall-p.before.Wall-t.Busy-t.Soft-t.Hard, 0)
	}
	return s
}

func late(s *exec.Stats) (n int64) {
	for _, x := range s.Nodes {
		for _, c := range x.Noted {
			if strings.HasPrefix(c.Name, "late rows") {
				n += c.Value
			}
		}
	}
	return n
}

func stateBytes(s *exec.Stats) (n int64) {
	for _, x := range s.Nodes {
		for _, t := range x.Tables {
			n += t.Bytes
		}
	}
	return n
}

// memory is what the program takes of the system.
func memory() int64 {
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if f := strings.Fields(string(b)); len(f) > 1 {
			if pages, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}
