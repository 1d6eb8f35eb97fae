package shell

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chzyer/readline"
)

// errInterrupt is a line that Ctrl-C gave up.
var errInterrupt = errors.New("interrupted")

// LineReader reads lines of a user.
type LineReader interface {
	// ReadLine reads a line, which has no end, behind a prompt. Errors are io.EOF and errInterrupt.
	ReadLine(prompt string) (string, error)
	// Remember replaces what the user can go back to, the oldest first.
	Remember(lines []string)
	// Forget drops lines that are there already.
	Forget()
	Close()
}

// editor is a line with all that an editor has: the arrow keys, history and its search, completion and colours.
type editor struct {
	t    *Terminal
	keys *keys
	rl   *readline.Instance
	// reading tells that a line is being read: from before its prompt until it is there.
	reading atomic.Bool
}

// newEditor makes one. paint colours a line, complete completes it; both may be nil.
func newEditor(t *Terminal, paint func([]rune) []rune, complete readline.AutoCompleter) (*editor, error) {
	e := &editor{t: t, keys: &keys{from: t}}
	c := &readline.Config{
		Stdin: e.keys, Stdout: t.draw, Stderr: t.draw,
		DisableAutoSaveHistory: true, HistorySearchFold: true, HistoryLimit: historyLimit + 1,
		AutoComplete: complete, Painter: painter(paint),
		InterruptPrompt: "^C", EOFPrompt: "\n",
		FuncGetWidth:        func() int { w, _ := t.Size(); return w },
		FuncIsTerminal:      func() bool { return true },
		FuncMakeRaw:         func() error { t.Raw(); return nil },
		FuncExitRaw:         func() error { t.Cooked(); return nil },
		FuncFilterInputRune: e.filter,
		FuncOnWidthChanged:  func(f func()) { t.onChange(f) },
	}
	var err error
	if e.rl, err = readline.NewEx(c); err != nil {
		return nil, fmt.Errorf("the terminal cannot be read: %w", err)
	}
	t.onChange(e.rl.Refresh)
	return e, nil
}

// painter colours a line without changing its width.
type painter func([]rune) []rune

// Paint is called with each key.
func (p painter) Paint(line []rune, _ int) []rune {
	line = p.colored(line)
	out := make([]rune, len(line))
	for i, r := range line {
		switch out[i] = r; r {
		case pastedTab:
			out[i] = ' '
		case lineEnd:
			out[i] = lineEndSeen
		}
	}
	return out
}

// colored is a line with its colours, or without where they cannot be told: a session is worth more.
func (p painter) colored(line []rune) (out []rune) {
	defer func() {
		if recover() != nil {
			out = line
		}
	}()
	if p == nil {
		return line
	}
	return p(line)
}

// filter takes keys that are not the editor's: Ctrl-Z stops the program. Ctrl-C clears the line at once, also where words
// are offered, which it would only take away.
func (e *editor) filter(r rune) (rune, bool) {
	switch {
	case r == readline.CharCtrlZ:
		suspend()
		return 0, false
	case r == readline.CharInterrupt && e.rl.Operation.IsInCompleteMode():
		e.rl.Operation.ExitCompleteMode(true)
	}
	return r, true
}

func (e *editor) ReadLine(prompt string) (string, error) {
	if w, _ := e.t.Size(); w < 2*len(prompt) {
		prompt = "> "
	}
	e.rl.SetPrompt(prompt)
	e.reading.Store(true)
	line, err := e.rl.Readline()
	e.reading.Store(false)
	line = strings.NewReplacer(string(pastedTab), "\t", string(lineEnd), "\n").Replace(line)
	if errors.Is(err, readline.ErrInterrupt) {
		err = errInterrupt
	}
	return line, err
}

// over writes above the line that is being edited. The library draws the prompt before it says that it reads, and what
// came between would stand behind it: that moment is waited for.
func (e *editor) over() io.Writer { return &above{e, e.rl.Stderr()} }

type above struct {
	e *editor
	w io.Writer
}

func (a *above) Write(p []byte) (int, error) {
	for end := time.Now().Add(readsAtLast); a.e.reading.Load() && !a.e.rl.Terminal.IsReading() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return a.w.Write(p)
}

// readsAtLast bounds the wait, for a line that ends in this moment.
const readsAtLast = 100 * time.Millisecond

func (e *editor) Remember(lines []string) {
	e.rl.ResetHistory()
	for _, l := range lines {
		_ = e.rl.SaveHistory(strings.ReplaceAll(l, "\t", string(pastedTab))) // there is no file that could fail
	}
}

func (e *editor) Forget() { e.keys.forget() }

func (e *editor) Close() { e.t.Restore() }

// plain reads lines as they come: from a terminal that knows no escape sequences.
type plain struct {
	in  *bufio.Reader
	out io.Writer
}

func newPlain(in io.Reader, out io.Writer) *plain { return &plain{in: bufio.NewReader(in), out: out} }

func (p *plain) ReadLine(prompt string) (string, error) {
	_, _ = io.WriteString(p.out, prompt)
	line, err := p.in.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

func (p *plain) Remember([]string) {}

func (p *plain) Forget() { _, _ = p.in.Discard(p.in.Buffered()) }

func (p *plain) Close() {}
