package shell

import (
	"io"
	"sync"
)

// screen is what both streams show: a line at the bottom that is drawn again and again gives way to all that is written.
type screen struct {
	t    *Terminal
	errs io.Writer
	mu   sync.Mutex
	line bool // a line is drawn
	// over writes above the line that is being edited; nil when none is.
	over io.Writer
	held bool // another has the terminal
	open bool // what was written last has not ended its line
}

const clearLine = "\r\x1b[K"

func newScreen(t *Terminal, errs io.Writer) *screen { return &screen{t: t, errs: errs} }

// writer is a stream on the screen.
func (s *screen) writer(w io.Writer) io.Writer {
	if !s.t.Err {
		return w
	}
	return &onScreen{s, w}
}

type onScreen struct {
	s *screen
	w io.Writer
}

func (o *onScreen) Write(p []byte) (int, error) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	o.s.wipe()
	if len(p) > 0 {
		o.s.open = p[len(p)-1] != '\n'
	}
	if o.s.over != nil && o.w == o.s.errs {
		return o.s.over.Write(p)
	}
	return o.w.Write(p)
}

// edited has messages stand above the line that an editor shows, which it draws again.
func (s *screen) edited(over io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = over
}

// status draws the line. It leaves it out while another line is not at its end.
func (s *screen) status(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.t.Err || s.open || s.held || s.t.away.Load() {
		return
	}
	s.line = true
	_, _ = io.WriteString(s.errs, clearLine+text)
}

// clear takes the line away.
func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
}

func (s *screen) wipe() {
	if s.line {
		s.line = false
		_, _ = io.WriteString(s.errs, clearLine)
	}
}

// hold keeps the line away while another draws on the terminal.
func (s *screen) hold(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
	s.held = on
}
