package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// corpusCase is one case of the corpus of Flink's outcomes.
type corpusCase struct {
	id, mode string
	sets     [][2]string
	files    [][2]string // name, content
	data     []string
	setup    []string
	sql      string
	columns  []string // name TAB type
	rows     []string
	hasRows  bool
	ordered  bool
	accept   bool
	phase    string // of an error
	message  string
}

// readCorpus reads a file of cases. A keyword stands at the start of a line; lines that start with two
// blanks belong to the block above; a blank line ends a case.
func readCorpus(path string) ([]corpusCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []corpusCase
	var c *corpusCase
	var block *[]string
	closeBlock := func() {}
	for n, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "  "):
			if block == nil {
				return nil, fmt.Errorf("%s:%d: a block line without a block", path, n+1)
			}
			*block = append(*block, line[2:])
			continue
		case strings.HasPrefix(line, "#"):
			continue
		}
		closeBlock()
		block, closeBlock = nil, func() {}
		if line == "" {
			c = nil
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if c == nil {
			out = append(out, corpusCase{})
			c = &out[len(out)-1]
		}
		block, closeBlock = c.line(word, rest)
	}
	closeBlock()
	return out, nil
}

// line takes one keyword line; what it returns collects the block below it.
func (c *corpusCase) line(word, rest string) (*[]string, func()) {
	lines := &[]string{}
	switch word {
	case "case":
		c.id = rest
	case "mode":
		c.mode = rest
	case "set":
		k, v, _ := strings.Cut(rest, " = ")
		c.sets = append(c.sets, [2]string{k, v})
	case "file":
		return lines, func() { c.files = append(c.files, [2]string{rest, fileText(*lines)}) }
	case "data":
		c.data = append(c.data, rest)
	case "setup":
		return lines, func() { c.setup = append(c.setup, strings.Join(*lines, "\n")) }
	case "sql":
		return lines, func() { c.sql = strings.Join(*lines, "\n") }
	case "columns":
		return &c.columns, func() {}
	case "rows":
		c.hasRows, c.ordered = true, rest == "ordered"
		return &c.rows, func() {}
	case "accept":
		c.accept = true
	case "error":
		c.phase, c.message, _ = strings.Cut(rest, " ")
	}
	return lines, func() {}
}

func fileText(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		for i := 0; i < len(l); i++ {
			if l[i] == '\\' && i+1 < len(l) {
				i++
				switch l[i] {
				case 'r':
					b.WriteByte('\r')
				default:
					b.WriteByte(l[i])
				}
				continue
			}
			b.WriteByte(l[i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// write puts the case's files into dir.
func (c *corpusCase) write(corpus, dir string) error {
	for _, f := range c.files {
		path := filepath.Join(dir, f[0])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(f[1]), 0o644); err != nil {
			return err
		}
	}
	for _, d := range c.data {
		text, err := os.ReadFile(filepath.Join(corpus, "data", d))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, d), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// in replaces ${DIR}.
func in(dir, sql string) string { return strings.ReplaceAll(sql, "${DIR}", dir) }
