package shell

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors"
	engine "streamsql/exec"
	"streamsql/planner"
)

// atTerminal is the variable that makes this program a shell at a terminal: its value says where it is to panic.
const atTerminal = "SHELL_TEST_PANICS_AT"

func TestMain(m *testing.M) {
	if place, ok := os.LookupEnv(atTerminal); ok {
		if Guardian(os.Args) {
			return
		}
		panicking(place)
		return
	}
	os.Exit(m.Run())
}

// planted is what a panic says.
const planted = "a planted mistake"

// panicking is a session at a terminal that panics at a place.
func panicking(place string) {
	r := &script.Runner{Session: planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now}),
		Result: render.Options{Format: "csv"}}
	s := New(Options{Runner: r, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Terminal: NewTerminal(os.Stdin, os.Stdout, os.Stderr, false),
		Color: "never"})
	s.noPager = true
	show := r.Show
	switch place {
	case "statement":
		r.Show = func(script.Query) (script.Showing, error) { panic(planted) }
	case "between":
		r.Command = func(context.Context, script.Command) (string, error) {
			r.Session = nil // which the next prompt asks
			return "", nil
		}
	case "ticker":
		r.Watch = func(func() *engine.Job) func() {
			return s.watch(func() *engine.Job {
				s.t.secondScreen()
				panic(planted)
			})
		}
	case "key":
		r.Show = func(q script.Query) (script.Showing, error) {
			s.t.Raw()
			s.t.secondScreen()
			s.listen(func(string) { panic(planted) })
			return show(q)
		}
	case "size":
		s.t.onChange(func() { panic(planted) })
	case "foreign":
		r.Command = func(context.Context, script.Command) (string, error) {
			go func() {
				time.Sleep(100 * time.Millisecond) // the next line is being read
				panic(planted)
			}()
			return "", nil
		}
	}
	if err := s.Interact(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// pseudo is a terminal with a shell at it.
type pseudo struct {
	t             *testing.T
	master, slave *os.File
	found         unix.Termios
	cmd           *exec.Cmd

	mu  sync.Mutex
	out bytes.Buffer
}

// startPseudo starts a shell that panics at a place; at "" it does not.
func startPseudo(t *testing.T, place string) *pseudo {
	t.Helper()
	p := &pseudo{t: t}
	var err error
	if p.master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.master.Close() })
	if err := unix.IoctlSetPointerInt(int(p.master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(p.master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if p.slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.slave.Close() })
	p.size(100, 30)
	p.found = p.modes()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(self)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = p.slave, p.slave, p.slave
	p.cmd.Env = append(os.Environ(), atTerminal+"="+place, "TERM=xterm", "HOME="+t.TempDir(), "XDG_STATE_HOME=",
		"GORACE=atexit_sleep_ms=0")
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	go func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := p.master.Read(buf)
			if err != nil {
				return
			}
			p.mu.Lock()
			p.out.Write(buf[:n])
			p.mu.Unlock()
		}
	}()
	p.see("streamsql> ")
	return p
}

func (p *pseudo) modes() unix.Termios {
	p.t.Helper()
	m, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatal(err)
	}
	return *m
}

func (p *pseudo) size(columns, lines int) {
	p.t.Helper()
	size := &unix.Winsize{Col: uint16(columns), Row: uint16(lines)}
	if err := unix.IoctlSetWinsize(int(p.master.Fd()), unix.TIOCSWINSZ, size); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pseudo) say(text string) {
	p.t.Helper()
	if _, err := p.master.WriteString(text); err != nil {
		p.t.Fatal(err)
	}
}

// all is what was written so far.
func (p *pseudo) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// see waits for a text.
func (p *pseudo) see(text string) {
	p.t.Helper()
	for from := time.Now(); !strings.Contains(p.all(), text); time.Sleep(5 * time.Millisecond) {
		if time.Since(from) > 20*time.Second {
			out := p.all()
			p.t.Fatalf("no %q came: …%q", text, out[max(0, len(out)-2000):])
		}
	}
}

// ended waits for the end of the program, and tells its exit code. The terminal has to be as it was found.
func (p *pseudo) ended() int {
	p.t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		p.t.Fatalf("it goes on: %q", p.all())
	}
	if after := p.modes(); after != p.found {
		p.t.Errorf("the modes were %+v and are %+v", p.found, after)
	}
	p.see(noPasteMarks)
	time.Sleep(20 * time.Millisecond) // what was written last is read
	out := p.all()
	for _, m := range [][2]string{{pasteMarks, noPasteMarks}, {secondScreen, firstScreen}, {hideCursor, showCursor}} {
		if strings.LastIndex(out, m[0]) > strings.LastIndex(out, m[1]) {
			p.t.Errorf("%q is not undone: %q", m[0], out)
		}
	}
	return p.cmd.ProcessState.ExitCode()
}

