package shell

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// output is where rows go: the program's own stream, or what \o and \g name.
type output struct {
	shell  *Shell
	direct io.Writer
	other  sink // or nil
	name   string
	filled bool // a result is there that no other may follow
}

// sink is a file, or what a program reads.
type sink interface {
	io.Writer
	io.Closer
}

func (o *output) Write(p []byte) (int, error) {
	if o.other != nil {
		return o.other.Write(p)
	}
	return o.direct.Write(p)
}

// terminal says that rows are seen as they come.
func (o *output) terminal() bool { return o.other == nil && o.shell.t.Out }

// to sends what follows to a file, to a program behind a |, or with an empty text back to the program's own stream.
func (o *output) to(target string) error {
	var err error
	if o.other != nil {
		err = o.other.Close()
		o.other = nil
	}
	o.name, o.filled = "", false
	if err != nil || target == "" {
		return err
	}
	if o.other, err = o.open(target); err != nil {
		o.other = nil
		return err
	}
	o.name = target
	return nil
}

// enough is what there is to say of an error that comes of a program which reads no more: it is no failure of the statement.
// What follows would find nobody either, so that rows come here again.
func (o *output) enough(err error) (told string, ended bool) {
	p, ok := o.other.(*program)
	if !ok || !errors.Is(err, syscall.EPIPE) {
		return "", false
	}
	if err := o.to(""); err != nil {
		return "error: " + err.Error(), true
	}
	return fmt.Sprintf("'%s' has read what it wants: rows come here again", p.name), true
}

func (o *output) open(target string) (sink, error) {
	if command, ok := strings.CutPrefix(target, "|"); ok {
		return o.program(strings.TrimSpace(command))
	}
	return os.Create(target)
}

// once has one thing write to a target.
func (o *output) once(target string, f func() error) error {
	w, err := o.open(target)
	if err != nil {
		return err
	}
	before := *o
	o.other, o.name, o.filled = w, target, false
	err = f()
	*o = before
	if e := w.Close(); err == nil || errors.Is(err, syscall.EPIPE) { // a program may have read enough; how it ended says more
		err = e
	}
	return err
}

// program starts a command of the system's shell that reads what is written.
func (o *output) program(command string) (sink, error) {
	if command == "" {
		return nil, errors.New("the | has no command behind it")
	}
	c := exec.Command("/bin/sh", "-c", command)
	c.Stdout, c.Stderr = o.direct, o.shell.r.Err
	if o.shell.t.Out {
		c.Stdout, c.Stderr = o.shell.o.Out, o.shell.o.Err // a program that is itself at the terminal has to see it
	}
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	return &program{in, c, command}, nil
}

type program struct {
	io.WriteCloser
	c    *exec.Cmd
	name string
}

// Close waits for the program's end.
func (p *program) Close() error {
	err := p.WriteCloser.Close()
	if e := p.c.Wait(); e != nil {
		return fmt.Errorf("'%s' ended badly: %w", p.name, e)
	}
	return err
}
