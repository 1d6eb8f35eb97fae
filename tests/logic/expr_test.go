package logic

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"streamsql/exec/types"
)

// expression is SQL, and what it is worth for a row.
type expression struct {
	sql string
	t   types.Type
	at  func(x row) any
}

// maker makes random expressions over columns.
type maker struct {
	*rand.Rand
	cols []column
	more func(t types.Type) (expression, bool) // values that are not of a row alone
}

func (m *maker) pick(options ...string) string { return options[m.IntN(len(options))] }

// strict makes an expression that is NULL where one of its parts is.
func strict(sql string, t types.Type, f func(v []any) any, parts ...expression) expression {
	texts := make([]any, len(parts))
	for i, p := range parts {
		texts[i] = p.sql
	}
	return expression{fmt.Sprintf(sql, texts...), t, func(x row) any {
		v := make([]any, len(parts))
		for i, p := range parts {
			if v[i] = p.at(x); v[i] == nil {
				return nil
			}
		}
		return f(v)
	}}
}

// of makes an expression of the type.
func (m *maker) of(t types.Type, depth int) expression {
	if m.more != nil && m.IntN(6) == 0 {
		if e, ok := m.more(t); ok {
			return e
		}
	}
	if depth <= 0 || m.IntN(6) == 0 {
		return m.leaf(t)
	}
	if m.IntN(5) == 0 {
		return m.choice(t, depth-1)
	}
	switch t.Kind {
	case types.Int, types.BigInt:
		return m.integer(t, depth-1)
	case types.Double:
		return m.double(depth - 1)
	case types.Decimal:
		return m.decimal(t, depth-1)
	case types.Boolean:
		return m.truth(depth - 1)
	case types.Date, types.Timestamp:
		return m.time(t, depth-1)
	}
	return m.text(depth - 1)
}

// leaf is a column, or a literal.
func (m *maker) leaf(t types.Type) expression {
	var own []int
	for i, c := range m.cols {
		if c.t.Same(t) {
			own = append(own, i)
		}
	}
	if len(own) == 0 || m.IntN(4) == 0 {
		v := sample(m.Rand, t)
		return expression{literal(t, v), t, func(row) any { return v }}
	}
	i := own[m.IntN(len(own))]
	return expression{m.cols[i].sql, t, func(x row) any { return x[i] }}
}

func literal(t types.Type, v any) string {
	switch x := v.(type) {
	case nil:
		return fmt.Sprintf("CAST(NULL AS %s)", t)
	case string:
		return fmt.Sprintf("CAST('%s' AS STRING)", strings.ReplaceAll(x, "'", "''"))
	case bool:
		return strings.ToUpper(fmt.Sprint(x))
	}
	switch t.Kind {
	case types.Date, types.Timestamp:
		word, _, _ := strings.Cut(t.String(), "(")
		return word + " '" + cell(t, v) + "'"
	case types.Double:
		return fmt.Sprintf("(%.17E)", v)
	}
	return fmt.Sprintf("CAST('%s' AS %s)", cell(t, v), t)
}

// choice is what any type has.
func (m *maker) choice(t types.Type, depth int) expression {
	a, b, c := m.of(t, depth), m.of(t, depth), m.of(boolean, depth)
	either := func(v any, yes, no expression, x row) any {
		if v == true {
			return yes.at(x)
		}
		return no.at(x)
	}
	switch m.IntN(9) {
	case 6:
		return expression{fmt.Sprintf("CAST(ROW(%s, %s) AS ROW<x %s, y BOOLEAN>).x", a.sql, c.sql, t), t, a.at}
	case 7:
		n := m.IntN(2)
		return expression{fmt.Sprintf("ARRAY[%s, %s][%d]", a.sql, b.sql, n+1), t, []expression{a, b}[n].at}
	case 8:
		n := m.IntN(2)
		return expression{fmt.Sprintf("MAP['x', %s, 'y', %s]['%c']", a.sql, b.sql, "xy"[n]), t, []expression{a, b}[n].at}
	case 0:
		return expression{fmt.Sprintf("COALESCE(%s, %s)", a.sql, b.sql), t, func(x row) any { return either(a.at(x) != nil, a, b, x) }}
	case 1:
		return expression{fmt.Sprintf("IF(%s, %s, %s)", c.sql, a.sql, b.sql), t, func(x row) any { return either(c.at(x), a, b, x) }}
	case 2:
		d := m.of(boolean, depth)
		return expression{fmt.Sprintf("CASE WHEN %s THEN %s WHEN %s THEN %s END", c.sql, a.sql, d.sql, b.sql), t, func(x row) any {
			switch {
			case c.at(x) == true:
				return a.at(x)
			case d.at(x) == true:
				return b.at(x)
			}
			return nil
		}}
	case 3:
		k, n := m.of(integer, depth), m.of(integer, depth)
		return expression{fmt.Sprintf("CASE %s WHEN %s THEN %s ELSE %s END", k.sql, n.sql, a.sql, b.sql), t, func(x row) any {
			v, w := k.at(x), n.at(x)
			return either(v != nil && v == w, a, b, x)
		}}
	case 4:
		return expression{fmt.Sprintf("NULLIF(%s, %s)", a.sql, b.sql), t, func(x row) any {
			v, w := a.at(x), b.at(x)
			if v == nil || w != nil && compare(v, w) == 0 {
				return nil
			}
			return v
		}}
	}
	return expression{fmt.Sprintf("IFNULL(%s, %s)", a.sql, b.sql), t, func(x row) any { return either(a.at(x) != nil, a, b, x) }}
}

