package shell

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/exec/connector"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// live is a table of rows that may change, drawn in place while it does, as much of it as fits the terminal. Where the
// query ends at once nothing is drawn but its end.
type live struct {
	s    *Shell
	q    script.Query
	o    render.Options
	from time.Time

	mu     sync.Mutex
	view   *op.View
	n      int64
	top    int // the first row that is drawn
	shown  bool
	left   bool // its user has seen enough
	status []string
	stop   func()
	forget func()
}

// liveAfter is how long a query may take before its table is drawn.
const liveAfter = 400 * time.Millisecond

// liveTable is the table that is drawn now, if one is.
type liveTable struct {
	mu  sync.Mutex
	now *live
}

func (t *liveTable) set(l *live) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = l
}

func (t *liveTable) get() *live {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

func newLive(s *Shell, q script.Query, o render.Options) *live {
	list := make([]types.Type, len(q.Columns))
	for i, c := range q.Columns {
		list[i] = c.Type
	}
	set := s.r.Session.Settings()
	l := &live{s: s, q: q, o: o, from: time.Now(), view: op.NewView(list, o.Key, max(set.MaxRows, 1), int64(set.StateLimit))}
	s.t.Open(s.o.In)
	s.live.set(l)
	return l
}

// Writer makes the writer of one subtask.
func (l *live) Writer() connector.Writer { return writer{mu: &l.mu, to: l} }

func (l *live) rows() int { return l.view.Len() }

// take folds a batch.
func (l *live) take(b *vector.Batch) error {
	if left := l.o.Limit - l.n; l.o.Limit > 0 && left < int64(b.Len) {
		b = render.First(b, int(left))
	}
	if err := l.view.Take(b); err != nil {
		return err
	}
	if l.n += int64(b.Len); l.o.Limit > 0 && l.n >= l.o.Limit {
		return render.ErrLimit
	}
	return nil
}

// list is the texts of at most n rows from the top-th on.
func (l *live) list(top, n int) [][]string {
	b := l.view.Rows(top, n)
	out := make([][]string, b.Len)
	for i := range out {
		out[i] = render.Cells(b, i, l.o)
	}
	return out
}

// count is the number of rows, as far as it is known.
func (l *live) count() string {
	if l.view.Full() {
		return "more than " + numbered(l.view.Len())
	}
	return numbered(l.view.Len())
}

// tick draws the table again if there is reason to; it is called some times a second.
func (l *live) tick(status []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.from) < liveAfter || l.left {
		return
	}
	if !l.shown {
		l.shown = true
		l.s.screen.hold(true)
		l.s.t.Raw()
		l.s.t.secondScreen()
		l.forget = l.s.t.onChange(func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.draw()
		})
		l.stop = l.s.listen(l.key)
	}
	l.status = status
	l.draw()
}

// key is what a key does.
func (l *live) key(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, h := l.s.t.Size()
	page := max(h-liveLines, 1)
	switch k {
	case "q", "Q":
		l.left = true
		l.q.End()
		return
	case "\x03":
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGINT) // as the terminal would
		return
	case "\x1a":
		suspend()
		return
	case "j", "\x1b[B", "\x1bOB":
		l.top++
	case "k", "\x1b[A", "\x1bOA":
		l.top--
	case " ", "\x1b[6~", "f":
		l.top += page
	case "b", "\x1b[5~":
		l.top -= page
	case "g", "\x1b[H", "\x1b[1~":
		l.top = 0
	case "G", "\x1b[F", "\x1b[4~":
		l.top = l.view.Len()
	default:
		return
	}
	l.draw()
}

// liveLines are those beside the rows: four of the table and one of the status.
const liveLines = 5

// draw draws all of the terminal.
func (l *live) draw() {
	if l.s.t.away.Load() {
		return
	}
	w, h := l.s.t.Size()
	fit := max(h-liveLines, 1)
	n := l.view.Len()
	l.top = max(min(l.top, n-fit), 0)
	list := l.list(l.top, fit)
	var table strings.Builder
	t := &render.Table{W: &table, Style: render.StyleOf(l.o.Format), MaxWidth: l.o.MaxWidth}
	_ = t.Draw(l.q.Columns, list) // a builder never fails
	var out strings.Builder
	out.WriteString("\x1b[?7l\x1b[H")
	for line := range strings.Lines(table.String()) {
		line = cut(strings.TrimRight(line, "\n"), w)
		if out.WriteString(line); render.Width(line) < w { // at the edge it would take the last character away
			out.WriteString("\x1b[K")
		}
		out.WriteString("\r\n")
	}
	place := l.count()
	if n > fit {
		place = fmt.Sprintf("rows %d-%d of %s", l.top+1, l.top+len(list), strings.TrimSuffix(place, " rows"))
	}
	out.WriteString(fitted(append([]string{place}, l.status...), "[q leaves]", w-1) + "\x1b[K\x1b[J\x1b[?7h")
	_, _ = io.WriteString(l.s.t.draw, out.String())
}

// cut is the beginning of a text that fits a width.
func cut(text string, w int) string {
	if render.Width(text) <= w {
		return text
	}
	return render.Truncate(text, w)
}

// End shows the last state where it stays.
func (l *live) End() error {
	l.s.live.set(nil)
	l.mu.Lock()
	stop, forget := l.stop, l.forget
	l.left = true
	l.mu.Unlock()
	if stop != nil {
		stop()
		forget()
		l.s.t.firstScreen()
		l.s.t.Cooked()
		l.s.screen.hold(false)
	}
	l.mu.Lock() // a query that was left behind may go on
	all := l.view.Len()
	n := all
	if most := l.o.MaxRows; most > 0 {
		n = min(n, most)
	}
	if _, h := l.s.t.Size(); l.q.Endless {
		n = min(n, max(h-tableLines, 1))
	}
	r := newRolling(l.s, l.q, l.o)
	r.held, r.n = l.list(0, n), int64(n)
	l.mu.Unlock()
	if err := r.End(); err != nil || n == all {
		return err
	}
	return render.More(l.s.r.Out, all-n)
}
