package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	_ = comparison("=", kernel.EQ, "1 = 1.0", "TRUE")
	_ = comparison("<>", kernel.NE, "1 <> 2", "TRUE")
	_ = comparison("<", kernel.LT, "'a' < 'b'", "TRUE")
	_ = comparison("<=", kernel.LE, "2 <= 1", "FALSE")
	_ = comparison(">", kernel.GT, "DATE '2024-01-02' > DATE '2024-01-01'", "TRUE")
	_ = comparison(">=", kernel.GE, "2 >= 1", "TRUE")
)

func comparison(name string, o kernel.Order, example, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Special: true, Forms: []string{"<COMPARABLE> " + name + " <COMPARABLE>"},
		Type: comparisonType(name, o), Bind: comparisonBind(o),
		Doc: Doc{"comparison",
			"Comparison of two values of one type or of numbers of any types. ARRAY, MAP and ROW " +
				"know = and <> alone. NULL when an argument is NULL.", example, value},
	})
}

var _ = scalar(Scalar{
	Name: "IS DISTINCT FROM", Special: true, Nulls: Custom,
	Forms: []string{"<COMPARABLE> IS DISTINCT FROM <COMPARABLE>"},
	Type:  distinctType, Bind: distinctBind(kernel.NE),
	Doc: Doc{"comparison", "Like <>, but NULL is a value like any other: never NULL.",
		"1 IS DISTINCT FROM NULL", "TRUE"},
})

var _ = scalar(Scalar{
	Name: "IS NOT DISTINCT FROM", Special: true, Nulls: Custom,
	Forms: []string{"<COMPARABLE> IS NOT DISTINCT FROM <COMPARABLE>"},
	Type:  distinctType, Bind: distinctBind(kernel.EQ),
	Doc: Doc{"comparison", "Like =, but NULL is a value like any other: never NULL.",
		"1 IS NOT DISTINCT FROM 1", "TRUE"},
})

func comparisonType(name string, o kernel.Order) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		if len(args) != 2 {
			return Signature{}, Mismatch()
		}
		want, err := comparable2(args[0].Type, args[1].Type, o)
		if err != nil {
			return Signature{}, err
		}
		nullable := args[0].Type.Nullable() || args[1].Type.Nullable()
		return Signature{Args: want, Result: types.Of(types.Boolean).WithNull(nullable)}, nil
	}
}

func distinctType(args []Arg) (Signature, error) {
	if len(args) != 2 {
		return Signature{}, Mismatch()
	}
	want, err := comparable2(args[0].Type, args[1].Type, kernel.EQ)
	return Signature{Args: want, Result: types.Of(types.Boolean).WithNull(false)}, err
}

// comparable2 finds the types to compare two values as. Texts and DECIMALs of other lengths and scales
// stay as they are. A text beside a time becomes one, and beside a number too where they are ordered;
// equality of a number and a text is refused as Flink refuses it. A truth value equals the text that it
// is cast to, which is in capitals.
func comparable2(a, b types.Type, o kernel.Order) ([]types.Type, error) {
	if err := uncompared(a, b); err != nil {
		return nil, err
	}
	if exactPair(a, b) {
		return []types.Type{unscaledType(a), unscaledType(b)}, nil
	}
	t, ok := types.Common(a, b)
	switch {
	case ok && a.Kind.IsComposite() && !equality(o):
		return nil, Mismatch()
	case ok && sameShape(a, b):
		return []types.Type{a, b}, nil
	case ok:
		return []types.Type{t.WithNull(a.Nullable()), t.WithNull(b.Nullable())}, nil
	case a.Kind.IsText() && b.Kind == types.Boolean && equality(o):
		return []types.Type{a, types.String().WithNull(b.Nullable())}, nil
	case b.Kind.IsText() && a.Kind == types.Boolean && equality(o):
		return []types.Type{types.String().WithNull(a.Nullable()), b}, nil
	case a.Kind.IsText():
		t, ok = convertText(b, o)
	case b.Kind.IsText():
		t, ok = convertText(a, o)
	default:
		return nil, Mismatch()
	}
	if !ok {
		return nil, Refuse("implicit type conversion between %s and %s is not supported: write a CAST",
			a.Kind, b.Kind)
	}
	return []types.Type{t.WithNull(a.Nullable()), t.WithNull(b.Nullable())}, nil
}

// uncompared refuses VARIANT where values are compared.
func uncompared(list ...types.Type) error {
	for _, t := range list {
		if t.HasVariant() {
			return Refuse("values of VARIANT are not compared; CAST what is in them, as in CAST(v['name'] AS STRING)")
		}
	}
	return nil
}

// comparing is a check of arguments that are compared.
func comparing(f func(args []Arg) (Signature, error)) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		sig, err := f(args)
		if err == nil {
			err = uncompared(sig.Args...)
		}
		return sig, err
	}
}

func equality(o kernel.Order) bool { return o == kernel.EQ || o == kernel.NE }

// exactPair tells two exact numbers of which one is DECIMAL.
func exactPair(a, b types.Type) bool {
	return a.Kind.IsExact() && b.Kind.IsExact() && (a.Kind == types.Decimal || b.Kind == types.Decimal)
}

