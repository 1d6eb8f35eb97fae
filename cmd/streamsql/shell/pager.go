package shell

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// pager starts the program that pages through long results, or is nil where there is none.
func (s *Shell) pager() sink {
	if s.noPager || !s.interactive || !s.t.Interactive() {
		return nil
	}
	command, given := os.LookupEnv("PAGER")
	if !given {
		command = "less"
	}
	name := strings.Fields(command)
	if len(name) == 0 {
		return nil
	}
	if _, err := exec.LookPath(name[0]); err != nil {
		if given && !s.noPagerSaid {
			s.noPagerSaid = true
			fmt.Fprintf(s.r.Err, "warning: there is no pager '%s': results are shown as they are\n", name[0])
		}
		return nil
	}
	c := exec.Command("/bin/sh", "-c", command)
	c.Stdout, c.Stderr = s.o.Out, s.o.Err
	if os.Getenv("LESS") == "" {
		c.Env = append(os.Environ(), "LESS=-SFX")
	}
	in, err := c.StdinPipe()
	if err != nil {
		return nil
	}
	s.screen.hold(true)
	s.run.lend(true)
	if err := c.Start(); err != nil {
		s.screen.hold(false)
		s.run.lend(false)
		return nil
	}
	return &paging{program{in, c, name[0]}, s}
}

// paged shows a text, with the pager where it is longer than the terminal.
func (s *Shell) paged(text string) error {
	if _, high := s.t.Size(); s.out.terminal() && strings.Count(text, "\n") >= high {
		if p := s.pager(); p != nil {
			_, _ = io.WriteString(p, text) // it may be left before its end
			return p.Close()
		}
	}
	_, err := io.WriteString(s.r.Out, text)
	return err
}

// paging is a pager that has the terminal until it is left.
type paging struct {
	program
	s *Shell
}

func (p *paging) Close() error {
	err := p.WriteCloser.Close()
	_ = p.c.Wait() // how a pager ends says nothing of the rows
	p.s.run.lend(false)
	p.s.screen.hold(false)
	return err
}
