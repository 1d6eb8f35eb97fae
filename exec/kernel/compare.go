package kernel

import "cmp"

// The comparisons of this file write one bit per row into out. An operand of a single value stands for
// every row. A NaN is neither equal to nor less than anything.

// Equal writes a = b for n rows.
func Equal[T Number](out []uint64, a, b []T, n int) {
	var p, q lanes[T]
	p.of(a)
	q.of(b)
	full := n >> 6
	for w := range out[:full] {
		out[w] = equalWord(p.word(w), q.word(w))
	}
	if n&63 != 0 {
		out[full] = equalWord(p.tail(full, n), q.tail(full, n)) & TailMask(n)
	}
}

// Less writes a < b for n rows.
func Less[T Number](out []uint64, a, b []T, n int) {
	var p, q lanes[T]
	p.of(a)
	q.of(b)
	full := n >> 6
	for w := range out[:full] {
		out[w] = lessWord(p.word(w), q.word(w))
	}
	if n&63 != 0 {
		out[full] = lessWord(p.tail(full, n), q.tail(full, n)) & TailMask(n)
	}
}

// LessEqual writes a <= b for n rows.
func LessEqual[T Number](out []uint64, a, b []T, n int) {
	var p, q lanes[T]
	p.of(a)
	q.of(b)
	full := n >> 6
	for w := range out[:full] {
		out[w] = lessEqualWord(p.word(w), q.word(w))
	}
	if n&63 != 0 {
		out[full] = lessEqualWord(p.tail(full, n), q.tail(full, n)) & TailMask(n)
	}
}

// lanes hands out an operand 64 rows at a time.
type lanes[T Number] struct {
	v    []T
	many bool
	k    [64]T
}

func (l *lanes[T]) of(v []T) {
	l.v, l.many = v, len(v) > 1
	if !l.many && len(v) == 1 {
		Repeat(l.k[:], v[0])
	}
}

func (l *lanes[T]) word(w int) *[64]T {
	if l.many {
		return (*[64]T)(l.v[w<<6:])
	}
	return &l.k
}

func (l *lanes[T]) tail(w, n int) *[64]T {
	if l.many {
		copy(l.k[:], l.v[w<<6:n])
	}
	return &l.k
}

// bit is 1 for true; the compiler makes it a SETcc without a branch.
func bit(b bool) uint64 {
	var x uint64
	if b {
		x = 1
	}
	return x
}

func equalWord[T Number](p, q *[64]T) uint64 {
	var x uint64
	for j := 0; j < 64; j += 8 {
		a, b := (*[8]T)(p[j:]), (*[8]T)(q[j:])
		y := bit(a[0] == b[0]) | bit(a[1] == b[1])<<1 | bit(a[2] == b[2])<<2 | bit(a[3] == b[3])<<3 |
			bit(a[4] == b[4])<<4 | bit(a[5] == b[5])<<5 | bit(a[6] == b[6])<<6 | bit(a[7] == b[7])<<7
		x = x>>8 | y<<56
	}
	return x
}

func lessWord[T Number](p, q *[64]T) uint64 {
	var x uint64
	for j := 0; j < 64; j += 8 {
		a, b := (*[8]T)(p[j:]), (*[8]T)(q[j:])
		y := bit(a[0] < b[0]) | bit(a[1] < b[1])<<1 | bit(a[2] < b[2])<<2 | bit(a[3] < b[3])<<3 |
			bit(a[4] < b[4])<<4 | bit(a[5] < b[5])<<5 | bit(a[6] < b[6])<<6 | bit(a[7] < b[7])<<7
		x = x>>8 | y<<56
	}
	return x
}

func lessEqualWord[T Number](p, q *[64]T) uint64 {
	var x uint64
	for j := 0; j < 64; j += 8 {
		a, b := (*[8]T)(p[j:]), (*[8]T)(q[j:])
		y := bit(a[0] <= b[0]) | bit(a[1] <= b[1])<<1 | bit(a[2] <= b[2])<<2 | bit(a[3] <= b[3])<<3 |
			bit(a[4] <= b[4])<<4 | bit(a[5] <= b[5])<<5 | bit(a[6] <= b[6])<<6 | bit(a[7] <= b[7])<<7
		x = x>>8 | y<<56
	}
	return x
}

// Order is a comparison of two values whose order is known as a number.
type Order uint8

// The comparisons.
const (
	EQ Order = iota
	NE
	LT
	LE
	GT
	GE
)

// Flip is the comparison with its operands exchanged.
func (o Order) Flip() Order {
	switch o {
	case LT:
		return GT
	case LE:
		return GE
	case GT:
		return LT
	case GE:
		return LE
	}
	return o
}

// table has a bit for each sign, -1 in bit 0 to 1 in bit 2, for which o holds.
func (o Order) table() uint64 { return [...]uint64{EQ: 2, NE: 5, LT: 1, LE: 3, GT: 4, GE: 6}[o] }

// CompareNumbers writes `a o b` for n rows.
func CompareNumbers[T Number](out []uint64, o Order, a, b []T, n int) {
	switch o {
	case EQ:
		Equal(out, a, b, n)
	case NE:
		Equal(out, a, b, n)
		Not(out[:Words(n)], out, n)
	case LT:
		Less(out, a, b, n)
	case LE:
		LessEqual(out, a, b, n)
	case GT:
		Less(out, b, a, n)
	case GE:
		LessEqual(out, b, a, n)
	}
}

// CompareBits writes `a o b` of BOOLEANs for n rows; FALSE is less than TRUE. ca and cb say that a and b
// hold a single value for all rows.
func CompareBits(out []uint64, o Order, a []uint64, ca bool, b []uint64, cb bool, n int) {
	if o == GT || o == GE {
		a, ca, b, cb, o = b, cb, a, ca, o.Flip()
	}
	out = out[:Words(n)]
	for w := range out {
		x, y := bitWord(a, ca, w), bitWord(b, cb, w)
		switch o {
		case EQ:
			x = ^(x ^ y)
		case NE:
			x ^= y
		case LT:
			x = ^x & y
		default:
			x = ^x | y
		}
		out[w] = x
	}
	if len(out) > 0 {
		out[len(out)-1] &= TailMask(n)
	}
}

// bitWord reads word w of a map, or the value of a constant 64 times.
func bitWord(a []uint64, constant bool, w int) uint64 {
	if constant {
		return -(a[0] & 1)
	}
	return a[w]
}

// CompareInt128 writes `a o b` for n rows; an operand of a single value stands for every row.
func CompareInt128(out []uint64, o Order, a, b []Int128, n int) {
	t := o.table()
	sa, sb := stepOf(len(a)), stepOf(len(b))
	out = out[:Words(n)]
	clear(out)
	for i := range n {
		c := a[i*sa].Cmp(b[i*sb])
		out[i>>6] |= (t >> uint(c+1) & 1) << (uint(i) & 63)
	}
}

func stepOf(n int) int {
	if n > 1 {
		return 1
	}
	return 0
}

// CompareOrdered tells `a o b` of two values of one ordered type.
func CompareOrdered[T cmp.Ordered](o Order, a, b T) bool {
	return o.table()>>uint(cmp.Compare(a, b)+1)&1 != 0
}
