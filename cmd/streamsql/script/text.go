package script

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// Text is a text of statements, and of commands that begin with a backslash, of which a part is there. What is complete
// runs when it comes.
type Text struct {
	runner  *Runner
	file    string
	ran     strings.Builder // the text of what ran, as it was run
	pending []byte          // what came behind it
	begun   bool
	slashed bool // there is a backslash in it
}

// Command is a line of a text that begins with a backslash outside of quotes and comments.
type Command struct {
	// Line is the line from the backslash on, without its end.
	Line string
	// Buffer is the statement before it that no semicolon has ended; it may be blank.
	Buffer string
	// Run runs a statement in the place of the buffer.
	Run func(ctx context.Context, statement string) error
}

// Text begins a text. file is its name in errors; empty is fine.
func (r *Runner) Text(file string) *Text { return &Text{runner: r, file: file} }

// Pending is the text that waits for its end.
func (t *Text) Pending() string { return string(t.pending) }

// Clear forgets what waits for its end.
func (t *Text) Clear() { t.pending, t.slashed = nil, false }

// Take runs what data completes; last says that nothing follows it. Behind what failed it goes on when it is called again.
func (t *Text) Take(ctx context.Context, data []byte, last bool) error {
	t.pending = append(t.pending, data...)
	t.slashed = t.runner.Command != nil && (t.slashed || bytes.IndexByte(data, '\\') >= 0)
	if !last && !t.slashed && bytes.IndexByte(data, ';') < 0 && len(t.pending) <= parse.MaxBytes {
		return nil
	}
	text := string(t.pending)
	if !t.begun {
		t.begun, text = true, strings.TrimPrefix(text, ByteOrderMark)
	}
	for {
		at := -1
		if t.slashed {
			at = parse.Backslash(text)
			t.slashed = at >= 0 || strings.IndexByte(text, '\\') >= 0
		}
		upto := len(text)
		if at >= 0 {
			upto = at
		}
		n, err := t.terminated(ctx, text[:upto])
		t.pending = []byte(text[n:])
		if err != nil {
			return err
		}
		text, at = text[n:], at-n
		if upto == len(text)+n {
			break
		}
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 && !last {
			return nil
		}
		if end < 0 {
			end = len(text) - at
		}
		rest, err := t.command(ctx, text[:at], strings.TrimRight(text[at:at+end], "\r"))
		text = rest + text[at+end:]
		t.pending = []byte(text)
		if err != nil {
			return err
		}
	}
	if !last && len(text) <= parse.MaxBytes || t.runner.jobs.isStopping() {
		return nil
	}
	t.pending = nil
	_, err := t.run(ctx, text, true)
	return err
}

// terminated runs the statements that a semicolon ends, and tells how much of the text they are.
func (t *Text) terminated(ctx context.Context, text string) (from int, err error) {
	list := parse.Script(text)
	if len(list) == 0 { // semicolons and comments
		from = parse.End(text)
		t.ran.WriteString(text[:from])
		return from, nil
	}
	for _, p := range list {
		if !p.Terminated || t.runner.jobs.isStopping() {
			break
		}
		ran, err := t.run(ctx, text[from:p.After()], false)
		if err != nil {
			return p.After(), err
		}
		if ran {
			from = p.After()
		}
	}
	return from, nil
}

// run runs a piece of text, unless what variables stand for leaves its end open and more may come.
func (t *Text) run(ctx context.Context, piece string, last bool) (ran bool, err error) {
	if t.runner.Lookup != nil {
		if !last && parse.OpenVariable(piece) {
			return false, nil
		}
		replaced, err := parse.Substitute(piece, t.runner.Lookup)
		if err != nil {
			return false, t.runner.rendered(Moved(err, t.ran.Len()), t.ran.String()+piece, t.file)
		}
		piece = replaced
	}
	if t.runner.Expand != nil {
		piece = t.runner.Expand(piece)
	}
	if list := parse.Script(piece); !last && len(list) > 0 && !list[len(list)-1].Terminated {
		return false, nil
	}
	from := t.ran.Len()
	t.ran.WriteString(piece)
	return true, t.runner.statements(ctx, t.ran.String(), t.file, from)
}

// command gives a line to the runner's commands. What is left of the buffer before it is the result: where that is all of
// it, blanks stand for the line, so that what comes later has its place.
func (t *Text) command(ctx context.Context, buffer, line string) (rest string, err error) {
	if len(parse.Tokens(buffer)) == 0 {
		t.ran.WriteString(buffer)
		buffer = ""
	}
	from := t.ran.Len()
	rest, err = t.runner.Command(ctx, Command{Line: line, Buffer: buffer, Run: func(ctx context.Context, statement string) error {
		at := t
		if statement != buffer {
			at = t.runner.Text("")
		}
		_, err := at.run(ctx, statement, true)
		return err
	}})
	if err != nil {
		err = t.misfortune(err, t.ran.String()[:from]+buffer, line)
	}
	switch {
	case rest != "" && rest == buffer:
		return buffer + strings.Repeat(" ", len(line)), err
	case t.ran.Len() == from:
		t.ran.WriteString(buffer)
	}
	t.ran.WriteString(line)
	return rest, err
}

// ErrQuit is what a command gives to end the text. It is no failure, and passed on as it is.
var ErrQuit = errors.New("quit")

// misfortune gives what went wrong with a command behind a text its place, unless it has one.
func (t *Text) misfortune(err error, before, line string) error {
	var done *Error
	if errors.Is(err, ErrQuit) || errors.As(err, &done) {
		return err
	}
	text := before + line
	var e *syntax.Error
	if !errors.As(err, &e) {
		e = syntax.Errorf(planner.CodeCommand, syntax.Span{Pos: len(before), End: len(text)}, "%v", err)
	}
	return &Error{Text: t.runner.Draw.Error(e, text, t.file), Err: errors.Join(e, err)}
}
