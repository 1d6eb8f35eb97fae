package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"streamsql/cmd/streamsql/script"
	"streamsql/planner/parse"
)

// Options make a shell.
type Options struct {
	Runner *script.Runner
	In     io.Reader
	// Out and Err are the streams as the program has them.
	Out, Err io.Writer
	Terminal *Terminal
	// Color is "auto", "always" or "never".
	Color string
	// Mode is how a terminal shows rows: "table", "changelog" or "append"; empty is what the settings say.
	Mode string
	// Variables are the first values of :NAME.
	Variables map[string]string
	// Quiet leaves out greetings, the status line and notices.
	Quiet bool
	// NoProgress leaves out the status line alone.
	NoProgress bool
}

// Shell is one session.
type Shell struct {
	o       Options
	r       *script.Runner
	t       *Terminal
	screen  *screen
	color   bool
	out     *output
	vars    map[string]string
	reader  LineReader
	history *history
	text    *script.Text

	interactive bool
	leaving     bool // asked to leave while jobs run
	left        bool
	timing      bool
	last        string   // the statement before, for commands without one
	files       []string // that are being read, the innermost last

	noPager     bool
	noPagerSaid bool

	run     foreground
	running observed
	resized atomic.Bool // the terminal has another size
	endless atomic.Bool // the query that runs does not end by itself
	held    atomic.Bool // its rows change, and are written at its end
	live    liveTable   // what the ticker draws, besides the status line
}

// New makes a shell over a runner, whose streams it takes over.
func New(o Options) *Shell {
	s := &Shell{o: o, r: o.Runner, t: o.Terminal, vars: map[string]string{}}
	for k, v := range o.Variables {
		s.vars[k] = v
	}
	s.color = colored(o.Color, o.Terminal.Out)
	s.screen = newScreen(o.Terminal, o.Err)
	s.out = &output{shell: s, direct: s.screen.writer(o.Out)}
	s.r.Out, s.r.Err = s.out, s.screen.writer(o.Err)
	s.r.Expand, s.r.Command = s.expand, s.command
	s.r.Show, s.r.ByKey = s.show, s.byKey
	s.r.Intercept, s.r.Watch, s.r.Took = s.intercept, s.watch, s.took
	s.r.Abandon, s.r.Draw = s.run.abandoned, s.drawing()
	return s
}

