package shell

import (
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// guardian is the process that watches over a terminal, seen from the program.
type guardian struct {
	found unix.Termios
	late  *time.Timer // which starts it
	pipe  *os.File    // nil before
}

// guarded is what a guardian is told: how the terminal was found, how it is, and what is drawn on it.
type guarded struct {
	Found, Now  unix.Termios
	Raw, Second bool
}

// newGuardian has a terminal guarded soon, if it can be.
func newGuardian(t *Terminal) *guardian {
	found, err := unix.IoctlGetTermios(number(t.keys), unix.TCGETS)
	if !itself || err != nil {
		return nil
	}
	g := &guardian{found: *found}
	g.late = time.AfterFunc(guardAfter, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.over == g {
			g.pipe = g.start()
			g.tell(t)
		}
	})
	return g
}

// start starts the process, and gives the end of the pipe that is ours; nil where it cannot be started.
func (g *guardian) start() *os.File {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0) // its own: giving it away ends the deadlines of reads
	if err != nil {
		return nil
	}
	defer terminal.Close()
	its, ours, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer its.Close()
	c := exec.Command(self, guarding)
	c.Stdin, c.Stdout = its, terminal
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "GOMEMLIMIT=8MiB")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what ends or stops the program at the terminal is not for it
	if err := c.Start(); err != nil {
		_ = ours.Close()
		return nil
	}
	go func() { _ = c.Wait() }()
	return ours
}

// tell says how the terminal is from now on. A guardian that is gone is missed by nobody until the program is.
func (g *guardian) tell(t *Terminal) {
	if g == nil || g.pipe == nil || t.keys == nil {
		return
	}
	if now, err := unix.IoctlGetTermios(number(t.keys), unix.TCGETS); err == nil {
		_ = binary.Write(g.pipe, binary.NativeEndian, &guarded{g.found, *now, t.raw, t.second})
	}
}

// dismiss ends the guardian, the terminal being in order.
func (g *guardian) dismiss() {
	if g == nil {
		return
	}
	if g.late.Stop(); g.pipe != nil {
		_ = g.pipe.Close()
	}
}

// guard is the work of the guardian. Where somebody else, such as the shell that the program was started from, has already
// taken the terminal, its modes are theirs.
func guard(told, terminal *os.File) {
	var last, next guarded
	for binary.Read(told, binary.NativeEndian, &next) == nil {
		last = next
	}
	if last == (guarded{}) {
		return
	}
	if last.Second {
		_, _ = io.WriteString(terminal, firstScreen+showCursor)
	}
	fd := int(terminal.Fd())
	now, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil || *now != last.Now || last.Now == last.Found {
		return
	}
	if last.Raw {
		_, _ = io.WriteString(terminal, noPasteMarks+"\r\n")
	}
	_ = unix.IoctlSetTermios(fd, unix.TCSETS, &last.Found)
}
