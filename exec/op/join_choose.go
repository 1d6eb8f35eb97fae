package op

import "streamsql/exec/vector"

// choose leaves of pairs those that the operator behind wants: from are rows of the batch of a side, rows those of the
// other side. The columns by which it chooses are made, and no others.
func (e *joinEmitter) choose(side int, cols []*vector.Column, from, rows []int32) (some, others []int32, err error) {
	if !e.wants.asks() {
		return from, rows, nil
	}
	given, kept := e.given[side], e.given[1-side]
	own, stored := e.side(side), e.side(1-side)
	packed := false
	for _, i := range e.wants.by {
		at, mine := e.placed(i, side)
		if mine {
			vector.Take(&own[at], cols[given[at]], from)
			continue
		}
		s := e.sides[1-side]
		if s.place[kept[at]] < 0 && !packed {
			packed = true
			s.unpack(rows)
		}
		s.column(&stored[at], kept[at], rows)
	}
	sel, err := e.wants.choose(e.batch.Cols, len(rows))
	if err != nil || len(sel) == len(rows) {
		return from, rows, err
	}
	e.chosen[0], e.chosen[1] = e.chosen[0][:0], e.chosen[1][:0]
	for _, k := range sel {
		e.chosen[0], e.chosen[1] = append(e.chosen[0], from[k]), append(e.chosen[1], rows[k])
	}
	return e.chosen[0], e.chosen[1], nil
}

// placed is the place of a column of the output among those of its side, and whether that is the given one.
func (e *joinEmitter) placed(i, side int) (at int, mine bool) {
	if n := len(e.given[0]); i >= n {
		return i - n, side == 1
	}
	return i, side == 0
}
