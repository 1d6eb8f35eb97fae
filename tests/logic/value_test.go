package logic

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"streamsql/exec/types"
)

// parsed reads an integer of so many bits, whose digits behind the point do not count, or is nil.
func parsed(s string, bits int) any {
	s, fraction, _ := strings.Cut(s, ".")
	v, err := strconv.ParseInt(s, 10, bits)
	if err != nil || strings.Trim(fraction, "0123456789") != "" {
		return nil
	}
	return v
}

// part is what EXTRACT gives of milliseconds.
func part(unit string, ms int64) int64 {
	t := time.UnixMilli(ms).UTC()
	return int64(map[string]int{"YEAR": t.Year(), "MONTH": int(t.Month()), "DAY": t.Day(), "HOUR": t.Hour(), "MINUTE": t.Minute(),
		"SECOND": t.Second(), "QUARTER": (int(t.Month()) + 2) / 3, "DOY": t.YearDay()}[unit])
}

// rounded divides, halves away from zero.
func rounded(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if new(big.Int).Abs(r.Lsh(r, 1)).Cmp(new(big.Int).Abs(b)) >= 0 {
		q.Add(q, big.NewInt(int64(a.Sign()*b.Sign())))
	}
	return q
}

// fit gives a number of a scale the type's, NULL where it has too many digits.
func fit(v *big.Int, scale int, t types.Type) any {
	if scale > t.Scale {
		v = rounded(v, pow10(scale-t.Scale))
	} else {
		v = new(big.Int).Mul(v, pow10(t.Scale-scale))
	}
	if new(big.Int).Abs(v).Cmp(pow10(t.Precision)) >= 0 {
		return nil
	}
	return v
}

// bounded is the type of a result: precision bounded to 38, with six digits of the scale kept.
func bounded(p, s int) types.Type {
	if p > 38 {
		s = max(38-(p-s), min(s, 6))
		p = 38
	}
	return types.DecimalOf(p, s)
}

func (m *maker) decimal(t types.Type, depth int) expression {
	l, r := []types.Type{money, wide}[m.IntN(2)], []types.Type{money, wide}[m.IntN(2)]
	a, b := m.of(l, depth), m.of(r, depth)
	cast := func(sql string, own types.Type, f func(v []any) any, parts ...expression) expression {
		return strict("CAST("+sql+" AS "+t.String()+")", t, func(v []any) any {
			x := f(v)
			if x == nil {
				return nil
			}
			return fit(x.(*big.Int), own.Scale, t)
		}, parts...)
	}
	n := func(v any) *big.Int { return v.(*big.Int) }
	switch m.IntN(9) {
	case 0, 1:
		op, s := m.pick("+", "-"), max(l.Scale, r.Scale)
		own := bounded(max(l.Precision-l.Scale, r.Precision-r.Scale)+s+1, s)
		return cast("(%s "+op+" %s)", own, func(v []any) any {
			x, y := new(big.Int).Mul(n(v[0]), pow10(s-l.Scale)), new(big.Int).Mul(n(v[1]), pow10(s-r.Scale))
			if op == "-" {
				y.Neg(y)
			}
			return fit(x.Add(x, y), s, own)
		}, a, b)
	case 2:
		own := bounded(l.Precision+r.Precision, l.Scale+r.Scale)
		return cast("(%s * %s)", own, func(v []any) any { return fit(new(big.Int).Mul(n(v[0]), n(v[1])), l.Scale+r.Scale, own) }, a, b)
	case 3:
		s := max(6, l.Scale+r.Precision+1)
		own := bounded(l.Precision-l.Scale+r.Scale+s, s)
		return cast("(%s / NULLIF(%s, CAST(0 AS "+r.String()+")))", own, func(v []any) any {
			if n(v[1]).Sign() == 0 {
				return nil
			}
			x := new(big.Int).Mul(n(v[0]), pow10(own.Scale+r.Scale-l.Scale+20))
			return fit(rounded(x, n(v[1])), own.Scale+20, own)
		}, a, b)
	case 4:
		return cast("ABS(%s)", l, func(v []any) any { return new(big.Int).Abs(n(v[0])) }, a)
	case 5:
		return cast("(- %s)", l, func(v []any) any { return new(big.Int).Neg(n(v[0])) }, a)
	case 6:
		up := m.IntN(2) == 0
		return cast(map[bool]string{true: "CEIL", false: "FLOOR"}[up]+"(%s)", types.DecimalOf(38, 0), func(v []any) any {
			x, unit := n(v[0]), pow10(l.Scale)
			if up {
				return new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(x), unit))
			}
			return new(big.Int).Div(x, unit)
		}, a)
	case 7:
		from := []types.Type{integer, bigint}[m.IntN(2)]
		return cast("%s", types.DecimalOf(19, 0), func(v []any) any { return big.NewInt(v[0].(int64)) }, m.of(from, depth))
	}
	return cast("%s", l, func(v []any) any { return n(v[0]) }, a)
}

