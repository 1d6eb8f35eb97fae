package shell

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/chzyer/readline"
)

// What a terminal is told: the start and the end of pasted text are marked, or not; the cursor is seen; the second screen
// is left.
const (
	pasteMarks   = "\x1b[?2004h"
	noPasteMarks = "\x1b[?2004l"
	showCursor   = "\x1b[?25h"
	hideCursor   = "\x1b[?25l"
	secondScreen = "\x1b[?1049h"
	firstScreen  = "\x1b[H\x1b[J\x1b[?1049l" // a terminal that had another size meanwhile may leave lines of the second one there
)

// Terminal is the one that the program was started from, as far as its streams go there.
type Terminal struct {
	// In, Out and Err say which of the streams are terminals that take escape sequences.
	In, Out, Err bool

	away atomic.Bool // others have it: nothing is drawn

	mu    sync.Mutex
	keys  *os.File // for reading, apart from what other programs read
	own   bool     // keys is ours to close
	draw  *os.File // what is drawn on
	found *readline.State
	over  *guardian // or nil
	modes
	changed map[int]func() // told of a new size, and of the return from a stop
	signals chan os.Signal // of those two
	number  int
}

// modes are how the terminal is other than it was found.
type modes struct {
	raw    bool
	second bool // the second screen is shown
	hushed bool // what is typed is not shown
}

// NewTerminal looks at the streams. Streams that are no files are no terminals, and with plain none is.
func NewTerminal(in io.Reader, out, errs io.Writer, plain bool) *Terminal {
	t := &Terminal{In: isTerminal(in), Out: isTerminal(out), Err: isTerminal(errs), changed: map[int]func(){}}
	if plain || os.Getenv("TERM") == "dumb" {
		t.In, t.Out, t.Err = false, false, false
	}
	switch {
	case t.Out:
		t.draw, _ = out.(*os.File)
	case t.Err:
		t.draw, _ = errs.(*os.File)
	}
	return t
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && readline.IsTerminal(number(f))
}

// Interactive says that lines can be edited: there are keys, and something to draw on.
func (t *Terminal) Interactive() bool { return t.In && t.draw != nil }

// Open prepares for reading keys. Until Close the terminal is put in order when the program is stopped and goes on.
func (t *Terminal) Open(in io.Reader) {
	f, ok := in.(*os.File)
	if !ok || !t.Interactive() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.found != nil {
		return
	}
	t.found, _ = readline.GetState(number(f))
	t.keys = f
	if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
		t.keys, t.own = tty, true
	}
	t.over = newGuardian(t)
	t.signals = make(chan os.Signal, 4)
	signal.Notify(t.signals, syscall.SIGTSTP, syscall.SIGWINCH, syscall.SIGQUIT)
	go t.watch(t.signals)
}

// watch follows the size of the terminal, and stops the program in order.
func (t *Terminal) watch(signals <-chan os.Signal) {
	defer t.guard()
	for s := range signals {
		switch s {
		case syscall.SIGTSTP:
			t.stop()
		case syscall.SIGQUIT: // which ends the program with all its stacks
			t.Restore()
			signal.Reset(syscall.SIGQUIT)
			_ = syscall.Kill(syscall.Getpid(), syscall.SIGQUIT)
		}
		t.mu.Lock()
		var told []func()
		for _, f := range t.changed {
			told = append(told, f)
		}
		t.mu.Unlock()
		for _, f := range told {
			f()
		}
	}
}

// stop stops the program, the terminal left as it was found, and takes it again when the program goes on.
func (t *Terminal) stop() {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	t.away.Store(true)
	before := t.leave()
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)
	<-goesOn // the stop comes to this thread in its own time
	t.enter(before)
	t.away.Store(false)
}

// onChange has f called when the size has changed, or the program has gone on, until the result is called.
func (t *Terminal) onChange(f func()) (forget func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.number++
	n := t.number
	t.changed[n] = f
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.changed, n)
	}
}

// leave gives the terminal to others, and tells in which modes it was.
func (t *Terminal) leave() modes {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.modes
	t.restore()
	return before
}

// enter takes it again.
func (t *Terminal) enter(m modes) {
	if m.hushed {
		t.Hush()
	}
	if m.raw {
		t.Raw()
	}
	if m.second {
		t.secondScreen()
	}
}

// Hush has what is typed not be shown until Loud: it is for later, and would stand in the middle of rows.
func (t *Terminal) Hush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.raw && !t.hushed && t.keys != nil {
		t.hushed = echo(number(t.keys), false) == nil
		t.over.tell(t)
	}
}

// Loud undoes Hush.
func (t *Terminal) Loud() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.loud()
}

func (t *Terminal) loud() {
	if t.hushed && t.keys != nil {
		_ = echo(number(t.keys), true)
		t.over.tell(t)
	}
	t.hushed = false
}

// Raw has keys come one by one, none of them with a meaning, until Cooked.
func (t *Terminal) Raw() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.raw || t.keys == nil {
		return
	}
	if _, err := readline.MakeRaw(number(t.keys)); err == nil {
		t.raw = true
		t.over.tell(t)
		_, _ = t.draw.WriteString(pasteMarks)
	}
}

// number is the descriptor of a file, whose reads still can be given deadlines.
func number(f *os.File) int {
	n := -1
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { n = int(fd) })
	}
	return n
}

// Cooked is the terminal as it was found, but that the second screen stays.
func (t *Terminal) Cooked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cook()
}

func (t *Terminal) cook() {
	if !t.raw {
		return
	}
	t.raw = false
	_, _ = t.draw.WriteString(noPasteMarks)
	if t.found != nil {
		_ = readline.Restore(number(t.keys), t.found)
		t.over.tell(t)
	}
}

// secondScreen draws on a screen of its own until firstScreen.
func (t *Terminal) secondScreen() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.second && t.draw != nil {
		t.second = true
		t.over.tell(t)
		_, _ = t.draw.WriteString(secondScreen + hideCursor)
	}
}

func (t *Terminal) firstScreen() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.first()
}

func (t *Terminal) first() {
	if t.second {
		t.second = false
		_, _ = t.draw.WriteString(firstScreen + showCursor)
		t.over.tell(t)
	}
}

func (t *Terminal) restore() {
	t.first()
	t.cook()
	t.loud()
}

// Restore is the terminal as it was found. It is safe at any time, also while the program ends.
func (t *Terminal) Restore() { t.leave() }

// Close is Restore at the end of a session.
func (t *Terminal) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.restore()
	t.over.dismiss()
	t.over = nil
	if t.signals != nil {
		signal.Stop(t.signals)
		close(t.signals)
		t.signals = nil
	}
	if t.own {
		_ = t.keys.Close()
		t.own = false
	}
	t.keys, t.found = nil, nil
}

// Size is in characters. What has no size is 80 by 24.
func (t *Terminal) Size() (width, height int) {
	if t.draw != nil {
		if w, h, err := readline.GetSize(number(t.draw)); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}

// Read reads keys as they come.
func (t *Terminal) Read(b []byte) (int, error) {
	t.mu.Lock()
	f := t.keys
	t.mu.Unlock()
	if f == nil {
		return 0, io.EOF
	}
	return f.Read(b)
}

// interruptRead has a read under way fail, and those to come until resumeRead. It tells whether that can be done.
func (t *Terminal) interruptRead() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.keys != nil && t.keys.SetReadDeadline(time.Unix(1, 0)) == nil
}

func (t *Terminal) resumeRead() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys != nil {
		_ = t.keys.SetReadDeadline(time.Time{})
	}
}