// TestPanicAtTerminal: wherever the program panics the terminal is as it was found, and a statement that does leaves the
// session.
func TestPanicAtTerminal(t *testing.T) {
	const endless = "SELECT price FROM nexmark.bid;\r"
	for _, place := range []string{"statement", "between", "ticker", "key", "size"} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			p := startPseudo(t, place)
			want := 2 // which a panic ends with
			switch place {
			case "statement":
				p.say("SELECT 1 AS a;\r")
				p.see("a mistake of the program itself: " + planted)
				p.say("CREATE VIEW v AS SELECT 1 AS a;\r")
				p.see("ok")
				p.say("\x04")
				want = 0
				if out := p.all(); !strings.Contains(out, "--verbose") || strings.Contains(out, "goroutine") {
					t.Errorf("an error without --verbose is %q", out)
				}
			case "between":
				p.say("\\anything\r")
			case "ticker":
				p.say(endless)
			case "key":
				p.say("SELECT price FROM nexmark.bid;\r")
				p.see(secondScreen)
				p.say("x")
			case "size":
				p.size(60, 20)
			}
			if got := p.ended(); got != want {
				t.Errorf("exit code %d, want %d: %q", got, want, p.all())
			}
			if out := p.all(); place != "between" && !strings.Contains(out, planted) {
				t.Errorf("it does not say what happened: %q", out)
			}
		})
	}
}

// guarded waits until the terminal has a guardian.
func (p *pseudo) guarded() {
	p.t.Helper()
	for from := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		all, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.cmd.Process.Pid))
		for _, name := range all {
			if b, _ := os.ReadFile(name); len(b) > 0 {
				time.Sleep(20 * time.Millisecond) // it is told
				return
			}
		}
		if time.Since(from) > 20*time.Second {
			p.t.Fatal("nobody guards the terminal")
		}
	}
}

// TestTerminalOfKilled: also where the program is killed, or a goroutine that is not its own panics, the terminal is soon as it
// was found; what another program has made of it since then stays.
func TestTerminalOfKilled(t *testing.T) {
	for _, place := range []string{"foreign", "prompt", "table", "taken"} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			p := startPseudo(t, place)
			p.guarded()
			want := p.found
			switch place {
			case "foreign":
				p.say("\\anything\r")
			case "table":
				p.say("SELECT auction, COUNT(*) FROM nexmark.bid GROUP BY auction;\r")
				p.say("SELECT price FROM nexmark.bid;\r")
				p.see(pasteMarks)
			case "taken":
				want = p.modes()
				want.Lflag |= unix.ECHO
				_ = p.cmd.Process.Signal(syscall.SIGSTOP)
				if err := unix.IoctlSetTermios(int(p.slave.Fd()), unix.TCSETS, &want); err != nil {
					t.Fatal(err)
				}
			}
			if place != "foreign" {
				_ = p.cmd.Process.Kill()
			}
			_ = p.cmd.Wait()
			for from := time.Now(); p.modes() != want; time.Sleep(5 * time.Millisecond) {
				if time.Since(from) > 5*time.Second {
					t.Fatalf("the modes are %+v, want %+v: %q", p.modes(), want, p.all())
				}
			}
			if place == "taken" {
				time.Sleep(100 * time.Millisecond)
				if p.modes() != want {
					t.Error("the modes of another program are gone")
				}
				return
			}
			p.see(noPasteMarks)
		})
	}
}

var sequences = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// TestSizeAmidOutput: another size of the terminal while rows are written tears, loses and doubles none of them.
func TestSizeAmidOutput(t *testing.T) {
	const query = "SELECT auction, price, url FROM nexmark.bid /*+ OPTIONS('events.num' = '60000') */;"
	s, want, _ := newShell(t)
	if err := s.Script(t.Context(), query, ""); err != nil {
		t.Fatal(err)
	}
	p := startPseudo(t, "")
	p.say("\\pset format csv\r")
	p.say(query + "\r")
	rows := strings.Split(strings.TrimSpace(want.String()), "\n")
	last := rows[len(rows)-1] + "\r\n"
	p.see(rows[0])
	changes := 0
	for ; !strings.Contains(p.all(), last) && changes < 2000; changes++ {
		p.size(8+changes*7%120, 3+changes%40)
		time.Sleep(2 * time.Millisecond)
	}
	p.see(last)
	if changes < 5 {
		t.Errorf("only %d sizes while rows came", changes)
	}
	p.size(90, 25)
	p.say("SELECT 'again' AS x;\r")
	p.see("again\r\n")
	p.say("\x04")
	if code := p.ended(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	n := 0
	for _, line := range strings.Split(strings.ReplaceAll(p.all(), "\r\n", "\n"), "\n") {
		line = sequences.ReplaceAllString(line[strings.LastIndexByte(line, '\r')+1:], "")
		if n < len(rows) && line == rows[n] {
			n++
		}
	}
	if n != len(rows) {
		t.Errorf("of %d rows %d came whole and in order; the next is %q", len(rows), n, rows[min(n, len(rows)-1)])
	}
}