func (m *maker) text(depth int) expression {
	a, b := m.of(str, depth), m.of(str, depth)
	s := func(v any) string { return v.(string) }
	switch m.IntN(14) {
	case 0:
		return strict("UPPER(%s)", str, func(v []any) any { return strings.ToUpper(s(v[0])) }, a)
	case 1:
		return strict("LOWER(%s)", str, func(v []any) any { return strings.ToLower(s(v[0])) }, a)
	case 2:
		return strict("(%s || %s)", str, func(v []any) any { return s(v[0]) + s(v[1]) }, a, b)
	case 3:
		return strict("CONCAT(%s, %s)", str, func(v []any) any { return s(v[0]) + s(v[1]) }, a, b)
	case 4:
		return expression{fmt.Sprintf("CONCAT_WS('-', %s, %s)", a.sql, b.sql), str, func(x row) any {
			var parts []string
			for _, e := range []expression{a, b} {
				if v := e.at(x); v != nil {
					parts = append(parts, s(v))
				}
			}
			return strings.Join(parts, "-")
		}}
	case 5:
		from, n := 1+m.IntN(4), m.IntN(5)
		return strict(fmt.Sprintf("SUBSTRING(%%s FROM %d FOR %d)", from, n), str, func(v []any) any {
			r := []rune(s(v[0]))
			r = r[min(len(r), from-1):]
			return string(r[:min(len(r), n)])
		}, a)
	case 6:
		return strict("TRIM(%s)", str, func(v []any) any { return strings.Trim(s(v[0]), " ") }, a)
	case 7:
		return strict("REPLACE(%s, 'a', 'xy')", str, func(v []any) any { return strings.ReplaceAll(s(v[0]), "a", "xy") }, a)
	case 8:
		return strict("REVERSE(%s)", str, func(v []any) any {
			var out string
			for _, c := range s(v[0]) {
				out = string(c) + out
			}
			return out
		}, a)
	case 9:
		n := m.IntN(7)
		return strict(fmt.Sprintf("LEFT(%%s, %d)", n), str, func(v []any) any {
			r := []rune(s(v[0]))
			return string(r[:min(n, len(r))])
		}, a)
	case 10:
		n, pad := m.IntN(7), []rune("xyz")
		return strict(fmt.Sprintf("LPAD(%%s, %d, 'xyz')", n), str, func(v []any) any {
			r := []rune(s(v[0]))
			var out []rune
			for i := range n - len(r) {
				out = append(out, pad[i%3])
			}
			return string(append(out, r...)[:n])
		}, a)
	case 11:
		t := []types.Type{integer, bigint, money, wide, date, moment}[m.IntN(6)]
		return strict("CAST(%s AS STRING)", str, func(v []any) any { return cell(t, v[0]) }, m.of(t, depth))
	case 12:
		return strict("CAST(%s AS STRING)", str, func(v []any) any { return strings.ToUpper(fmt.Sprint(v[0])) }, m.of(boolean, depth))
	}
	return strict("DATE_FORMAT(%s, 'yyyy/MM/dd HH:mm')", str, func(v []any) any {
		return time.UnixMilli(v[0].(int64)).UTC().Format("2006/01/02 15:04")
	}, m.of(moment, depth))
}

const dayLength = 86_400_000

// time is a DATE in days, or a TIMESTAMP in milliseconds.
func (m *maker) time(t types.Type, depth int) expression {
	n := int64(m.IntN(40) - 20)
	a, other := m.of(t, depth), m.of(map[bool]types.Type{true: moment, false: date}[t.Kind == types.Date], depth)
	if t.Kind == types.Date {
		if m.IntN(2) == 0 {
			return strict("CAST(%s AS DATE)", t, func(v []any) any { return floorDiv(v[0].(int64), dayLength) }, other)
		}
		return strict(fmt.Sprintf("(%%s + INTERVAL '%d' DAY)", n), t, func(v []any) any { return v[0].(int64) + n }, a)
	}
	switch m.IntN(4) {
	case 0:
		return strict("CAST(%s AS TIMESTAMP(3))", t, func(v []any) any { return v[0].(int64) * dayLength }, other)
	case 1:
		return strict(fmt.Sprintf("(%%s + INTERVAL '%d' HOUR)", n), t, func(v []any) any { return v[0].(int64) + n*3_600_000 }, a)
	case 2:
		return strict(fmt.Sprintf("TIMESTAMPADD(DAY, %d, %%s)", n), t, func(v []any) any { return v[0].(int64) + n*dayLength }, a)
	}
	unit := m.pick("DAY", "HOUR", "MINUTE")
	ms := map[string]int64{"DAY": dayLength, "HOUR": 3_600_000, "MINUTE": 60_000}[unit]
	return strict("FLOOR(%s TO "+unit+")", t, func(v []any) any { return floorDiv(v[0].(int64), ms) * ms }, a)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
