package datagen

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// generator fills a column.
type generator interface {
	// fill appends n rows, the first of which is number row of the table, and the others step apart.
	fill(b *vector.Builder, n int, row, step int64)
}

// elements is the length of random ARRAYs, MAPs and MULTISETs.
const elements = 3

func newGenerator(f *fieldOptions, t types.Type) generator {
	if f.Kind == "sequence" {
		return &sequence{start: *f.Start, typ: t}
	}
	return newRandom(f, t, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
}

func newRandom(f *fieldOptions, t types.Type, draw *rand.Rand) *random {
	g := &random{f: f, typ: t, draw: draw}
	for _, part := range t.Fields {
		of := &fieldOptions{Length: f.Length, VarLen: f.VarLen, Past: f.Past}
		of.fit(part.Type)
		g.kids = append(g.kids, newRandom(of, part.Type, draw))
	}
	return g
}

// sequence counts.
type sequence struct {
	start int64
	typ   types.Type
}

func (s *sequence) fill(b *vector.Builder, n int, row, step int64) {
	v := s.start + row
	for range n {
		switch k := s.typ.Kind; {
		case k.IsText():
			b.End(strconv.AppendInt(b.Begin(), v, 10))
		case k.IsApprox():
			b.AppendFloat(float64(v))
		case k == types.Decimal:
			appendDecimal(b, s.typ, float64(v))
		default:
			b.AppendInt(v)
		}
		v += step
	}
}

// random draws each value anew.
type random struct {
	f    *fieldOptions
	typ  types.Type
	draw *rand.Rand
	kids []*random
}

func (g *random) fill(b *vector.Builder, n int, _, _ int64) {
	now := time.Now()
	for range n {
		if g.f.NullRate > 0 && g.draw.Float64() < g.f.NullRate {
			b.AppendNull()
			continue
		}
		g.value(b, now)
	}
}

func (g *random) value(b *vector.Builder, now time.Time) {
	switch k := g.typ.Kind; k {
	case types.Boolean:
		b.AppendBool(g.draw.IntN(2) == 1)
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		b.AppendInt(g.integer())
	case types.Float, types.Double:
		r := g.draw.Float64()
		b.AppendFloat(g.f.low*(1-r) + g.f.high*r)
	case types.Decimal:
		r := g.draw.Float64()
		appendDecimal(b, g.typ, g.f.low*(1-r)+g.f.high*r)
	case types.Char, types.Varchar, types.Binary, types.Varbinary:
		g.letters(b)
	case types.Date:
		b.AppendInt(kernel.FloorDiv(g.time(now).Unix(), 86400))
	case types.Time:
		ms := kernel.FloorMod(g.time(now).UnixMilli(), kernel.MilliDay)
		b.AppendInt(int64(text.CutTime(int32(ms), g.typ.Precision)))
	case types.Timestamp, types.TimestampLTZ:
		b.AppendInt(text.CutTicks(g.time(now).UnixNano()/g.typ.TickNanos(), g.typ))
	case types.IntervalDay:
		b.AppendInt(g.draw.Int64N(kernel.MilliDay))
	case types.IntervalMonth:
		b.AppendInt(g.draw.Int64N(120))
	case types.Row:
		for i, kid := range g.kids {
			kid.value(b.Child(i), now)
		}
		b.AppendRow()
	case types.Array, types.Map, types.Multiset:
		g.list(b, now)
	default:
		b.AppendNull()
	}
}

func (g *random) list(b *vector.Builder, now time.Time) {
	for range elements {
		for i, kid := range g.kids {
			kid.value(b.Child(i), now)
		}
		if g.typ.Kind == types.Multiset {
			b.Child(1).AppendInt(1)
		}
	}
	b.AppendList()
}

// integer draws from low to high, both included.
func (g *random) integer() int64 {
	low, high := int64(g.f.low), int64(math.MaxInt64)
	if g.f.high < math.MaxInt64 {
		high = int64(g.f.high)
	}
	span := uint64(high-low) + 1
	if span == 0 { // every BIGINT
		return int64(g.draw.Uint64())
	}
	return low + int64(g.draw.Uint64N(span))
}

// letters are hexadecimal digits, as in Flink.
func (g *random) letters(b *vector.Builder) {
	const digits = "0123456789abcdef"
	n := int(g.f.Length)
	if g.f.VarLen && n > 0 {
		n = 1 + g.draw.IntN(n)
	}
	t := b.Begin()
	for range n {
		t = append(t, digits[g.draw.IntN(len(digits))])
	}
	b.End(t)
}

// time is now, or a moment before it.
func (g *random) time(now time.Time) time.Time {
	if g.f.Past > 0 {
		now = now.Add(-time.Duration(g.draw.Int64N(int64(g.f.Past) + 1)))
	}
	return now
}

func appendDecimal(b *vector.Builder, t types.Type, v float64) {
	d, fault := text.ParseDecimal(strconv.AppendFloat(nil, v, 'f', t.Scale, 64), t.Precision, t.Scale)
	if fault != text.Ok {
		b.AppendNull()
		return
	}
	b.AppendDecimal(d)
}
