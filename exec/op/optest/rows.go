package optest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Rows are the input of an operator: rows, and watermarks between them.
type Rows struct {
	types []types.Type
	cols  []*vector.Column // flat
	kinds []vector.RowKind // nil when all are inserts
	n     int
	marks []mark
	// shared are dictionaries of all rows, made when they are first used.
	shared []*vector.Dictionary
	// inputs are the rows of each of several inputs, and turns their order; the rest is empty then.
	inputs []*Rows
	turns  []element
}

// mark is a watermark before row at.
type mark struct {
	at   int
	time types.EventTime
}

// element is a batch of rows of an input, or a watermark.
type element struct {
	input     int
	from, to  int
	watermark bool
	time      types.EventTime
}

// Parse reads the text of a Case.
func Parse(t *testing.T, list []types.Type, s string) *Rows {
	t.Helper()
	r := &Rows{types: list}
	builders := make([]*vector.Builder, len(list))
	for i, typ := range list {
		builders[i] = vector.NewBuilder(typ)
	}
	for line := range strings.Lines(s) {
		cells := strings.Fields(line)
		if len(cells) == 0 {
			continue
		}
		if at, ok := strings.CutPrefix(cells[0], "^"); ok {
			r.marks = append(r.marks, mark{r.n, eventTime(t, at)})
			continue
		}
		kind := vector.Insert
		if k := slices.Index([]string{"+I", "-U", "+U", "-D"}, cells[0]); k >= 0 {
			kind, cells = vector.RowKind(k), cells[1:]
		}
		r.kinds = append(r.kinds, kind)
		if len(cells) != len(list) {
			t.Fatalf("optest: %d cells for %d columns: %s", len(cells), len(list), line)
		}
		for i, c := range cells {
			if !appendCell(builders[i], c) {
				t.Fatalf("optest: %q is no %s: %s", c, list[i], line)
			}
		}
		r.n++
	}
	if !slices.ContainsFunc(r.kinds, func(k vector.RowKind) bool { return k != vector.Insert }) {
		r.kinds = nil
	}
	for _, b := range builders {
		c := &vector.Column{}
		b.Finish(c)
		r.cols = append(r.cols, c)
	}
	return r
}

func eventTime(t *testing.T, s string) types.EventTime {
	if s == "max" {
		return types.MaxTime
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatalf("optest: watermark %q: %v", s, err)
	}
	return types.EventTime(v)
}

// appendCell appends the value of a cell; false when it has none of the type.
func appendCell(b *vector.Builder, cell string) bool {
	if cell == `\N` || cell == "NULL" {
		b.AppendNull()
		return true
	}
	typ := b.Type()
	fault := text.Ok
	var v int64
	in := []byte(cell)
	switch k := typ.Kind; {
	case k == types.Boolean:
		b.AppendBool(cell == "true")
		return true
	case k.IsText():
		b.AppendString(strings.NewReplacer(`\e`, "", `\s`, " ", `\\`, `\`, `\t`, "\t", `\n`, "\n").Replace(strings.Trim(cell, `"`)))
		return true
	case k == types.Variant: // its canonical text
		b.AppendString(cell)
		return true
	case k == types.Row, k == types.Array:
		return appendParts(b, cell)
	case k.IsApprox():
		f, fault := text.ParseFloat(in, 64)
		b.AppendFloat(f)
		return fault == text.Ok
	case k == types.Decimal:
		d, fault := text.ParseDecimal(in, typ.Precision, typ.Scale)
		b.AppendDecimal(d)
		return fault == text.Ok
	case k == types.Date:
		var days int32
		days, fault = text.ParseDate(in)
		v = int64(days)
	case k.IsTimestamp() && strings.Contains(cell[1:], "-"):
		v, fault = text.ParseTimestamp([]byte(strings.ReplaceAll(cell, `\s`, " ")), typ)
	default:
		v, fault = text.ParseInt(in, 64)
	}
	b.AppendInt(v)
	return fault == text.Ok
}

// appendParts reads (1,x) and [1,2].
func appendParts(b *vector.Builder, cell string) bool {
	ok := true
	parts := split(cell[1 : len(cell)-1])
	for i, p := range parts {
		if b.Type().Kind == types.Array {
			i = 0
		}
		ok = ok && i < len(b.Type().Fields) && appendCell(b.Child(i), p)
	}
	switch {
	case b.Type().Kind == types.Array:
		b.AppendList()
	case len(parts) != len(b.Type().Fields):
		return false
	default:
		b.AppendRow()
	}
	return ok
}

// split cuts at the commas that stand in no bracket.
func split(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	if s == "" {
		return nil
	}
	return append(out, s[from:])
}

// elements cuts the rows into batches of at most size, and none across a watermark.
func (r *Rows) elements(size int) []element {
	var out []element
	if r.inputs != nil {
		return r.pieces(size)
	}
	from := 0
	rows := func(to int) {
		for ; from < to; from = min(from+size, to) {
			out = append(out, element{from: from, to: min(from+size, to)})
		}
	}
	for _, m := range r.marks {
		rows(m.at)
		out = append(out, element{watermark: true, time: m.time})
	}
	rows(r.n)
	return out
}

// withNulls returns the rows with a fifth of the cells made NULL.
func (r *Rows) withNulls(random *rand.Rand) *Rows {
	out := *r
	out.cols, out.shared = nil, nil
	if r.inputs != nil {
		out.inputs = nil
		for _, in := range r.inputs {
			out.inputs = append(out.inputs, in.withNulls(random))
		}
		return &out
	}
	for i, c := range r.cols {
		b := vector.NewBuilder(r.types[i])
		for row := range r.n {
			if r.types[i].Nullable() && random.IntN(5) == 0 {
				b.AppendNull()
			} else {
				b.AppendValue(c, row)
			}
		}
		n := &vector.Column{}
		b.Finish(n)
		out.cols = append(out.cols, n)
	}
	return &out
}
