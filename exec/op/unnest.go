package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Unnest gives every row once per element of a collection, with the element behind its columns: of an ARRAY or a
// MULTISET the value, as often as it is there, of a MAP the key and the value. An element that is a ROW and NULL is
// none. The kinds are the input's.
type Unnest struct {
	// Expr is the collection, over the input.
	Expr expr.Expr
	// Ordinality adds the position of the element, from 1, as INT.
	Ordinality bool
	// Outer gives a row without elements once, with NULLs for one.
	Outer bool
	// Width is the number of the input's columns; Types and Names are those of all of the output.
	Width int
	Types []types.Type
	Names []string
}

// String implements Spec.
func (s *Unnest) String() string {
	kind := "INNER"
	if s.Outer {
		kind = "LEFT"
	}
	text := "Unnest(joinType=[" + kind + "], collection=[" + s.Expr.String() + "]"
	if s.Ordinality {
		text += ", ordinality"
	}
	return text + ")"
}

// New implements Spec.
func (s *Unnest) New() Operator { return &unnest{spec: s} }

type unnest struct {
	spec    *Unnest
	eval    *expr.Evaluator
	maxRows int

	list     vector.Column
	flat     []vector.Column // the elements' columns
	entries  []vector.Dictionary
	at       []int32 // rows of the batch
	elements []int32 // of the row, -1 for none
	ordinals []int32
	valid    []uint64 // of the elements, where a row has none
	own      []vector.Column
	kinds    []vector.RowKind
	out      vector.Batch
}

// Open implements Operator.
func (o *unnest) Open(c *Context) (err error) {
	s := o.spec
	o.maxRows = c.MaxRows
	o.own, o.out.Cols = owned(len(s.Types))
	o.flat, o.entries = make([]vector.Column, 2), make([]vector.Dictionary, 2)
	o.eval, err = expr.New([]expr.Expr{s.Expr}, c.Env)
	return err
}

// Process implements Operator.
func (o *unnest) Process(_ int, b *vector.Batch, out Output) error {
	cols, err := o.eval.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	vector.Flatten(&o.list, cols[0])
	for i, c := range o.list.Children {
		vector.Flatten(&o.flat[i], c)
	}
	var counts []int32
	if o.list.Type.Kind == types.Multiset {
		counts = vector.Values[int32](&o.flat[1])
	}
	var skip []uint64 // elements that count, where some do not
	if e := &o.flat[0]; o.list.Type.Kind != types.Map && e.Type.Kind == types.Row {
		skip = e.Valid
	}
	o.clear()
	for r := range b.Len {
		from, to := o.list.Offsets[r], o.list.Offsets[r+1]
		if o.list.Valid != nil && !kernel.Bit(o.list.Valid, r) {
			to = from
		}
		some, ordinal := false, int32(0)
		for e := from; e < to; e++ {
			times := int32(1)
			if counts != nil {
				times = counts[e]
			}
			for range times {
				if ordinal++; skip != nil && !kernel.Bit(skip, int(e)) {
					continue
				}
				some = true
				if err := o.add(b, out, int32(r), e, ordinal); err != nil {
					return err
				}
			}
		}
		if !some && o.spec.Outer {
			if err := o.add(b, out, int32(r), -1, 0); err != nil {
				return err
			}
		}
	}
	return o.emit(b, out)
}

func (o *unnest) clear() { o.at, o.elements, o.ordinals = o.at[:0], o.elements[:0], o.ordinals[:0] }

// add takes a pair of a row and an element, and emits those that there are when they are enough.
func (o *unnest) add(b *vector.Batch, out Output, row, element, ordinal int32) error {
	o.at, o.elements, o.ordinals = append(o.at, row), append(o.elements, element), append(o.ordinals, ordinal)
	if len(o.at) < o.maxRows {
		return nil
	}
	return o.emit(b, out)
}

// emit gives the pairs. The elements stand in a dictionary of the batch alone.
func (o *unnest) emit(b *vector.Batch, out Output) error {
	if len(o.at) == 0 {
		return nil
	}
	n := o.spec.Width
	for i := range n {
		vector.Take(&o.own[i], b.Cols[i], o.at)
	}
	valid := o.present()
	last := len(o.own)
	if o.spec.Ordinality {
		last--
		vector.SetSlice(&o.own[last], o.spec.Types[last], o.ordinals)
		o.own[last].Valid = valid
	}
	for i := n; i < last; i++ {
		values := &o.flat[i-n]
		if values.Len == 0 {
			o.own[i].SetConstNull(o.spec.Types[i], len(o.at))
			continue
		}
		o.entries[i-n].Values = values
		o.own[i].SetDict(o.spec.Types[i], o.elements, &o.entries[i-n])
		o.own[i].Valid = valid
	}
	o.out.Len, o.out.Kinds = len(o.at), nil
	if b.Kinds != nil {
		o.kinds = takeKinds(o.kinds, b, o.at)
		o.out.Kinds = o.kinds
	}
	err := out.Emit(&o.out)
	o.clear()
	return err
}

// present marks the pairs that have an element, nil for all, and gives the others one that does not count.
func (o *unnest) present() []uint64 {
	some := false
	for k, e := range o.elements {
		if e >= 0 {
			continue
		}
		if !some {
			some, o.valid = true, zeros(o.valid, kernel.Words(len(o.elements)))
			kernel.Fill(o.valid, len(o.elements))
		}
		kernel.ClearBit(o.valid, k)
		o.elements[k] = 0
	}
	if !some {
		return nil
	}
	return o.valid
}

// Advance implements Operator.
func (o *unnest) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *unnest) Close() error { return nil }
