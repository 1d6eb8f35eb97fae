package function

import (
	"strconv"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// castToDecimal rounds half up and gives NULL to what has too many digits.
func castToDecimal(from types.Type) func(c *conversion) {
	switch from.Physical() {
	case types.PhysBool:
		return func(c *conversion) {
			t := c.tickBuffer()
			kernel.OfBits(t, vector.Bits(c.in), 1)
			c.rescale(t, 0)
		}
	case types.PhysInt8:
		return integerToDecimal[int8]
	case types.PhysInt16:
		return integerToDecimal[int16]
	case types.PhysInt32:
		return integerToDecimal[int32]
	case types.PhysFloat32:
		return floatToDecimal[float32]
	case types.PhysFloat64:
		return floatToDecimal[float64]
	}
	return func(c *conversion) {
		if c.in.Wide {
			c.rescaleWide(vector.Values[vector.Int128](c.in), c.from.Scale)
			return
		}
		c.rescale(vector.Values[int64](c.in), c.from.Scale)
	}
}

func integerToDecimal[A kernel.Integer](c *conversion) {
	t := c.tickBuffer()
	kernel.Convert(t, vector.Values[A](c.in))
	c.rescale(t, 0)
}

// rescale brings narrow values from one scale to the result's. It stays narrow where it can: up, when the
// factor fits and so do all products; down, always.
func (c *conversion) rescale(v []int64, scale int) {
	up, room := c.to.Scale-scale, c.to.Precision
	switch {
	case up == 0 && (room > 18 || kernel.Within(v, kernel.Pow10[room])):
		if len(v) > 0 && c.in.Type.Physical() == types.PhysInt64 {
			c.share()
			return
		}
		copy(vector.Alloc[int64](c.out), v)
	case up > 0 && up <= 18 && (room-up > 18 || (room > up && kernel.Within(v, kernel.Pow10[room-up]))) &&
		kernel.Within(v, kernel.Pow10[18]/kernel.Pow10[up]):
		kernel.MulDecimalVC(vector.Alloc[int64](c.out), v, kernel.Pow10[up])
	case up < 0 && -up <= 18 && (room-up > 18 || kernel.Within(v, kernel.Pow10[room-up]-kernel.Pow10[-up])):
		kernel.QuoHalfUp(vector.Alloc[int64](c.out), v, kernel.Pow10[-up])
	default:
		if cap(c.wide) < len(v) {
			c.wide = make([]vector.Int128, len(v)+len(v)/2)
		}
		w := c.wide[:len(v)]
		kernel.WidenInt64(w, v)
		c.rescaleWide(w, scale)
	}
}

// rescaleWide brings values from one scale to the result's, NULL where they have too many digits.
func (c *conversion) rescaleWide(v []vector.Int128, scale int) {
	r := rescalingOf(scale, c.to.Scale, c.to.Precision)
	if !c.to.Wide() {
		out := vector.Alloc[int64](c.out)
		for i, x := range v {
			y, ok := r.of(x)
			out[i] = y.Int64()
			if !ok && !c.skip(i) {
				c.out.SetNull(i)
			}
		}
		return
	}
	out := vector.AllocWide(c.out)
	for i, x := range v {
		y, ok := r.of(x)
		out[i] = y
		if !ok && !c.skip(i) {
			c.out.SetNull(i)
		}
	}
}

// rescaling brings one value at a time to another scale.
type rescaling struct {
	by     int           // the power of ten to multiply with
	factor vector.Int128 // ten to the magnitude of by
	limit  vector.Int128 // what the magnitude must stay below: of the value when it is multiplied, or of the result
}

func rescalingOf(from, to, p int) rescaling {
	r := rescaling{by: to - from}
	if r.by < 0 {
		r.factor, r.limit = kernel.Pow10Wide(-r.by), kernel.Pow10Wide(p)
		return r
	}
	r.factor, r.limit = kernel.Pow10Wide(r.by), vector.Int128{Lo: 1}
	if p > r.by {
		r.limit = kernel.Pow10Wide(p - r.by)
	}
	return r
}

// of is v at the other scale; ok is false when it has too many digits.
func (r *rescaling) of(v vector.Int128) (w vector.Int128, ok bool) {
	switch {
	case r.by < 0:
		v = v.QuoHalfUp(r.factor)
		return v, v.Abs().Cmp(r.limit) < 0
	case v.Abs().Cmp(r.limit) >= 0:
		return vector.Int128{}, false
	case r.by > 0:
		v = v.Mul(r.factor)
	}
	return v, true
}

// floatToDecimal takes the shortest digits that stand for a double, a FLOAT as the double it is. NaN and
// the infinities fail.
func floatToDecimal[A ~float32 | ~float64](c *conversion) {
	a := vector.Values[A](c.in)
	wide := c.to.Wide()
	var narrow []int64
	var out []vector.Int128
	if wide {
		out = vector.AllocWide(c.out)
	} else {
		narrow = vector.Alloc[int64](c.out)
	}
	for i, x := range a {
		if c.skip(i) {
			continue
		}
		c.scratch = strconv.AppendFloat(c.scratch[:0], float64(x), 'e', -1, 64)
		v, fault := text.ParseDecimal(c.scratch, c.to.Precision, c.to.Scale)
		switch fault {
		case text.Ok:
		case text.Overflow:
			c.out.SetNull(i)
		default:
			c.fail(i)
		}
		if wide {
			out[i] = v
		} else {
			narrow[i] = v.Int64()
		}
	}
}

// castFromDecimal cuts the fraction and wraps for integers.
func castFromDecimal(to types.Type) func(c *conversion) {
	switch to.Physical() {
	case types.PhysInt8:
		return decimalToInteger[int8]
	case types.PhysInt16:
		return decimalToInteger[int16]
	case types.PhysInt32:
		return decimalToInteger[int32]
	case types.PhysInt64:
		return decimalToInteger[int64]
	case types.PhysFloat32:
		return func(c *conversion) {
			out := vector.Alloc[float32](c.out)
			for i := range out {
				out[i] = float32(c.decimalAsFloat(i))
			}
		}
	}
	return func(c *conversion) {
		out := vector.Alloc[float64](c.out)
		if !c.in.Wide && kernel.FloatOfDecimal(out, vector.Values[int64](c.in), c.from.Scale) {
			return
		}
		for i := range out {
			out[i] = c.decimalAsFloat(i)
		}
	}
}

func decimalToInteger[B kernel.Integer](c *conversion) {
	out, scale := vector.Alloc[B](c.out), c.from.Scale
	if !c.in.Wide {
		if scale > 18 {
			clear(out)
			return
		}
		kernel.Quotient(out, vector.Values[int64](c.in), kernel.Pow10[scale])
		return
	}
	div := kernel.Pow10Wide(scale)
	for i, v := range vector.Values[vector.Int128](c.in) {
		q, _ := v.QuoRem(div)
		out[i] = B(q.Int64())
	}
}

// decimalAsFloat is the double nearest to row i.
func (c *conversion) decimalAsFloat(i int) float64 {
	if c.in.Wide {
		c.scratch = text.AppendDecimal(c.scratch[:0], vector.Values[vector.Int128](c.in)[i], c.from.Scale)
	} else {
		c.scratch = text.AppendDecimal64(c.scratch[:0], vector.Values[int64](c.in)[i], c.from.Scale)
	}
	v, _ := text.ParseFloat(c.scratch, 64)
	return v
}
