package shell

import (
	"streamsql/planner/parse"
)

// The colours of a statement: those that can be read on light and on dark.
const (
	colorKeyword = "\x1b[1;34m"
	colorText    = "\x1b[32m"
	colorNumber  = "\x1b[36m"
	colorComment = "\x1b[90m"
	colorOff     = "\x1b[0m"
)

// longestPainted is the most of a statement that is coloured at each key.
const longestPainted = 16 << 10

// paint colours the line that is being edited, as part of the statement that it goes on.
func (s *Shell) paint(line []rune) []rune {
	if !s.color || s.text == nil {
		return line
	}
	before := s.text.Pending()
	text := string(line)
	if len(before)+len(text) > longestPainted || before == "" && len(line) > 0 && line[0] == '\\' {
		return line
	}
	whole := before + text
	var out []byte
	at := len(before)
	put := func(from, to int, color string) {
		from, to = max(from, len(before)), min(to, len(whole))
		if from >= to {
			return
		}
		out = append(append(append(out, color...), whole[from:to]...), colorOff...)
		at = to
	}
	between := func(to int) { // blanks and comments
		if to = min(to, len(whole)); to > at {
			put(at, to, colorComment)
		}
	}
	for _, t := range parse.Tokens(whole) {
		between(t.Pos)
		switch t.Kind {
		case parse.TextToken, parse.DoubledToken:
			put(t.Pos, t.End, colorText)
		case parse.NumberToken:
			put(t.Pos, t.End, colorNumber)
		case parse.HintToken:
			put(t.Pos, t.End, colorComment)
		case parse.OtherToken:
			if c := whole[t.Pos]; c == '\'' || c == '"' || c == '`' {
				put(t.Pos, t.End, colorText)
			} else if c == '/' {
				put(t.Pos, t.End, colorComment)
			}
		case parse.WordToken:
			if keywords[t.Upper] {
				put(t.Pos, t.End, colorKeyword)
			}
		}
		if to := min(t.End, len(whole)); to > at {
			out = append(out, whole[at:to]...)
			at = to
		}
	}
	between(len(whole))
	return []rune(string(out))
}

// keywords are the words that are shown as such.
var keywords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range append(parse.Keywords(), "TUMBLE", "HOP", "CUMULATE", "SESSION", "DESCRIPTOR", "VIEW", "JOBS", "JOB", "STOP", "KEY",
		"ENFORCED", "IF", "TEMPORARY", "TABLES", "VIEWS", "FUNCTIONS", "COLUMNS", "HELP", "QUIT", "EXIT") {
		out[w] = true
	}
	return out
}()
