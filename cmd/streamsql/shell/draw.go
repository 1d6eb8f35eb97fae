package shell

import (
	"github.com/mattn/go-runewidth"

	"streamsql/planner/syntax"
)

// The colours of an error's parts.
var errorColors = map[syntax.Part]string{
	syntax.PartError: "\x1b[1;31m", syntax.PartCode: "\x1b[1m", syntax.PartPlace: "\x1b[31m", syntax.PartNote: "\x1b[36m",
}

// How wide lines of SQL are drawn: the number of the line stands in front of them.
const (
	errorGutter    = 8
	narrowestError = 20
)

// drawing is how errors are drawn: coloured, and no wider than the terminal, if they go to one.
func (s *Shell) drawing() syntax.Drawing {
	d := syntax.Drawing{Width: runewidth.RuneWidth}
	if !s.t.Err {
		return d
	}
	if w, _ := s.t.Size(); w > 0 {
		d.Columns = max(w-errorGutter, narrowestError)
	}
	if colored(s.o.Color, true) {
		d.Paint = func(p syntax.Part, text string) string { return errorColors[p] + text + colorOff }
	}
	return d
}
