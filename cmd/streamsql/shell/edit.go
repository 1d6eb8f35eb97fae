package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// edit has an editor change the statement, or a file. What comes back runs where a semicolon ends it, and otherwise goes
// on to be typed.
func edit(s *Shell, _ context.Context, c *call) (string, error) {
	name, err := c.one()
	if err != nil {
		return c.Buffer, err
	}
	if !s.interactive {
		return c.Buffer, errors.New(`\e needs a terminal`)
	}
	temporary := name == ""
	if temporary {
		text, err := s.statement(c)
		if err != nil {
			text = ""
		}
		if name, err = draft(text); err != nil {
			return c.Buffer, err
		}
		defer os.Remove(name)
	}
	if err := s.lend(editorOf(name)); err != nil {
		return c.Buffer, fmt.Errorf("the editor failed: %w; VISUAL and EDITOR say which it is", err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return c.Buffer, err
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		return "", nil
	}
	fmt.Fprintln(s.r.Err, text)
	return text + "\n", nil
}

// draft puts a text into a file that only its user can read.
func draft(text string) (name string, err error) {
	f, err := os.CreateTemp("", "streamsql-*.sql")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(strings.TrimSpace(text) + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	return f.Name(), err
}

func editorOf(file string) *exec.Cmd {
	for _, v := range []string{"VISUAL", "EDITOR"} {
		if e := os.Getenv(v); e != "" {
			return exec.Command("/bin/sh", "-c", e+` "$1"`, "sh", file)
		}
	}
	return exec.Command("vi", file)
}
