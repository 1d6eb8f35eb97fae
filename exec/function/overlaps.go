package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "OVERLAPS", Special: true,
	Forms: []string{"(<DATETIME>, <DATETIME>) OVERLAPS (<DATETIME>, <DATETIME>)",
		"(<DATETIME>, <INTERVAL>) OVERLAPS (<DATETIME>, <INTERVAL>)"},
	Type: overlapsType, Bind: overlapsBind,
	Doc: Doc{"temporal", "Whether two periods share an instant, their ends included. A period is a start and an end, in any " +
		"order, or a start and a length.",
		"(DATE '2024-01-01', DATE '2024-03-01') OVERLAPS (DATE '2024-03-01', INTERVAL '1' DAY)", "TRUE"},
})

// overlapsType brings starts and ends to one type of timestamp.
func overlapsType(args []Arg) (Signature, error) {
	if len(args) != 4 {
		return Signature{}, Mismatch()
	}
	common, found := types.TimestampOf(3), types.Null
	for i, a := range args {
		t := a.Type
		switch {
		case t.Kind == types.Null, i%2 == 1 && t.Kind.IsInterval():
			continue
		case !t.Kind.IsTemporal(), found != types.Null && (found == types.Time) != (t.Kind == types.Time):
			return Signature{}, Mismatch()
		case t.Kind.IsTimestamp():
			common.Precision = max(common.Precision, t.Precision)
		}
		if t.Kind == types.TimestampLTZ {
			common.Kind = types.TimestampLTZ
		}
		found = t.Kind
	}
	sig := Signature{Result: types.Of(types.Boolean).WithNull(anyNullable(args))}
	for _, a := range args {
		if a.Type.Kind.IsInterval() {
			sig.Args = append(sig.Args, a.Type)
		} else {
			sig.Args = append(sig.Args, common.WithNull(a.Type.Nullable()))
		}
	}
	return sig, nil
}

func overlapsBind(b Binding) (Kernel, error) {
	first, second := periodOf(b, 0), periodOf(b, 2)
	return func(c *Call) {
		out := vector.AllocBits(c.Out)
		clear(out)
		s0, e0 := first(c)
		s1, e1 := second(c)
		for i := range c.Out.Stored() {
			if max(s0[i], e0[i]) >= min(s1[i], e1[i]) && max(s1[i], e1[i]) >= min(s0[i], e0[i]) {
				out[i>>6] |= 1 << (uint(i) & 63)
			}
		}
	}, nil
}

// periodOf reads the period at arguments k and k+1 as starts and ends in ticks.
func periodOf(b Binding, k int) func(c *Call) (start, end []int64) {
	var starts, ends scratch
	t, e := b.Args[k].Type, b.Args[k+1].Type
	if !e.Kind.IsInterval() {
		return func(c *Call) (start, end []int64) {
			n := c.Out.Stored()
			return longs(c.Args[k], starts.take(n)), longs(c.Args[k+1], ends.take(n))
		}
	}
	s := shift{at: k, by: k + 1, nanos: 1e6, sign: 1}
	if e.Kind == types.IntervalMonth {
		s.nanos, s.months = 0, 1
	}
	add := s.kernel(t)
	var sum vector.Column
	return func(c *Call) (start, end []int64) {
		sum.Reset(t, c.Out.Len)
		sum.Enc = c.Out.Enc
		sum.Valid = c.Out.Valid
		inner := Call{}
		inner.Reset(&sum, c.Args, c.Active)
		add(&inner)
		if row, err := inner.Err(); err != nil {
			c.Fail(row, err)
		}
		return longs(c.Args[k], starts.take(c.Out.Stored())), vector.Values[int64](&sum)
	}
}
