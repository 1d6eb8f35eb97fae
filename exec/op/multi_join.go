package op

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// MultiJoin is the inner join of several inputs by keys that are all equal: it remembers the rows of each once, and gives
// what joins of two at a time would. The inputs hold inserts only.
type MultiJoin struct {
	// Keys are those of each input, of the same types in all; NULL equals nothing.
	Keys [][]expr.Expr
	// Output are the columns of the output by their positions among those of all inputs, ascending.
	Output []int
	// Types are those of the inputs' columns, Names those of the output's.
	Types [][]types.Type
	Names []string
}

// String implements Spec.
func (s *MultiJoin) String() string {
	parts := make([]string, len(s.Keys))
	for i, list := range s.Keys {
		parts[i] = exprText(list)
		if len(list) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return "MultiJoin(joinType=[InnerJoin], on=[" + strings.Join(parts, " = ") + "], select=[" + strings.Join(s.Names, ", ") + "])"
}

// New implements Spec.
func (s *MultiJoin) New() Operator { return &multiJoin{spec: s} }

type multiJoin struct {
	spec    *MultiJoin
	store   *state.Store
	keys    *state.Keyed // of all inputs
	sides   []*joinSide
	exprs   []*expr.Evaluator
	given   [][]outColumn // of each side
	maxRows int
	safe    []bool
	nulls   []uint64
	sel     []int32
	kept    [][]vector.Column
	keyKept []vector.Column
	keyCols []*vector.Column

	// The batch in work: its side and columns, and the rows that are put together.
	side int
	cols []*vector.Column
	now  []int32   // a row of each side
	ids  [][]int32 // those of each side, of the batch in work its rows
	own  []vector.Column
	out  vector.Batch
}

// outColumn is a column of a side, and its place in the output.
type outColumn struct{ column, at int }

// Open implements Operator.
func (o *multiJoin) Open(c *Context) error {
	s := o.spec
	o.store, o.maxRows = c.Store(s), c.MaxRows
	list := make([]types.Type, len(s.Keys[0]))
	for i, e := range s.Keys[0] {
		list[i] = e.Type().WithNull(true)
	}
	o.keys = o.store.Keyed("keys", nil, list)
	o.safe, o.keyCols, o.keyKept = make([]bool, len(list)), make([]*vector.Column, len(list)), make([]vector.Column, len(list))
	base := 0
	for i, keys := range s.Keys {
		o.sides = append(o.sides, newJoinSide(o.keys, fmt.Sprintf("rows %d", i), joinSideSpec{types: s.Types[i]}))
		ev, err := expr.New(keys, c.Env)
		if err != nil {
			return err
		}
		o.exprs = append(o.exprs, ev)
		var given []outColumn
		for k, at := range s.Output {
			if at >= base && at < base+len(s.Types[i]) {
				given = append(given, outColumn{at - base, k})
			}
		}
		base += len(s.Types[i])
		o.given = append(o.given, given)
		o.kept = append(o.kept, make([]vector.Column, len(s.Types[i])))
	}
	o.now, o.ids = make([]int32, len(s.Keys)), make([][]int32, len(s.Keys))
	o.own, o.out.Cols = owned(len(s.Output))
	return o.store.Open()
}

// Process implements Operator.
func (o *multiJoin) Process(input int, b *vector.Batch, out Output) error {
	keys, err := o.exprs[input].Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	n := b.Len
	o.side, o.cols = input, b.Cols
	if marks := nullKeys(o.nulls, keys, o.safe, n); marks != nil {
		o.nulls = marks
		if n = o.choose(b, keys); n == 0 {
			return nil
		}
		keys = o.keyCols
	}
	groups := o.keys.Lookup(keys, n)
	me := o.sides[input]
	me.link(me.store(groups, o.cols, n))
	if err := o.store.Err(); err != nil {
		return err
	}
	for r, g := range groups {
		if !o.all(g) {
			continue
		}
		o.now[input] = int32(r)
		if err := o.combine(0, g, out); err != nil {
			return err
		}
	}
	return o.flush(out)
}

// choose keeps the rows of a batch that have a key, and returns their number.
func (o *multiJoin) choose(b *vector.Batch, keys []*vector.Column) int {
	o.sel = o.sel[:0]
	for r := range b.Len {
		if !kernel.Bit(o.nulls, r) {
			o.sel = append(o.sel, int32(r))
		}
	}
	if len(o.sel) == 0 {
		return 0
	}
	kept := o.kept[o.side]
	o.cols = make([]*vector.Column, len(b.Cols))
	for i, c := range b.Cols {
		vector.Take(&kept[i], c, o.sel)
		o.cols[i] = &kept[i]
	}
	for i, c := range keys {
		vector.Take(&o.keyKept[i], c, o.sel)
		o.keyCols[i] = &o.keyKept[i]
	}
	return len(o.sel)
}

// all tells that every side has rows of a key.
func (o *multiJoin) all(g int32) bool {
	for _, s := range o.sides {
		if s.tail.At(g) == 0 {
			return false
		}
	}
	return true
}

// combine puts the row in work together with those of the sides from one on.
func (o *multiJoin) combine(side int, g int32, out Output) error {
	if side == o.side {
		side++
	}
	if side >= len(o.sides) {
		for i, v := range o.now {
			o.ids[i] = append(o.ids[i], v)
		}
		if len(o.ids[0]) == o.maxRows {
			return o.flush(out)
		}
		return nil
	}
	s := o.sides[side]
	t := s.tail.At(g)
	for v := s.next.At(t - 1); ; v = s.next.At(v - 1) {
		o.now[side] = v - 1
		if err := o.combine(side+1, g, out); err != nil {
			return err
		}
		if v == t {
			return nil
		}
	}
}

// flush passes on what is put together.
func (o *multiJoin) flush(out Output) error {
	n := len(o.ids[0])
	if n == 0 {
		return nil
	}
	for i, s := range o.sides {
		if i != o.side && len(o.given[i]) > 0 {
			s.unpack(o.ids[i])
		}
		for _, c := range o.given[i] {
			if i == o.side {
				vector.Take(&o.own[c.at], o.cols[c.column], o.ids[i])
			} else {
				s.column(&o.own[c.at], c.column, o.ids[i])
			}
		}
	}
	for i := range o.ids {
		o.ids[i] = o.ids[i][:0]
	}
	o.out.Len = n
	return out.Emit(&o.out)
}

// Advance implements Operator.
func (o *multiJoin) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *multiJoin) Close() error { return nil }
