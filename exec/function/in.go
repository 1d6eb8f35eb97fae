package function

import (
	"encoding/binary"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "IN", Special: true, Nulls: Custom, Forms: []string{"<COMPARABLE> IN (<COMPARABLE>, ...)"},
	Type: inType, Bind: inBind,
	Doc: Doc{"comparison",
		"TRUE when the value equals one of the list. NULL when the value is NULL, or when it is not " +
			"found and the list holds a NULL.", "2 IN (1, 2, 3)", "TRUE"},
})

func inType(args []Arg) (Signature, error) {
	if len(args) < 2 {
		return Signature{}, Mismatch()
	}
	t, nullable := args[0].Type, false
	for _, a := range args {
		nullable = nullable || a.Type.Nullable()
		if err := uncompared(a.Type); err != nil {
			return Signature{}, err
		}
		u, ok := types.Common(t, a.Type)
		if ok {
			t = u
			continue
		}
		if _, ok = convertText(t, kernel.LT); !a.Type.Kind.IsText() || !ok {
			return Signature{}, Refuse("values passed to IN must be of one type, got %s and %s", t, a.Type)
		}
	}
	sig := Signature{Result: types.Of(types.Boolean).WithNull(nullable)}
	for _, a := range args {
		want := t.WithNull(a.Type.Nullable())
		if sameShape(a.Type, t) && a.Type.Kind != types.Decimal {
			want = a.Type
		}
		sig.Args = append(sig.Args, want)
	}
	return sig, nil
}

func inBind(b Binding) (Kernel, error) {
	list := b.Args[1:]
	constant := true
	for _, a := range list {
		constant = constant && a.Const != nil
	}
	t := b.Args[0].Type
	if constant {
		switch p := t.Physical(); {
		case t.Kind == types.Decimal:
		case p == types.PhysInt8:
			return inIntegers[int8](list), nil
		case p == types.PhysInt16:
			return inIntegers[int16](list), nil
		case p == types.PhysInt32:
			return inIntegers[int32](list), nil
		case p == types.PhysInt64:
			return inIntegers[int64](list), nil
		case p == types.PhysView:
			return inTexts(list), nil
		}
	}
	return inCompared(b), nil
}

// inResult sets validity: the value's, and without a match NULL when the list holds one.
func inResult(c *Call, out []uint64, listNull bool) {
	x := c.Args[0]
	if x.IsConstNull() || x.Valid != nil && x.Enc != vector.Constant || listNull {
		valid := c.Out.AllocValid()
		for w := range out {
			v := validWord(x, w)
			if listNull {
				v &= out[w]
			}
			valid[w] &= v
		}
	}
}

// inCompared compares with each member of the list in turn.
func inCompared(b Binding) Kernel {
	var tests []wordsFunc
	for _, a := range b.Args[1:] {
		tests = append(tests, compareWords(kernel.EQ, b.Args[0].Type, a.Type))
	}
	var one, unknown []uint64
	return func(c *Call) {
		out := vector.AllocBits(c.Out)
		one = append(one[:0], out...)
		unknown = append(unknown[:0], out...)
		clear(out)
		clear(unknown)
		x := c.Args[0]
		for k, y := range c.Args[1:] {
			if x.IsConstNull() || y.IsConstNull() {
				clear(one)
			} else {
				tests[k](one, x, y, c.Out.Len)
			}
			for w := range out {
				v := validWord(y, w)
				out[w] |= one[w] & v
				unknown[w] |= ^v
			}
		}
		if len(out) == 0 {
			return
		}
		out[len(out)-1] &= kernel.TailMask(c.Out.Len)
		valid := c.Out.AllocValid()
		for w := range out {
			valid[w] &= validWord(x, w) & (out[w] | ^unknown[w])
		}
	}
}

// intSet holds integers for fast membership: a map of bits over their range when it is small, otherwise
// open addressing.
type intSet struct {
	low   int64
	bits  []uint64
	slots []int64
	used  []bool
	mask  uint64
}

const maxSetRange = 1 << 16