// colored says whether escape sequences for colours are wanted where a stream is a terminal or not.
func colored(flag string, terminal bool) bool {
	switch {
	case flag == "always":
		return true
	case flag == "never", os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return terminal && os.Getenv("TERM") != "dumb"
}

// Script runs a text to its end or its first error. file is its name in errors.
func (s *Shell) Script(ctx context.Context, text, file string) error {
	s.files = append(s.files, file)
	defer func() { s.files = s.files[:len(s.files)-1] }()
	err := s.r.Text(file).Take(ctx, []byte(text), true)
	if errors.Is(err, script.ErrQuit) {
		return nil
	}
	return err
}

// Stream runs a text as it comes.
func (s *Shell) Stream(ctx context.Context, in io.Reader, file string) error {
	err := s.r.Stream(ctx, in, file)
	if errors.Is(err, script.ErrQuit) {
		return nil
	}
	return err
}

// Setup runs a file at the start of a session: what fails in it is told, and the session begins.
func (s *Shell) Setup(ctx context.Context, path string, must bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		if must || !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	keep := s.r.KeepGoing
	s.r.KeepGoing = true
	defer func() { s.r.KeepGoing = keep }()
	t := s.r.Text(path)
	data := b
	for {
		err := t.Take(ctx, data, true)
		if err == nil || ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if must {
			return err
		}
		fmt.Fprintf(s.r.Err, "warning: %s goes on behind an error:\n%s", path, s.described(err))
		if t.Pending() == "" {
			return nil
		}
		data = nil
	}
}

// Interact is a session at a terminal, until its user leaves. An error is why it could not begin or go on.
func (s *Shell) Interact(ctx context.Context) (err error) {
	s.interactive, s.r.KeepGoing, s.r.Background = true, true, ctx
	if s.history, err = openHistory(HistoryPath()); err != nil {
		fmt.Fprintf(s.r.Err, "warning: statements are not remembered: %v\n", err)
	}
	if s.t.Interactive() {
		s.t.Open(s.o.In)
		defer s.t.Close()
		e, err := newEditor(s.t, s.paint, s.completer())
		if err != nil {
			return err
		}
		s.reader = e
		s.screen.edited(e.over())
	} else {
		s.reader = newPlain(s.o.In, s.o.Err)
	}
	defer s.reader.Close()
	s.reader.Remember(s.history.lines)
	if !s.o.Quiet {
		s.r.Done = func() { fmt.Fprintln(s.r.Err, "ok") }
		fmt.Fprintln(s.r.Err, `Statements end with a ';'. \? lists commands, \h explains statements, \q leaves.`)
	}
	s.text = s.r.Text("")
	defer s.t.onChange(func() { s.resized.Store(true) })()
	for !s.left {
		line, err := s.readLine(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errInterrupt):
			s.text.Clear()
			s.reader.Forget()
			continue
		case errors.Is(err, io.EOF):
			s.quit()
			continue
		case err != nil:
			return err
		}
		asked := s.leaving && strings.TrimSpace(line) != ""
		if s.resized.Swap(false) {
			s.r.Draw = s.drawing()
		}
		s.take(ctx, s.meant(line)+"\n")
		if asked { // and the user goes on
			s.leaving = false
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// meant is a line as it was meant: words that are no statement need no semicolon where one begins.
func (s *Shell) meant(line string) string {
	if apart(s.text.Pending() + line) {
		return line + ";"
	}
	if strings.TrimSpace(s.text.Pending()) != "" {
		return line
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "help", "quit", "exit", "clear":
		return line + ";"
	}
	return line
}

// readLine reads a line, or ends with the context.
func (s *Shell) readLine(ctx context.Context) (string, error) {
	type read struct {
		line string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		defer s.t.guard()
		line, err := s.reader.ReadLine(s.prompt())
		done <- read{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// prompt says what the text so far waits for.
func (s *Shell) prompt() string {
	n, open := s.r.Session.SetIsOpen()
	if strings.TrimSpace(s.text.Pending()) == "" {
		if open {
			return fmt.Sprintf("set[%d]> ", n)
		}
		return "streamsql> "
	}
	list := parse.Script(s.text.Pending())
	waits := "->"
	if len(list) > 0 {
		switch list[len(list)-1].Open {
		case parse.Quote:
			waits = "'>"
		case parse.Comment:
			waits = "*>"
		case parse.StatementSet:
			waits = ";>"
		}
	}
	return strings.Repeat(" ", len("streamsql")-1) + waits + " "
}

// take takes a line: what it completes runs, and is remembered.
func (s *Shell) take(ctx context.Context, line string) {
	whole := s.text.Pending() + line
	data := []byte(line)
	for {
		err := s.foreground(ctx, func(ctx context.Context) error { return s.text.Take(ctx, data, false) })
		if errors.Is(err, script.ErrQuit) {
			s.quit()
			err = nil
		}
		if err == nil {
			break
		}
		s.report(err)
		data = nil
		if s.text.Pending() == "" {
			break
		}
		var mistake *script.Mistake // which leaves nothing known of the text behind it
		if s.stopped(err) || errors.As(err, &mistake) {
			s.text.Clear()
			s.reader.Forget()
			break
		}
	}
	rest := s.text.Pending()
	if len(parse.Script(rest)) == 0 { // nothing, or a comment
		rest = ""
		s.text = s.r.Text("")
	}
	if done, ok := strings.CutSuffix(whole, rest); ok && strings.TrimSpace(done) != "" {
		s.remember(done)
	}
}

func (s *Shell) remember(text string) {
	n := len(s.history.lines)
	if err := s.history.add(text); err != nil {
		fmt.Fprintf(s.r.Err, "warning: statements are not remembered any more: %v\n", err)
	}
	if len(s.history.lines) != n {
		s.reader.Remember(s.history.lines)
	}
}

// report tells what went wrong.
func (s *Shell) report(err error) {
	if s.stopped(err) {
		return
	}
	if told, ended := s.out.enough(err); ended {
		fmt.Fprintln(s.r.Err, told)
		return
	}
	_, _ = io.WriteString(s.r.Err, s.described(err))
}

// described is an error as it is shown, with the end of its line.
func (s *Shell) described(err error) string {
	var e *script.Error
	if errors.As(err, &e) {
		return e.Text
	}
	return s.r.Traced(s.r.Draw.Message(err), err)
}

// quit leaves, or says what would end with the session.
func (s *Shell) quit() {
	running := s.r.Running()
	if running > 0 && !s.leaving {
		s.leaving = true
		fmt.Fprintf(s.r.Err, "%s and would end with the session: \\jobs lists them; \\q or Ctrl-D once more leaves\n", jobsRun(running))
		return
	}
	s.left = true
}

func jobsRun(n int) string {
	if n == 1 {
		return "1 job runs in the background"
	}
	return fmt.Sprintf("%d jobs run in the background", n)
}

// took tells how long a statement took, where that is wanted.
func (s *Shell) took(d time.Duration) {
	if s.timing {
		fmt.Fprintf(s.r.Err, "Time: %.3f ms\n", float64(d.Microseconds())/1000)
	}
}
