package shell

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"unicode/utf8"
)

// historyLimit is how many statements are remembered.
const historyLimit = 2000

// history is what the user ran, a statement an entry, and the file that it lasts in.
type history struct {
	path  string // empty: it does not last
	lines []string
}

// HistoryPath is where the state of programs belongs, or what STREAMSQL_HISTORY says; empty when there is no home.
func HistoryPath() string {
	if p, ok := os.LookupEnv("STREAMSQL_HISTORY"); ok {
		return p
	}
	return ownFile("XDG_STATE_HOME", filepath.Join(".local", "state"), "history")
}

// openHistory reads a file that may not be there. An error says that nothing will last.
func openHistory(path string) (*history, error) {
	h := &history{}
	if path == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return h, err
	}
	f, err := openAlone(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	if err := f.Chmod(0o600); err != nil {
		return h, err
	}
	h.path = path
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		if line := strings.ToValidUTF8(s.Text(), "?"); line != "" {
			h.lines = append(h.lines, line)
		}
	}
	if len(h.lines) > historyLimit {
		h.lines = h.lines[len(h.lines)-historyLimit:]
		return h, replaceFile(path, strings.Join(h.lines, "\n")+"\n")
	}
	return h, nil
}

// openAlone opens a file that other sessions write too, and waits until it is this one's alone: until it is closed. One
// that was replaced meanwhile is opened again.
func openAlone(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		}
		if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOSYS) {
			return f, nil // the file system has no locks, and appending is whole there or nowhere
		}
		var mine, there os.FileInfo
		if err == nil {
			mine, err = f.Stat()
		}
		if err == nil {
			there, err = os.Stat(path)
		}
		if err == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
}

// replaceFile writes a file whole or not at all, whose lock the caller has.
func replaceFile(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // for its user alone
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// secret tells texts that set one: they are not remembered.
var secret = regexp.MustCompile(`(?i)\b(password|passwd|secret|token|credential|api.?key|access.?key|private.?key)`)

// longestEntry is the most of a statement that is worth being remembered.
const longestEntry = 64 << 10

// add remembers a statement as one line.
func (h *history) add(text string) error {
	line := oneLine(text)
	if line == "" || len(line) > longestEntry || secret.MatchString(line) || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return nil
	}
	h.lines = append(h.lines, line)
	if len(h.lines) > historyLimit {
		h.lines = h.lines[1:]
	}
	if h.path == "" {
		return nil
	}
	f, err := openAlone(h.path)
	if err != nil {
		h.path = ""
		return err
	}
	_, err = f.WriteString(line + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// oneLine joins the lines of a statement. Comments to the end of a line become comments with two ends; line ends in
// quotes become a character of their own.
func oneLine(text string) string {
	var out []byte
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == '\n':
			out = utf8.AppendRune(out, lineEnd)
		case c == '\n' || c == '\r':
			if n := len(out); n == 0 || out[n-1] != ' ' {
				out = append(out, ' ')
			}
		case quote != 0:
			out = append(out, c)
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '`' || c == '"':
			quote = c
			out = append(out, c)
		case strings.HasPrefix(text[i:], "--") || strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				end = len(text) - i
			}
			note := strings.ReplaceAll(strings.TrimSpace(text[i+2:i+end]), "*/", "* /")
			out = append(out, "/* "+note+" */"...)
			i += end - 1
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i:], "*/")
			if end < 0 {
				end = len(text) - i - 2
			}
			out = append(out, strings.Join(strings.Fields(text[i:i+end+2]), " ")...)
			i += end + 1
		default:
			out = append(out, c)
		}
	}
	return strings.TrimSpace(string(out))
}