func newIntSet(v []int64) *intSet {
	s := &intSet{}
	if len(v) == 0 {
		return s
	}
	low, high := v[0], v[0]
	for _, x := range v {
		low, high = min(low, x), max(high, x)
	}
	if span := uint64(high) - uint64(low); span < maxSetRange {
		s.low, s.bits = low, make([]uint64, span/64+1)
		for _, x := range v {
			kernel.SetBit(s.bits, int(x-low))
		}
		return s
	}
	size := 16
	for size < 4*len(v) {
		size *= 2
	}
	s.slots, s.used, s.mask = make([]int64, size), make([]bool, size), uint64(size-1)
	for _, x := range v {
		h := mix(uint64(x)) & s.mask
		for s.used[h] && s.slots[h] != x {
			h = (h + 1) & s.mask
		}
		s.slots[h], s.used[h] = x, true
	}
	return s
}

func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>32
}

func (s *intSet) has(x int64) bool {
	if s.used == nil {
		d := uint64(x) - uint64(s.low)
		return d>>6 < uint64(len(s.bits)) && s.bits[d>>6]>>(d&63)&1 != 0
	}
	h := mix(uint64(x)) & s.mask
	for s.used[h] && s.slots[h] != x {
		h = (h + 1) & s.mask
	}
	return s.used[h]
}

func inIntegers[T kernel.Integer](list []Arg) Kernel {
	var members []int64
	null := false
	for _, a := range list {
		if a.IsNull() {
			null = true
			continue
		}
		members = append(members, int64(vector.Values[T](a.Const)[0]))
	}
	set := newIntSet(members)
	return func(c *Call) {
		out := vector.AllocBits(c.Out)
		clear(out)
		x := c.Args[0]
		if !x.IsConstNull() {
			a, step := vector.Values[T](x), x.Step()
			for i := range c.Out.Len {
				if set.has(int64(a[i*step])) {
					kernel.SetBit(out, i)
				}
			}
		}
		inResult(c, out, null)
	}
}

// textSet holds texts by a hash of their length, first and last bytes.
type textSet struct {
	slots [][]byte
	mask  uint64
}

func viewHash(v *vector.View, bufs [][]byte) uint64 {
	tail := uint64(v.Buf)<<32 | uint64(v.Off)
	if v.Len > kernel.InlineLen {
		t := v.Bytes(bufs)
		tail = binary.LittleEndian.Uint64(t[len(t)-8:])
	}
	return mix(mix(uint64(v.Len)<<32|uint64(v.Prefix)) ^ tail)
}

func newTextSet(views []*vector.Column) *textSet {
	size := 16
	for size < 4*len(views) {
		size *= 2
	}
	s := &textSet{make([][]byte, size), uint64(size - 1)}
	for _, c := range views {
		v := &vector.Values[vector.View](c)[0]
		t := append([]byte{}, v.Bytes(c.Bufs)...)
		h := viewHash(v, c.Bufs) & s.mask
		for s.slots[h] != nil && string(s.slots[h]) != string(t) {
			h = (h + 1) & s.mask
		}
		s.slots[h] = t
	}
	return s
}

func (s *textSet) has(v *vector.View, bufs [][]byte) bool {
	h := viewHash(v, bufs) & s.mask
	for ; s.slots[h] != nil; h = (h + 1) & s.mask {
		if len(s.slots[h]) == int(v.Len) && string(s.slots[h]) == string(v.Bytes(bufs)) {
			return true
		}
	}
	return false
}

func inTexts(list []Arg) Kernel {
	var members []*vector.Column
	null := false
	for _, a := range list {
		if a.IsNull() {
			null = true
			continue
		}
		members = append(members, a.Const)
	}
	set := newTextSet(members)
	return func(c *Call) {
		out := vector.AllocBits(c.Out)
		clear(out)
		x := c.Args[0]
		if !x.IsConstNull() {
			a, step := vector.Values[vector.View](x), x.Step()
			for i := range c.Out.Len {
				if set.has(&a[i*step], x.Bufs) {
					kernel.SetBit(out, i)
				}
			}
		}
		inResult(c, out, null)
	}
}
