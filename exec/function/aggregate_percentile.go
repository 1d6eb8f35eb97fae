package function

import (
	"math"
	"slices"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(percentile(Aggregate{
	Name: "PERCENTILE", Forms: []string{"PERCENTILE(<NUMERIC>, <NUMERIC or ARRAY of NUMERIC> [, <INTEGER>])"},
	Doc: Doc{"aggregate", "The value below which a part of the numbers lies, of 0 to 1, or for an ARRAY of parts one for each; between two " +
		"numbers in proportion. A third argument says how often a number counts. NULL without any.",
		"PERCENTILE(x, 0.5) OF (1), (4), (2), (3)", "2.5"},
}))

var _ = aggregate(percentile(Aggregate{
	Name: "APPROX_QUANTILE", Forms: []string{"APPROX_QUANTILE(<NUMERIC>, <NUMERIC or ARRAY of NUMERIC>)"}, Extension: true,
	Doc: Doc{"aggregate", "PERCENTILE under the name that other systems have; the value is exact.",
		"APPROX_QUANTILE(x, 0.5) OF (1), (4), (2), (3)", "2.5"},
}))

func percentile(a Aggregate) Aggregate {
	a.Rows, a.Finish, a.Beside, a.Defined = true, percentileOf, 2, true
	a.Type = func(args []Arg) (Signature, error) {
		if len(args) < 2 || len(args) > 3 || a.Extension && len(args) > 2 {
			return Signature{}, Mismatch()
		}
		part := args[1].Type
		if part.Kind == types.Array {
			part = part.Elem()
		}
		if !args[0].Type.Kind.IsNumeric() || !part.Kind.IsNumeric() {
			return Signature{}, Mismatch()
		}
		number := types.Of(types.Double)
		sig := Signature{Args: []types.Type{number.WithNull(args[0].Type.Nullable()), partType(args[1].Type)}}
		times := types.Of(types.BigInt).WithNull(false)
		if len(args) == 3 {
			if !args[2].Type.Kind.IsInteger() {
				return Signature{}, Mismatch()
			}
			times = times.WithNull(args[2].Type.Nullable())
			sig.Args = append(sig.Args, times)
			sig.Result = pairsOf(sig.Args[0], times)
		} else {
			row := types.RowOf(types.Field{Name: "EXPR$0", Type: sig.Args[0]}).WithNull(false)
			sig.Result = types.ArrayOf(row).WithNull(false)
		}
		return sig, nil
	}
	a.New = func(b AggregateBinding) Accumulator { return &rowsOf{list: newList(b, true), result: b.Result} }
	return a
}

// partType is what a part, or an ARRAY of them, is cast to.
func partType(t types.Type) types.Type {
	number := types.Of(types.Double)
	if t.Kind == types.Array {
		return types.ArrayOf(number.WithNull(t.Elem().Nullable())).WithNull(t.Nullable())
	}
	return number.WithNull(t.Nullable())
}

// percentileOf computes the values of parts, its second argument, of numbers.
var percentileOf = &Scalar{
	Name: "PERCENTILE OF", Special: true, Nulls: Custom, Fails: true,
	Type: func(args []Arg) (Signature, error) {
		part := partType(args[1].Type)
		result := types.Of(types.Double)
		if part.Kind == types.Array {
			result = types.ArrayOf(result)
		}
		return Signature{Args: []types.Type{args[0].Type, part}, Result: result.WithNull(true)}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		p := &percentiles{several: b.Args[1].Type.Kind == types.Array, counted: len(b.Args[0].Type.Elem().Fields) == 2}
		return building(b.Result, p.row), nil
	},
}

// percentiles sorts the numbers of a row.
type percentiles struct {
	several, counted bool
	numbers          []weighted
}

// weighted is a number and how many numbers there are up to the last of its kind.
type weighted struct {
	v    float64
	upTo int64
}

func (p *percentiles) row(c *Call, out *vector.Builder, i int) {
	if c.Args[0].Null(i) || c.Args[1].Null(i) {
		out.AppendNull()
		return
	}
	p.read(elementsOf(c.Args[0], i))
	if len(p.numbers) == 0 {
		out.AppendNull()
		return
	}
	if !p.several {
		at, k := c.Args[1].At(i)
		p.append(c, i, out, vector.Values[float64](at)[k])
		return
	}
	parts := elementsOf(c.Args[1], i)
	for k := parts.from; k < parts.to; k++ {
		at, n := parts.list.Children[0].At(k)
		if at.Null(n) {
			out.Child(0).AppendNull()
			continue
		}
		p.append(c, i, out.Child(0), vector.Values[float64](at)[n])
	}
	out.AppendList()
}

// read sorts the numbers that are not NULL and counts them.
func (p *percentiles) read(e elements) {
	p.numbers = p.numbers[:0]
	row := e.list.Children[0]
	for k := e.from; k < e.to; k++ {
		x, n := row.Children[0].At(k)
		if x.Null(n) {
			continue
		}
		times := int64(1)
		if p.counted {
			if t, m := row.Children[1].At(k); t.Null(m) {
				times = 0
			} else {
				times = vector.Values[int64](t)[m]
			}
		}
		if times > 0 {
			p.numbers = append(p.numbers, weighted{vector.Values[float64](x)[n], times})
		}
	}
	slices.SortFunc(p.numbers, func(a, b weighted) int { return orderOf(a.v, b.v) })
	for k := 1; k < len(p.numbers); k++ {
		p.numbers[k].upTo += p.numbers[k-1].upTo
	}
}

// append appends the value of one part.
func (p *percentiles) append(c *Call, i int, out *vector.Builder, part float64) {
	if !(part >= 0 && part <= 1) {
		c.Fail(i, failure("PERCENTILE takes parts from 0 to 1"))
		part = 0
	}
	at := part * float64(p.numbers[len(p.numbers)-1].upTo-1)
	low := p.at(int64(math.Floor(at)))
	high := p.at(int64(math.Ceil(at)))
	if low == high {
		out.AppendFloat(low)
		return
	}
	frac := at - math.Floor(at)
	out.AppendFloat((1-frac)*low + frac*high)
}

// at is number n in order, from 0.
func (p *percentiles) at(n int64) float64 {
	k, _ := slices.BinarySearchFunc(p.numbers, n, func(w weighted, n int64) int {
		if w.upTo <= n {
			return -1
		}
		return 1
	})
	return p.numbers[min(k, len(p.numbers)-1)].v
}