// convertText is the type that a text becomes beside one of type t.
func convertText(t types.Type, o kernel.Order) (types.Type, bool) {
	switch {
	case t.Kind.IsTemporal(), t.Kind == types.Boolean:
		return t, true
	case t.Kind.IsNumeric():
		return t, !equality(o)
	}
	return t, false
}

func comparisonBind(o kernel.Order) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		f := compareWords(o, b.Args[0].Type, b.Args[1].Type)
		return func(c *Call) { f(vector.AllocBits(c.Out), c.Args[0], c.Args[1], c.Out.Len) }, nil
	}
}

// distinctBind compares and then mends the lanes where a NULL is.
func distinctBind(o kernel.Order) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		f := compareWords(kernel.EQ, b.Args[0].Type, b.Args[1].Type)
		return func(c *Call) {
			out, n := vector.AllocBits(c.Out), c.Out.Len
			x, y := c.Args[0], c.Args[1]
			if x.IsConstNull() || y.IsConstNull() {
				clear(out)
			} else {
				f(out, x, y, n)
			}
			for w := range out {
				p, q := validWord(x, w), validWord(y, w)
				out[w] = out[w]&p&q | ^p&^q
				if o == kernel.NE {
					out[w] = ^out[w]
				}
			}
			if len(out) > 0 {
				out[len(out)-1] &= kernel.TailMask(n)
			}
		}, nil
	}
}

// validWord reads word w of a column's validity; bits past the end are arbitrary.
func validWord(c *vector.Column, w int) uint64 {
	switch {
	case c.IsConstNull():
		return 0
	case c.Valid == nil || c.Enc == vector.Constant:
		return ^uint64(0)
	}
	return c.Valid[w]
}

// wordsFunc writes a bit per row that says how the rows of x and y compare; rows with a NULL get any bit.
type wordsFunc func(out []uint64, x, y *vector.Column, n int)

// compareWords makes the comparison of two types that comparable2 agreed to.
func compareWords(o kernel.Order, a, b types.Type) wordsFunc {
	if a.Kind == types.Null {
		a = b
	}
	switch {
	case a.Kind == types.Decimal || b.Kind == types.Decimal:
		return compareDecimals(o, a.AsDecimal().Scale, b.AsDecimal().Scale)
	case a.Kind.IsComposite():
		return compareComposites(o)
	}
	switch a.Physical() {
	case types.PhysBool:
		return func(out []uint64, x, y *vector.Column, n int) {
			kernel.CompareBits(out, o, vector.Bits(x), x.Step() == 0, vector.Bits(y), y.Step() == 0, n)
		}
	case types.PhysInt8:
		return compareNumbers[int8](o)
	case types.PhysInt16:
		return compareNumbers[int16](o)
	case types.PhysInt32:
		return compareNumbers[int32](o)
	case types.PhysInt64:
		return compareNumbers[int64](o)
	case types.PhysFloat32:
		return compareNumbers[float32](o)
	case types.PhysFloat64:
		return compareNumbers[float64](o)
	case types.PhysView:
		return func(out []uint64, x, y *vector.Column, n int) {
			kernel.CompareViews(out, o, vector.Values[vector.View](x), vector.Values[vector.View](y), x.Bufs,
				y.Bufs, n)
		}
	}
	return func(out []uint64, x, y *vector.Column, n int) { clear(out) }
}

func compareNumbers[T kernel.Number](o kernel.Order) wordsFunc {
	return func(out []uint64, x, y *vector.Column, n int) {
		kernel.CompareNumbers(out, o, vector.Values[T](x), vector.Values[T](y), n)
	}
}

// compareDecimals compares unscaled values of scales sa and sb.
func compareDecimals(o kernel.Order, sa, sb int) wordsFunc {
	var (
		wa, wb []vector.Int128
		na, nb []int64
		big    kernel.BigDecimal
	)
	s := max(sa, sb)
	return func(out []uint64, x, y *vector.Column, n int) {
		if !x.Wide && !y.Wide {
			a, okA := scaleNarrow(vector.Values[int64](x), s-sa, &na)
			b, okB := scaleNarrow(vector.Values[int64](y), s-sb, &nb)
			if okA && okB {
				kernel.CompareNumbers(out, o, a, b, n)
				return
			}
		}
		a, b := vector.Wide128(x, &wa), vector.Wide128(y, &wb)
		if sa == sb {
			kernel.CompareInt128(out, o, a, b, n)
			return
		}
		clear(out)
		for i := range n {
			if kernel.CompareOrdered(o, big.Cmp(a[i*x.Step()], sa, b[i*y.Step()], sb), 0) {
				kernel.SetBit(out, i)
			}
		}
	}
}

// scaleNarrow multiplies by ten to the power of e, in *scratch unless e is 0.
func scaleNarrow(v []int64, e int, scratch *[]int64) ([]int64, bool) {
	if e == 0 {
		return v, true
	}
	if e >= len(kernel.Pow10) {
		return nil, false
	}
	if cap(*scratch) < len(v) {
		*scratch = make([]int64, len(v))
	}
	out := (*scratch)[:len(v)]
	return out, kernel.MulDecimalVC(out, v, kernel.Pow10[e])
}
