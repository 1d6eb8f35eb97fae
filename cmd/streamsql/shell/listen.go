package shell

import (
	"strings"
	"syscall"
)

// listen has f called with each key until the result is called, behind which nobody reads keys.
func (s *Shell) listen(f func(key string)) (stop func()) {
	done := make(chan struct{})
	quit := make(chan struct{})
	s.t.resumeRead()
	go func() {
		defer close(done)
		defer s.t.guard()
		var buf [256]byte
		for {
			n, err := s.t.Read(buf[:])
			if err != nil {
				return
			}
			select {
			case <-quit:
				return
			default:
			}
			for _, k := range keysOf(string(buf[:n])) {
				f(k)
			}
		}
	}()
	return func() {
		close(quit)
		if s.t.interruptRead() {
			<-done
			s.t.resumeRead()
		}
	}
}

// keysOf cuts what was read into keys: an escape sequence is one.
func keysOf(text string) []string {
	var out []string
	for text != "" {
		n := 1
		if text[0] == '\x1b' && len(text) > 2 && (text[1] == '[' || text[1] == 'O') {
			n = 3
			for n < len(text) && strings.IndexByte("0123456789;", text[n-1]) >= 0 {
				n++
			}
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// suspend stops the program and all that it started at this terminal, as Ctrl-Z does.
func suspend() { _ = syscall.Kill(0, syscall.SIGTSTP) }

// guard puts the terminal in order when a goroutine panics.
func (t *Terminal) guard() {
	if p := recover(); p != nil {
		t.Restore()
		panic(p)
	}
}
