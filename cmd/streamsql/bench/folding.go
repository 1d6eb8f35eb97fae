package bench

import (
	"streamsql/exec/connector"
	"streamsql/exec/state"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// folding is what one subtask of a sink wrote, added up, in tables of a store that checkpoints keep. A row may
// be taken away in one subtask that was given in another, so that counts may be negative.
type folding struct {
	connector.Uncommitted
	light bool
	store *state.Store
	// total has one group, or one of each earlier subtask: what a light folding knows.
	total *state.Keyed
	rows  *state.Pages[int64]
	sum   *state.Pages[uint64]
	// lines are the rows and how often there is each.
	lines  *state.Keyed
	counts *state.Pages[int64]

	batch *vector.Column // the lines of a batch
	line  []byte
	gone  []int32
}

// Keep implements connector.Keeper.
func (w *folding) Keep(s *state.Store) error {
	w.store = s
	if w.light {
		w.total = s.Keyed("total", nil, nil)
		w.rows, w.sum = state.NewPages[int64](w.total), state.NewPages[uint64](w.total)
	} else {
		w.lines = s.Keyed("lines", nil, []types.Type{types.String()})
		w.counts = state.NewPages[int64](w.lines)
		w.batch = &vector.Column{}
	}
	return s.Open()
}

// Write implements connector.Writer.
func (w *folding) Write(b *vector.Batch) error {
	if w.light {
		w.addUp(b)
		return nil
	}
	w.batch.Reset(types.String(), b.Len)
	lines := vector.NewText(w.batch)
	for i := range b.Len {
		lines.Put(i, w.encode(b, i))
	}
	lines.Finish()
	groups := w.lines.Lookup([]*vector.Column{w.batch}, b.Len)
	w.lines.Own(groups)
	pages := w.counts.All()
	for i, g := range groups {
		pages[g>>state.PageShift][g&state.PageMask] += sign(b, i)
	}
	w.gone = w.gone[:0]
	for _, g := range groups {
		if at := &pages[g>>state.PageShift][g&state.PageMask]; *at == 0 {
			*at = 1 // a line that comes twice in the batch is gone once
			w.gone = append(w.gone, g)
		}
	}
	w.lines.Remove(w.gone)
	w.lines.Compact()
	return nil
}

// encode makes out the line of a row; it is lent until the next one.
func (w *folding) encode(b *vector.Batch, i int) []byte {
	w.line = w.line[:0]
	for k, c := range b.Cols {
		if k > 0 {
			w.line = append(w.line, '\t')
		}
		w.line = text.AppendGolden(w.line, c, i)
	}
	return w.line
}

func sign(b *vector.Batch, i int) int64 {
	if b.Kind(i).Adds() {
		return 1
	}
	return -1
}

// addUp adds the lines of a batch to the total.
func (w *folding) addUp(b *vector.Batch) {
	var rows int64
	var sum uint64
	for i := range b.Len {
		n := sign(b, i)
		rows += n
		sum += uint64(n) * lineSum(append(w.encode(b, i), '\n'))
	}
	g := w.total.Lookup(nil, 1)
	w.total.Own(g)
	w.rows.Set(g[0], w.rows.At(g[0])+rows)
	w.sum.Set(g[0], w.sum.At(g[0])+sum)
}

// totals are the rows and the sum of a light folding.
func (w *folding) totals() (rows int64, sum uint64) {
	for _, g := range w.total.Groups(nil) {
		rows, sum = rows+w.rows.At(g), sum+w.sum.At(g)
	}
	return rows, sum
}

// each calls f with the lines and how often there is each; some may come more than once.
func (w *folding) each(f func(line []byte, n int64)) {
	for _, g := range w.lines.Groups(nil) {
		f(w.lines.Text(0, g), w.counts.At(g))
	}
}
