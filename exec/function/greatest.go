package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "GREATEST", Forms: []string{"GREATEST(<COMPARABLE>, ...)"}, Type: extremeType, Bind: extremeBind(1),
	Doc: Doc{"comparison", "The largest argument; NULL when one is NULL. NaN is larger than every number.",
		"GREATEST(1, 3, 2)", "3"},
})

var _ = scalar(Scalar{
	Name: "LEAST", Forms: []string{"LEAST(<COMPARABLE>, ...)"}, Type: extremeType, Bind: extremeBind(-1),
	Doc: Doc{"comparison", "The smallest argument; NULL when one is NULL.", "LEAST('b', 'a')", "a"},
})

func extremeType(args []Arg) (Signature, error) {
	if len(args) == 0 {
		return Signature{}, Mismatch()
	}
	t := args[0].Type
	for _, a := range args[1:] {
		u, ok := types.Common(t, a.Type)
		if !ok {
			return Signature{}, Refuse("cannot compare %s with %s", t, a.Type)
		}
		t = u
	}
	if t.Kind.IsComposite() || t.Kind == types.Null || t.Kind == types.Variant || t.Kind == types.Symbol {
		return Signature{}, Refuse("%s has no order", t)
	}
	sig := Signature{Result: t}
	for _, a := range args {
		want := t.WithNull(a.Type.Nullable())
		if a.Type.Kind.IsText() || a.Type.Kind.IsBinary() {
			want = a.Type
		}
		sig.Args = append(sig.Args, want)
	}
	return sig, nil
}

func extremeBind(sign int) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		if b.Result.Kind == types.Decimal {
			return extremeDecimal(sign), nil
		}
		switch b.Result.Physical() {
		case types.PhysBool:
			return extremeBits(sign), nil
		case types.PhysInt8:
			return extremeNumber[int8](sign), nil
		case types.PhysInt16:
			return extremeNumber[int16](sign), nil
		case types.PhysInt32:
			return extremeNumber[int32](sign), nil
		case types.PhysInt64:
			return extremeNumber[int64](sign), nil
		case types.PhysFloat32:
			return extremeNumber[float32](sign), nil
		case types.PhysFloat64:
			return extremeNumber[float64](sign), nil
		}
		return extremeText(sign), nil
	}
}

func extremeNumber[T kernel.Number](sign int) Kernel {
	return func(c *Call) {
		out := vector.Alloc[T](c.Out)
		first, step := vector.Values[T](c.Args[0]), c.Args[0].Step()
		for i := range out {
			out[i] = first[i*step]
		}
		for _, x := range c.Args[1:] {
			a, step := vector.Values[T](x), x.Step()
			for i := range out {
				if orderOf(a[i*step], out[i]) == sign {
					out[i] = a[i*step]
				}
			}
		}
	}
}

func extremeBits(sign int) Kernel {
	return func(c *Call) {
		out := vector.AllocBits(c.Out)
		for w := range out {
			v := boolWord(c.Args[0], w)
			for _, x := range c.Args[1:] {
				if sign > 0 {
					v |= boolWord(x, w)
				} else {
					v &= boolWord(x, w)
				}
			}
			out[w] = v
		}
		if len(out) > 0 {
			out[len(out)-1] &= kernel.TailMask(c.Out.Len)
		}
	}
}

func extremeDecimal(sign int) Kernel {
	narrow := extremeNumber[int64](sign)
	var scratch []vector.Int128
	return func(c *Call) {
		wide := false
		for _, x := range c.Args {
			wide = wide || x.Wide
		}
		if !wide {
			narrow(c)
			return
		}
		out := vector.AllocWide(c.Out)
		for k, x := range c.Args {
			a, step := vector.Wide128(x, &scratch), x.Step()
			for i := range out {
				if k == 0 || a[i*step].Cmp(out[i]) == sign {
					out[i] = a[i*step]
				}
			}
		}
	}
}

// extremeText points into the texts of the arguments.
func extremeText(sign int) Kernel {
	var base []uint32
	var views [][]vector.View
	return func(c *Call) {
		base, views = base[:0], views[:0]
		for _, x := range c.Args {
			base = append(base, c.Out.ShareText(x))
			views = append(views, vector.Values[vector.View](x))
		}
		w := vector.NewText(c.Out)
		for i := range c.Out.Len {
			if !c.Wanted(i) {
				continue
			}
			best, v := 0, &views[0][i*c.Args[0].Step()]
			for k := 1; k < len(views); k++ {
				u := &views[k][i*c.Args[k].Step()]
				if kernel.CompareView(u, v, c.Args[k].Bufs, c.Args[best].Bufs) == sign {
					best, v = k, u
				}
			}
			w.PutPiece(i, v, c.Args[best].Bufs, base[best], 0, int(v.Len))
		}
		w.Finish()
	}
}
