package op

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// WindowJoin joins the rows of two inputs, both of inserts only, that are in windows of one start and end. It gives
// the rows of a window once, when the watermark has passed it, inserts only, and forgets them with the window; those
// without a key may come before. Rows of windows that were given are dropped and counted.
type WindowJoin struct {
	// Join has the keys, start and end among them only where there are no others. Retracts, TTL and AtEnd are not set.
	Join
	Window Window
	// Ends are the positions of the inputs' window_end; Zone is that of the windows.
	Ends [2]int
	Zone *time.Location
}

// String implements Spec.
func (s *WindowJoin) String() string {
	return "WindowJoin(window=[" + s.Window.String() + "], " + strings.TrimPrefix(s.Join.String(), "Join(")
}

// New implements Spec.
func (s *WindowJoin) New() Operator { return &windowJoin{spec: s} }

type windowJoin struct {
	spec    *WindowJoin
	inner   Join // of one window
	context *Context
	store   *state.Store
	axis    axis
	windows []*joinWindow // by end
	time    types.EventTime

	cut     cut
	gathers [2]gatherer
	piece   vector.Batch
	dropped int64 // late rows
}

// joinWindow is the join of the rows of one window.
type joinWindow struct {
	end int64
	join
}

const windowPrefix = "window "

// Open implements Operator.
func (o *windowJoin) Open(c *Context) error {
	o.inner = o.spec.Join
	o.inner.AtEnd = true
	o.context, o.store = c, c.Store(o.spec)
	o.axis = newAxis(o.spec.Window, o.spec.Zone)
	o.time = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	for _, name := range o.store.Restored() {
		rest, ok := strings.CutPrefix(name, windowPrefix)
		number, table, _ := strings.Cut(rest, " ")
		if !ok || table != "keys" {
			continue
		}
		end, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return err
		}
		if _, err := o.window(end); err != nil {
			return err
		}
	}
	return o.store.Open()
}

// window finds or makes the window with this end.
func (o *windowJoin) window(end int64) (*joinWindow, error) {
	at, ok := slices.BinarySearchFunc(o.windows, end, func(w *joinWindow, end int64) int { return int(min(max(w.end-end, -1), 1)) })
	if ok {
		return o.windows[at], nil
	}
	w := &joinWindow{end: end, join: join{spec: &o.inner}}
	o.windows = slices.Insert(o.windows, at, w)
	return w, w.bind(o.context, o.store, windowPrefix+strconv.FormatInt(end, 10)+" ")
}

// Process implements Operator.
func (o *windowJoin) Process(input int, b *vector.Batch, out Output) error {
	if b.Kinds != nil && changed(b.Kinds) {
		return errWindowRetracts
	}
	c := &o.cut.time
	if vector.Flatten(c, b.Cols[o.spec.Ends[input]]); c.Valid != nil && anyNull(c) {
		return fmt.Errorf("%w: the end of a window", errNullRowtime)
	}
	ends := vector.Values[int64](c)
	if o.cut.single(ends) {
		return o.add(input, b, ends[0], out)
	}
	if o.gathers[input].cols == nil {
		o.gathers[input] = gathererOf(allColumns(len(b.Cols)))
	}
	for _, end := range o.cut.distinct(ends) {
		rows := o.cut.rows(ends, end)
		o.piece.Len, o.piece.Cols = len(rows), o.gathers[input].take(b, rows)
		if err := o.add(input, &o.piece, end, out); err != nil {
			return err
		}
	}
	return nil
}

// add puts rows into the window with this end.
func (o *windowJoin) add(input int, b *vector.Batch, end int64, out Output) error {
	if o.axis.fired(end, o.time) {
		o.dropped += int64(b.Len)
		return nil
	}
	w, err := o.window(end)
	if err != nil {
		return err
	}
	return w.Process(input, b, out)
}

// Advance implements Operator.
func (o *windowJoin) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t <= o.time {
		return t, nil
	}
	o.time = t
	o.store.SetTime("time", int64(t))
	for len(o.windows) > 0 && o.axis.fired(o.windows[0].end, t) {
		w := o.windows[0]
		w.emit.out = out
		if err := w.finish(); err != nil {
			return t, err
		}
		o.store.Drop(w.keys)
		o.windows = slices.Delete(o.windows, 0, 1)
	}
	return t, nil
}

// Close implements Operator.
func (o *windowJoin) Close() error { return nil }

// Counters implements Counted.
func (o *windowJoin) Counters() []Counter { return []Counter{{"late rows dropped", o.dropped}} }