// compare orders two values of one type; NaN is beside all.
func compare(a, b any) int {
	switch v := a.(type) {
	case int64:
		w := b.(int64)
		return sign(v > w, v < w)
	case float64:
		w := b.(float64)
		if v != v || w != w {
			return 2
		}
		return sign(v > w, v < w)
	case string:
		return strings.Compare(v, b.(string))
	case *big.Int:
		return v.Cmp(b.(*big.Int))
	case bool:
		return sign(v && !b.(bool), !v && b.(bool))
	}
	panic(fmt.Sprintf("%T", a))
}

func sign(more, less bool) int {
	switch {
	case more:
		return 1
	case less:
		return -1
	}
	return 0
}

// wrap keeps an integer in its type, as Java does.
func wrap(t types.Type, v int64) any {
	if t.Kind == types.Int {
		return int64(int32(v))
	}
	return v
}

func (m *maker) integer(t types.Type, depth int) expression {
	a, b := m.of(t, depth), m.of(t, depth)
	some := func(sql string, f func(v []any) int64, parts ...expression) expression {
		return strict("CAST("+sql+" AS "+t.String()+")", t, func(v []any) any { return wrap(t, f(v)) }, parts...)
	}
	length := func(s string) int64 { return int64(len([]rune(s))) }
	switch m.IntN(12) {
	case 0, 1, 2:
		op := m.pick("+", "-", "*")
		return strict("(%s "+op+" %s)", t, func(v []any) any {
			l, r := v[0].(int64), v[1].(int64)
			return wrap(t, map[string]int64{"+": l + r, "-": l - r, "*": l * r}[op])
		}, a, b)
	case 3:
		return strict("(%s / NULLIF(%s, "+literal(t, int64(0))+"))", t, func(v []any) any {
			if v[1] == int64(0) {
				return nil
			}
			return wrap(t, v[0].(int64)/v[1].(int64))
		}, a, b)
	case 4:
		return strict("MOD(%s, NULLIF(%s, "+literal(t, int64(0))+"))", t, func(v []any) any {
			if v[1] == int64(0) {
				return nil
			}
			return v[0].(int64) % v[1].(int64)
		}, a, b)
	case 5:
		return strict("ABS(%s)", t, func(v []any) any { return wrap(t, max(v[0].(int64), -v[0].(int64))) }, a)
	case 6:
		return strict("(- %s)", t, func(v []any) any { return wrap(t, -v[0].(int64)) }, a)
	case 7:
		return some("CHAR_LENGTH(%s)", func(v []any) int64 { return length(v[0].(string)) }, m.of(str, depth))
	case 8:
		return some("POSITION(%s IN %s)", func(v []any) int64 {
			i := strings.Index(v[1].(string), v[0].(string))
			return length(v[1].(string)[:max(i, 0)]) + int64(min(i, 0)) + 1
		}, m.of(str, 0), m.of(str, depth))
	case 9:
		from := []types.Type{money, wide}[m.IntN(2)]
		return some("%s", func(v []any) int64 {
			return int64(low64(new(big.Int).Quo(v[0].(*big.Int), pow10(from.Scale))))
		}, m.of(from, depth))
	case 10:
		other := []types.Type{integer, bigint}[m.IntN(2)]
		return some("%s", func(v []any) int64 { return v[0].(int64) }, m.of(other, depth))
	}
	return m.extracted(t, some, depth)
}

