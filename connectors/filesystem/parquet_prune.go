package filesystem

import (
	"slices"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/vector"
)

// bound is a condition that the least and the greatest value of a column can refute: column sign constant. The engine applies it
// all the same.
type bound struct {
	column int // of the table
	// least and most hold, of a column at position 0, where rows may be: for its least and its greatest value. One may be nil.
	least, most *expr.Filter
}

// bounds are the conditions that values of files can refute.
func bounds(t *connector.Table, filters []expr.Expr) []bound {
	var out []bound
	for _, f := range filters {
		if b, ok := boundOf(t, f); ok {
			out = append(out, b)
		}
	}
	return out
}

var flipped = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func boundOf(t *connector.Table, f expr.Expr) (bound, bool) {
	call, ok := f.(*expr.Call)
	if !ok || len(call.List) != 2 || flipped[call.Fn.Name] == "" {
		return bound{}, false
	}
	sign := call.Fn.Name
	c, ok := call.List[0].(*expr.Column)
	constant, also := call.List[1].(*expr.Const)
	if !ok || !also {
		c, ok = call.List[1].(*expr.Column)
		constant, also = call.List[0].(*expr.Const)
		sign = flipped[sign]
	}
	// Floating point has NaN, of which files say nothing.
	if !ok || !also || c.T.Kind.IsApprox() || c.T.Kind.IsComposite() || isKey(t, c.Index) || t.Columns[c.Index].Metadata != "" {
		return bound{}, false
	}
	test := func(sign string) *expr.Filter {
		value := &expr.Column{Index: 0, Name: c.Name, T: c.T}
		e := &expr.Call{Fn: function.Lookup(sign), List: []expr.Expr{value, constant}, T: call.T, Pos: -1}
		filter, err := expr.NewFilter([]expr.Expr{e}, t.Env)
		if err != nil {
			return nil
		}
		return filter
	}
	b := bound{column: c.Index}
	switch sign[0] {
	case '<':
		b.least = test(sign)
	case '>':
		b.most = test(sign)
	default:
		b.least, b.most = test("<="), test(">=")
	}
	return b, true
}

// possible tells whether a row between two values may satisfy the condition. What cannot be told is possible.
func (b *bound) possible(c *parquetColumn, least, most parquet.Value) bool {
	return holds(b.least, c, least) && holds(b.most, c, most)
}

func holds(f *expr.Filter, c *parquetColumn, v parquet.Value) bool {
	if f == nil || v.IsNull() {
		return true
	}
	b := vector.NewBuilder(c.typ)
	if !c.put(b, v) {
		return true
	}
	var value vector.Column
	b.Finish(&value)
	sel, all, err := f.Select([]*vector.Column{&value}, 1)
	return err != nil || all || len(sel) > 0
}

// rowRange is a run of rows of a row group, whose first row has a number in the file.
type rowRange struct {
	group    int
	from, to int64 // in the group
	first    int64 // the number of the group's first row in the file
}

// plan finds the rows to read: those of the row groups and pages that no condition refutes.
func (s *parquetScanner) plan(bounds []columnBound) {
	first := int64(0)
	for g, group := range s.groups {
		rows := group.NumRows()
		ranges := []rowRange{{g, 0, rows, first}}
		for _, b := range bounds {
			ranges = b.cut(ranges, group)
		}
		for _, r := range ranges {
			if r.from < r.to {
				s.ranges = append(s.ranges, r)
			}
		}
		first += rows
	}
	s.rows = first
}

// columnBound is a condition of a column that is read.
type columnBound struct {
	bound
	column *parquetColumn
}

// cut takes what the statistics of the group, or of its pages, refute out of ranges.
func (b *columnBound) cut(ranges []rowRange, group parquet.RowGroup) []rowRange {
	chunk, ok := group.ColumnChunks()[b.column.leaf].(*parquet.FileColumnChunk)
	if !ok || len(ranges) == 0 {
		return ranges
	}
	if least, most, ok := chunk.Bounds(); ok && !b.possible(b.column, least, most) {
		return nil
	}
	index, err := chunk.ColumnIndex()
	if err != nil {
		return ranges
	}
	offsets, err := chunk.OffsetIndex()
	if err != nil || offsets.NumPages() != index.NumPages() {
		return ranges
	}
	for p := range index.NumPages() {
		// A comparison with NULL is not TRUE.
		if !index.NullPage(p) && b.possible(b.column, index.MinValue(p), index.MaxValue(p)) {
			continue
		}
		to := group.NumRows()
		if p+1 < offsets.NumPages() {
			to = offsets.FirstRowIndex(p + 1)
		}
		ranges = without(ranges, offsets.FirstRowIndex(p), to)
	}
	return ranges
}

// without takes the rows from … to out of ranges.
func without(ranges []rowRange, from, to int64) []rowRange {
	out := make([]rowRange, 0, len(ranges)+1)
	for _, r := range ranges {
		before, behind := r, r
		before.to = min(r.to, max(from, r.from))
		behind.from = max(r.from, min(to, r.to))
		if before.from < before.to {
			out = append(out, before)
		}
		if behind.from < behind.to && (behind.from >= before.to) {
			out = append(out, behind)
		}
	}
	return slices.Clip(out)
}
