package syntax

import (
	"slices"
	"strings"
)

// Extension is a place where a statement goes beyond Flink's dialect.
type Extension struct {
	Span
	What    string // what it uses
	Instead string // what Flink wants
}

// Rewrite says what stands in Flink's dialect for a piece of a statement, which is not empty. Without pieces Flink has
// nothing for it.
type Rewrite struct {
	Span
	Pieces []Piece
	// Before is a statement that has to run first, without a semicolon; often empty.
	Before string
	// What and Instead are as of an Extension, where it takes more than the text to see that this is one; else empty.
	What, Instead string
}

// Extensions are the rewrites that are extensions by themselves, in the order of the statement.
func Extensions(list []Rewrite) []Extension {
	var out []Extension
	for _, r := range list {
		if r.What != "" {
			out = append(out, Extension{r.Span, r.What, r.Instead})
		}
	}
	slices.SortStableFunc(out, func(a, b Extension) int { return a.Pos - b.Pos })
	return out
}

// Piece is a part of what replaces a piece of a statement: a text, or else what stands in the statement at the span,
// itself rewritten.
type Piece struct {
	Text string
	Span
}

// Rewritten applies rewrites to src. Of those inside another one that apply which stand in what it takes over. before are
// the statements that have to run first, in order.
func Rewritten(src string, list []Rewrite) (text string, before []string) {
	w := rewriter{src: src, list: slices.Clone(list), active: make([]bool, len(list))}
	slices.SortStableFunc(w.list, func(a, b Rewrite) int {
		if a.Pos != b.Pos {
			return a.Pos - b.Pos
		}
		return b.End - a.End
	})
	for _, r := range w.list {
		if r.Before != "" {
			before = append(before, r.Before)
		}
	}
	w.write(Span{End: len(src)})
	return w.b.String(), before
}

// rewriter writes a text with rewrites; active are those whose pieces it is in.
type rewriter struct {
	b      strings.Builder
	src    string
	list   []Rewrite
	active []bool
}

func (w *rewriter) write(at Span) {
	pos := at.Pos
	for i, r := range w.list {
		if w.active[i] || r.Pos < pos || r.End > at.End {
			continue
		}
		w.b.WriteString(w.src[pos:r.Pos])
		w.active[i] = true
		for _, p := range r.Pieces {
			if p.Span == (Span{}) {
				w.b.WriteString(p.Text)
			} else {
				w.write(p.Span)
			}
		}
		w.active[i] = false
		pos = r.End
	}
	w.b.WriteString(w.src[pos:at.End])
}
