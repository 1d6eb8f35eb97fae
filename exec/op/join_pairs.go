package op

import (
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// pairs finds the rows of the other side that belong to items: those of their keys, as far as the residual
// condition keeps them.
type pairs struct {
	maxRows int
	sides   [2]*joinSide
	width   int // of input 0
	filter  *expr.Filter
	used    [2][]int // columns of each side that the filter reads
	own     []vector.Column
	cols    []*vector.Column
	now     time.Time
	stopped func() error // or nil

	at, rows []int32 // an item, and a row of the other side
	from     []int32
}

func (p *pairs) open(s *Join, residual []expr.Expr, c *Context, sides [2]*joinSide) (err error) {
	p.maxRows, p.sides, p.width = c.MaxRows, sides, len(s.Types[0])
	if len(residual) == 0 {
		return nil
	}
	for _, i := range expr.Columns(residual...) {
		if i < p.width {
			p.used[0] = append(p.used[0], i)
		} else {
			p.used[1] = append(p.used[1], i-p.width)
		}
	}
	p.stopped = c.Stopped
	p.own, p.cols = owned(p.width + len(s.Types[1]))
	p.filter, err = expr.NewFilter(residual, c.Env)
	return err
}

// each passes the pairs of the items at the positions list in pieces: positions of items, and rows.
func (p *pairs) each(o *join, items []item, list []int32, f func(at, rows []int32) error) error {
	other := p.sides[1-o.side]
	p.at, p.rows = p.at[:0], p.rows[:0]
	for _, i := range list {
		t := other.tail.At(items[i].group)
		if t == 0 || items[i].alone {
			continue
		}
		for v := other.next.At(t - 1); ; v = other.next.At(v - 1) {
			if other.ttl == nil || !other.ttl.Expired(v-1, p.now) {
				p.at, p.rows = append(p.at, i), append(p.rows, v-1)
			}
			if len(p.at) == p.maxRows {
				if err := p.pass(o, items, f); err != nil {
					return err
				}
			}
			if v == t {
				break
			}
		}
	}
	return p.pass(o, items, f)
}

// pass passes the pairs that are collected, as far as the condition keeps them.
func (p *pairs) pass(o *join, items []item, f func(at, rows []int32) error) error {
	at, rows := p.at, p.rows
	p.at, p.rows = p.at[:0], p.rows[:0]
	if o.spec.Once && o.late.some && len(at) > 0 {
		var err error
		if at, rows, err = o.expiry[1-o.side].alive(o.late.time, at, rows); err != nil {
			return err
		}
	}
	if len(at) == 0 {
		return nil
	}
	if p.filter != nil {
		sel, all, err := p.filter.Select(p.gather(o, items, at, rows), len(at))
		if err != nil {
			return err
		}
		if !all {
			for k, i := range sel {
				at[k], rows[k] = at[i], rows[i]
			}
			at, rows = at[:len(sel)], rows[:len(sel)]
		}
	}
	if len(at) > 0 {
		return f(at, rows)
	}
	if p.stopped != nil {
		return p.stopped()
	}
	return nil
}

// gather brings out the columns that the condition reads.
func (p *pairs) gather(o *join, items []item, at, rows []int32) []*vector.Column {
	p.from = rowsOf(p.from, items, at)
	base := [2]int{0, p.width}
	for _, i := range p.used[o.side] {
		vector.Take(&p.own[base[o.side]+i], o.cols[i], p.from)
	}
	other := p.sides[1-o.side]
	for _, i := range p.used[1-o.side] {
		if other.place[i] < 0 {
			other.unpack(rows)
			break
		}
	}
	for _, i := range p.used[1-o.side] {
		other.column(&p.own[base[1-o.side]+i], i, rows)
	}
	return p.cols
}

// rowsOf writes the rows of the batch that items stand for over dst.
func rowsOf(dst []int32, items []item, at []int32) []int32 {
	dst = dst[:0]
	for _, i := range at {
		dst = append(dst, items[i].row)
	}
	return dst
}

// joinEmitter makes the output of a join. A batch of it is of one kind.
type joinEmitter struct {
	maxRows int
	types   [2][]types.Type
	sides   [2]*joinSide
	given   [2][]int // columns of each side
	own     []vector.Column
	kinds   []vector.RowKind
	batch   vector.Batch
	out     Output
	wants   choosing
	chosen  [2][]int32

	from, ids []int32
	copies    []int32
}

func (e *joinEmitter) open(s *Join, maxRows int, sides [2]*joinSide) {
	e.maxRows, e.types, e.sides, e.given = maxRows, s.Types, sides, s.outputs()
	e.own, e.batch.Cols = owned(len(e.given[0]) + len(e.given[1]))
}

// side are the columns of the output that come from a side.
func (e *joinEmitter) side(side int) []vector.Column {
	if side == 0 {
		return e.own[:len(e.given[0])]
	}
	return e.own[len(e.given[0]):]
}

// pairs emits items with rows of the other side, each as often as the two stand for equal rows.
func (e *joinEmitter) pairs(kind vector.RowKind, o *join, items []item, at, rows []int32) error {
	other := e.sides[1-o.side]
	e.from = rowsOf(e.from, items, at)
	if other.copies != nil || e.sides[o.side].copies != nil {
		rows = e.repeat(other, items, at, rows)
	}
	for from := e.from; len(rows) > 0; {
		n := min(len(rows), e.maxRows)
		some, others, err := from[:n], rows[:n], error(nil)
		if kind == vector.Insert {
			some, others, err = e.choose(o.side, o.cols, some, others)
		}
		if err == nil && len(others) > 0 {
			e.batched(o.side, o.cols, some)
			e.kept(1-o.side, others)
			err = e.emit(kind, len(others))
		}
		if err != nil {
			return err
		}
		rows, from = rows[n:], from[n:]
	}
	return nil
}

// repeat writes each pair as often as it is to be emitted.
func (e *joinEmitter) repeat(other *joinSide, items []item, at, rows []int32) []int32 {
	e.ids, e.copies = e.ids[:0], e.copies[:0]
	for k, v := range rows {
		n := items[at[k]].n
		for range max(n, -n) * other.number(v) {
			e.ids, e.copies = append(e.ids, v), append(e.copies, e.from[k])
		}
	}
	e.from, e.copies = e.copies, e.from
	return e.ids
}

// rows emits rows of a batch of a side, without those of the other.
func (e *joinEmitter) rows(kind vector.RowKind, side int, cols []*vector.Column, rows []int32) error {
	for len(rows) > 0 {
		n := min(len(rows), e.maxRows)
		e.batched(side, cols, rows[:n])
		e.padded(1-side, n)
		if err := e.emit(kind, n); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// stored emits remembered rows of a side, without those of the other, as often as there are copies.
func (e *joinEmitter) stored(kind vector.RowKind, side int, rows []int32) error {
	if s := e.sides[side]; s.copies != nil {
		e.ids = e.ids[:0]
		for _, v := range rows {
			for range s.copies.At(v) {
				e.ids = append(e.ids, v)
			}
		}
		rows = e.ids
	}
	for len(rows) > 0 {
		n := min(len(rows), e.maxRows)
		e.kept(side, rows[:n])
		e.padded(1-side, n)
		if err := e.emit(kind, n); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func (e *joinEmitter) batched(side int, cols []*vector.Column, rows []int32) {
	own := e.side(side)
	for k, i := range e.given[side] {
		vector.Take(&own[k], cols[i], rows)
	}
}

func (e *joinEmitter) kept(side int, rows []int32) {
	s, own := e.sides[side], e.side(side)
	for _, i := range e.given[side] {
		if s.place[i] < 0 {
			s.unpack(rows)
			break
		}
	}
	for k, i := range e.given[side] {
		s.column(&own[k], i, rows)
	}
}

func (e *joinEmitter) padded(side, n int) {
	own := e.side(side)
	for k, i := range e.given[side] {
		own[k].SetConstNull(e.types[side][i].WithNull(true), n)
	}
}

func (e *joinEmitter) emit(kind vector.RowKind, n int) error {
	e.batch.Len, e.batch.Kinds = n, nil
	if kind != vector.Insert {
		for len(e.kinds) < n {
			e.kinds = append(e.kinds, kind)
		}
		e.batch.Kinds = e.kinds[:n]
	}
	return e.out.Emit(&e.batch)
}
