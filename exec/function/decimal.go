package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// decimalResult is the DECIMAL that `a op b` has, by Calcite's rules for two DECIMALs. capped says that
// the exact precision exceeds 38: the scale was cut, though not below 6, so results are rounded and may
// overflow, which gives NULL.
func decimalResult(op string, a, b types.Type) (t types.Type, capped bool) {
	p1, s1, p2, s2 := a.Precision, a.Scale, b.Precision, b.Scale
	var p, s int
	switch op {
	case "*":
		p, s = p1+p2+1, s1+s2
	case "/":
		s = max(6, s1+p2+1)
		p = p1 - s1 + s2 + s
	case "%":
		s = max(s1, s2)
		p = min(p1-s1, p2-s2) + s
	default:
		s = max(s1, s2)
		p = max(p1-s1, p2-s2) + s + 1
	}
	if p <= types.MaxDecimal {
		return types.DecimalOf(p, s), false
	}
	s = max(types.MaxDecimal-(p-s), min(s, 6))
	return types.DecimalOf(types.MaxDecimal, s), true
}

// decimalOp is a bound operator on DECIMALs. BIGINT arguments are read as DECIMAL(19, 0).
type decimalOp struct {
	op      string
	a, b, r types.Type
	// capped operations go through big numbers, as their steps may exceed 128 bits.
	capped bool
	wa, wb []vector.Int128
	big    kernel.BigDecimal
}

func decimalKernel(op string, b Binding) Kernel {
	d := &decimalOp{op: op, a: b.Args[0].Type.AsDecimal(), b: b.Args[1].Type.AsDecimal(), r: b.Result}
	_, d.capped = decimalResult(op, d.a, d.b)
	s := max(d.a.Scale, d.b.Scale)
	if op == "%" && max(d.a.Precision-d.a.Scale, d.b.Precision-d.b.Scale)+s > types.MaxDecimal {
		d.capped = true
	}
	narrow := d.narrow()
	return func(c *Call) {
		x, y := c.Args[0], c.Args[1]
		if c.Out.Len == 0 {
			vector.Alloc[int64](c.Out)
			return
		}
		if narrow != nil && !x.Wide && !y.Wide && narrow(c, vector.Alloc[int64](c.Out)) {
			return
		}
		a, b := vector.Wide128(x, &d.wa), vector.Wide128(y, &d.wb)
		out := vector.AllocWide(c.Out)
		if d.capped {
			d.runBig(c, out, a, b)
			return
		}
		d.runWide(c, out, a, b)
	}
}

// narrow makes the loop over int64, or nil where the scales differ too much for one. The loop returns
// false when the batch must be computed wide.
func (d *decimalOp) narrow() func(c *Call, out []int64) bool {
	if d.capped {
		return nil
	}
	switch d.op {
	case "*":
		return func(c *Call, out []int64) bool { return mulNarrow(out, c.Args[0], c.Args[1]) }
	case "/":
		e := d.shift()
		if e >= len(kernel.Pow10) {
			return nil
		}
		return func(c *Call, out []int64) bool {
			b := vector.Values[int64](c.Args[1])
			ok, zero := kernel.DivDecimal(out, vector.Values[int64](c.Args[0]), kernel.Pow10[e], b)
			if ok && zero {
				failZero(c, b, c.Args[1].Step())
			}
			return ok
		}
	}
	ea, eb := d.align()
	if max(ea, eb) >= len(kernel.Pow10) {
		return nil
	}
	fa, fb := kernel.Pow10[ea], kernel.Pow10[eb]
	if d.op == "%" {
		return func(c *Call, out []int64) bool {
			b := vector.Values[int64](c.Args[1])
			ok, zero := kernel.ModDecimal(out, vector.Values[int64](c.Args[0]), fa, b, fb)
			if ok && zero {
				failZero(c, b, c.Args[1].Step())
			}
			return ok
		}
	}
	if d.op == "-" {
		fb = -fb
	}
	return func(c *Call, out []int64) bool { return addNarrow(out, c.Args[0], fa, c.Args[1], fb) }
}

// align gives the powers of ten that bring both arguments to the larger scale.
func (d *decimalOp) align() (ea, eb int) {
	s := max(d.a.Scale, d.b.Scale)
	return s - d.a.Scale, s - d.b.Scale
}

// shift is the power of ten that a dividend is multiplied with for the quotient to have the result's scale.
func (d *decimalOp) shift() int { return d.r.Scale + d.b.Scale - d.a.Scale }

func mulNarrow(out []int64, x, y *vector.Column) (ok bool) {
	if x.Enc == vector.Constant {
		x, y = y, x
	}
	a, b := vector.Values[int64](x), vector.Values[int64](y)
	switch {
	case x.Enc == vector.Constant:
		ok = kernel.MulDecimalVC(out[:1], a, b[0])
		kernel.Repeat(out[1:], out[0])
		return ok
	case y.Enc == vector.Constant:
		return kernel.MulDecimalVC(out, a, b[0])
	}
	return kernel.MulDecimalVV(out, a, b)
}

func addNarrow(out []int64, x *vector.Column, fa int64, y *vector.Column, fb int64) (ok bool) {
	if x.Enc == vector.Constant {
		x, fa, y, fb = y, fb, x, fa
	}
	a, b := vector.Values[int64](x), vector.Values[int64](y)
	switch {
	case x.Enc == vector.Constant:
		ok = kernel.AddDecimalVC(out[:1], a, fa, b[0], fb)
		kernel.Repeat(out[1:], out[0])
		return ok
	case y.Enc == vector.Constant:
		return kernel.AddDecimalVC(out, a, fa, b[0], fb)
	}
	return kernel.AddDecimalVV(out, a, fa, b, fb)
}

func (d *decimalOp) runWide(c *Call, out, a, b []vector.Int128) {
	ea, eb := d.align()
	zero := false
	switch d.op {
	case "*":
		kernel.MulWide(out, a, b)
	case "/":
		zero = kernel.DivWide(out, a, kernel.Pow10Wide(d.shift()), b)
	case "%":
		zero = kernel.ModWide(out, a, kernel.Pow10Wide(ea), b, kernel.Pow10Wide(eb))
	case "-":
		kernel.AddWide(out, a, kernel.Pow10Wide(ea), b, kernel.Pow10Wide(eb).Neg())
	default:
		kernel.AddWide(out, a, kernel.Pow10Wide(ea), b, kernel.Pow10Wide(eb))
	}
	if zero {
		failZero(c, b, c.Args[1].Step())
	}
}

func (d *decimalOp) runBig(c *Call, out, a, b []vector.Int128) {
	sa, sb := c.Args[0].Step(), c.Args[1].Step()
	p, s := d.r.Precision, d.r.Scale
	for i := range out {
		x, y := a[i*sa], b[i*sb]
		var v vector.Int128
		ok := true
		switch {
		case !c.Wanted(i):
		case d.op == "*":
			v, ok = d.big.Mul(x, d.a.Scale, y, d.b.Scale, p, s)
		case d.op != "/" && d.op != "%":
			v, ok = d.big.Add(x, d.a.Scale, y, d.b.Scale, d.op == "-", p, s)
		case y.Sign() == 0:
			c.Fail(i, errDivision)
		case d.op == "/":
			v, ok = d.big.Div(x, d.a.Scale, y, d.b.Scale, p, s)
		default:
			v, ok = d.big.Mod(x, d.a.Scale, y, d.b.Scale, p, s)
		}
		out[i] = v
		if !ok {
			c.Out.SetNull(i)
		}
	}
}