// low64 is the low half of a number in two's complement.
func low64(v *big.Int) uint64 {
	return new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

func (m *maker) extracted(t types.Type, some func(string, func([]any) int64, ...expression) expression, depth int) expression {
	switch m.IntN(3) {
	case 0:
		unit := m.pick("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "QUARTER", "DOY")
		return some("EXTRACT("+unit+" FROM %s)", func(v []any) int64 { return part(unit, v[0].(int64)) }, m.of(moment, depth))
	case 1:
		unit, ms := "DAY", int64(86_400_000)
		if m.IntN(2) == 0 {
			unit, ms = "SECOND", 1000
		}
		return some("TIMESTAMPDIFF("+unit+", %s, %s)", func(v []any) int64 { return int64(int32((v[1].(int64) - v[0].(int64)) / ms)) },
			m.of(moment, depth), m.of(moment, depth))
	}
	return expression{"TRY_CAST(" + "(c) AS " + t.String() + ")", t, nil}.read(m.of(str, depth))
}

// read is a text as an integer, NULL where it is none.
func (e expression) read(s expression) expression {
	bits := 64
	if e.t.Kind == types.Int {
		bits = 32
	}
	return expression{strings.Replace(e.sql, "(c)", s.sql, 1), e.t, func(x row) any {
		v := s.at(x)
		if v == nil {
			return nil
		}
		return parsed(strings.TrimSpace(v.(string)), bits)
	}}
}

func (m *maker) double(depth int) expression {
	a, b := m.of(double, depth), m.of(double, depth)
	switch m.IntN(7) {
	case 0, 1:
		op := m.pick("+", "-", "*", "/")
		return strict("(%s "+op+" %s)", double, func(v []any) any {
			l, r := v[0].(float64), v[1].(float64)
			return map[string]float64{"+": l + r, "-": l - r, "*": l * r, "/": l / r}[op]
		}, a, b)
	case 2:
		name := m.pick("ABS", "FLOOR", "CEIL")
		return strict(name+"(%s)", double, func(v []any) any {
			return map[string]func(float64) float64{"ABS": math.Abs, "FLOOR": math.Floor, "CEIL": math.Ceil}[name](v[0].(float64))
		}, a)
	case 3:
		from := []types.Type{money, wide}[m.IntN(2)]
		return strict("CAST(%s AS DOUBLE)", double, func(v []any) any {
			f, _ := new(big.Rat).SetFrac(v[0].(*big.Int), pow10(from.Scale)).Float64()
			return f
		}, m.of(from, depth))
	case 4:
		return strict("(- %s)", double, func(v []any) any { return -v[0].(float64) }, a)
	}
	from := []types.Type{integer, bigint}[m.IntN(2)]
	return strict("CAST(%s AS DOUBLE)", double, func(v []any) any { return float64(v[0].(int64)) }, m.of(from, depth))
}

func (m *maker) truth(depth int) expression {
	a, b := m.of(boolean, depth), m.of(boolean, depth)
	switch m.IntN(9) {
	case 0:
		return expression{fmt.Sprintf("(%s AND %s)", a.sql, b.sql), boolean, func(x row) any { return and(a.at(x), b.at(x)) }}
	case 1:
		return expression{fmt.Sprintf("(%s OR %s)", a.sql, b.sql), boolean, func(x row) any { return not(and(not(a.at(x)), not(b.at(x)))) }}
	case 2:
		return expression{"(NOT " + a.sql + ")", boolean, func(x row) any { return not(a.at(x)) }}
	case 3:
		word, value := m.pick("TRUE", "FALSE", "UNKNOWN"), any(nil)
		if word != "UNKNOWN" {
			value = word == "TRUE"
		}
		yes := m.IntN(2) == 0
		return expression{"(" + a.sql + " IS " + map[bool]string{true: "", false: "NOT "}[yes] + word + ")", boolean,
			func(x row) any { return (a.at(x) == value) == yes }}
	case 4:
		return m.like(depth)
	}
	return m.comparison(depth)
}

func and(a, b any) any {
	switch {
	case a == false || b == false:
		return false
	case a == nil || b == nil:
		return nil
	}
	return true
}

func not(a any) any {
	if a == nil {
		return nil
	}
	return !a.(bool)
}

func (m *maker) like(depth int) expression {
	pattern := m.pick("%a%", "a%", "%b", "%", "", "a_", "_", "%a%b%", "日%", "12", "%_b")
	yes := m.IntN(2) == 0
	return strict("(%s "+map[bool]string{true: "", false: "NOT "}[yes]+"LIKE '"+strings.ReplaceAll(pattern, "%", "%%")+"')", boolean, func(v []any) any {
		return like([]rune(v[0].(string)), []rune(pattern)) == yes
	}, m.of(str, depth))
}

func like(s, p []rune) bool {
	switch {
	case len(p) == 0:
		return len(s) == 0
	case p[0] == '%':
		return like(s, p[1:]) || len(s) > 0 && like(s[1:], p)
	}
	return len(s) > 0 && (p[0] == '_' || p[0] == s[0]) && like(s[1:], p[1:])
}

var comparisons = map[string]func(c int) bool{
	"=": func(c int) bool { return c == 0 }, "<>": func(c int) bool { return c != 0 },
	"<": func(c int) bool { return c == -1 }, "<=": func(c int) bool { return c == -1 || c == 0 },
	">": func(c int) bool { return c == 1 }, ">=": func(c int) bool { return c == 1 || c == 0 },
}

// comparison is of two values of a type, of several, or of numbers of two types.
func (m *maker) comparison(depth int) expression {
	t := append(slices.Clone(allTypes), double)[m.IntN(9)]
	a, b := m.of(t, depth), m.of(t, depth)
	op := m.pick("=", "<>", "<", "<=", ">", ">=")
	if t.Kind == types.Boolean {
		op = m.pick("=", "<>")
	}
	test := func(v []any) any { return comparisons[op](compare(v[0], v[1])) }
	yes := m.IntN(2) == 0
	word := map[bool]string{true: "", false: "NOT "}[yes]
	switch k := m.IntN(8); {
	case k == 0:
		return expression{"(" + a.sql + " IS " + word + "NULL)", boolean, func(x row) any { return (a.at(x) == nil) == yes }}
	case k == 1:
		return expression{fmt.Sprintf("(%s IS %sDISTINCT FROM %s)", a.sql, word, b.sql), boolean, func(x row) any {
			v, w := a.at(x), b.at(x)
			same := v == nil && w == nil || v != nil && w != nil && compare(v, w) == 0
			return same != yes
		}}
	case k == 2 && t.Kind != types.Boolean:
		c := m.of(t, depth)
		return expression{fmt.Sprintf("(%s %sBETWEEN %s AND %s)", a.sql, word, b.sql, c.sql), boolean, func(x row) any {
			in := and(compared(">=", a.at(x), b.at(x)), compared("<=", a.at(x), c.at(x)))
			if !yes {
				in = not(in)
			}
			return in
		}}
	case k == 3 && t.Kind != types.Double:
		return m.in(a, word, yes)
	case k == 4:
		n, d := m.of([]types.Type{integer, bigint}[m.IntN(2)], depth), m.of([]types.Type{money, wide}[m.IntN(2)], depth)
		return strict("(%s "+op+" %s)", boolean, func(v []any) any {
			return comparisons[op](new(big.Int).Mul(big.NewInt(v[0].(int64)), pow10(d.t.Scale)).Cmp(v[1].(*big.Int)))
		}, n, d)
	case k == 5:
		n, d := m.of(money, depth), m.of(wide, depth)
		return strict("(%s "+op+" %s)", boolean, func(v []any) any {
			return comparisons[op](new(big.Int).Mul(v[0].(*big.Int), big.NewInt(100)).Cmp(v[1].(*big.Int)))
		}, n, d)
	case k == 6:
		return strict("(%s "+op+" %s)", boolean, test, m.of(integer, depth), m.of(bigint, depth))
	}
	return strict("(%s "+op+" %s)", boolean, test, a, b)
}

func compared(op string, a, b any) any {
	if a == nil || b == nil {
		return nil
	}
	return comparisons[op](compare(a, b))
}

// in is a list of literals, or of anything.
func (m *maker) in(a expression, word string, yes bool) expression {
	var list []expression
	var sql []string
	for range 1 + m.IntN(5) {
		e := m.of(a.t, m.IntN(2)-m.IntN(2))
		list, sql = append(list, e), append(sql, e.sql)
	}
	return expression{fmt.Sprintf("(%s %sIN (%s))", a.sql, word, strings.Join(sql, ", ")), boolean, func(x row) any {
		v, out := a.at(x), any(false)
		for _, e := range list {
			out = not(and(not(out), not(compared("=", v, e.at(x)))))
		}
		if !yes {
			return not(out)
		}
		return out
	}}
}
