package function

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var kindNames = map[string]types.Type{
	"NULL": types.Of(types.Null), "BOOLEAN": types.Of(types.Boolean), "TINYINT": types.Of(types.TinyInt),
	"SMALLINT": types.Of(types.SmallInt), "INT": types.Of(types.Int), "BIGINT": types.Of(types.BigInt),
	"FLOAT": types.Of(types.Float), "DOUBLE": types.Of(types.Double), "DECIMAL": types.Of(types.Decimal),
	"CHAR": types.Of(types.Char), "VARCHAR": types.Of(types.Varchar), "STRING": types.String(),
	"BINARY": types.Of(types.Binary), "VARBINARY": types.Of(types.Varbinary), "BYTES": types.Bytes(),
	"DATE": types.Of(types.Date), "TIME": types.Of(types.Time), "TIMESTAMP": types.Of(types.Timestamp),
	"TIMESTAMP_LTZ": types.Of(types.TimestampLTZ), "INTERVAL SECOND": types.Of(types.IntervalDay),
	"INTERVAL MONTH": types.Of(types.IntervalMonth), "SYMBOL": types.Of(types.Symbol),
	"VARIANT": types.Of(types.Variant),
}

// parseType reads a type as it prints; the back-ticks around field names may be left out.
func parseType(s string) types.Type {
	s = strings.TrimSpace(s)
	if t, ok := strings.CutSuffix(s, " NOT NULL"); ok {
		return parseType(t).WithNull(false)
	}
	if i := strings.IndexByte(s, '<'); i >= 0 {
		parts := splitTop(s[i+1 : len(s)-1])
		switch s[:i] {
		case "ARRAY":
			return types.ArrayOf(parseType(parts[0]))
		case "MULTISET":
			return types.MultisetOf(parseType(parts[0]))
		case "MAP":
			return types.MapOf(parseType(parts[0]), parseType(parts[1]))
		}
		var fields []types.Field
		for _, p := range parts {
			name, typ, _ := strings.Cut(strings.TrimSpace(p), " ")
			fields = append(fields, types.Field{Name: strings.Trim(name, "`"), Type: parseType(typ)})
		}
		return types.RowOf(fields...)
	}
	name, params := s, ""
	if i := strings.IndexByte(s, '('); i >= 0 {
		name, params = s[:i], s[i+1:len(s)-1]
	}
	t, ok := kindNames[name]
	if !ok {
		panic("no such type: " + s)
	}
	if params != "" && name != "INTERVAL SECOND" {
		p, scale, _ := strings.Cut(params, ",")
		t.Precision, _ = strconv.Atoi(strings.TrimSpace(p))
		t.Scale, _ = strconv.Atoi(strings.TrimSpace(scale))
	}
	return t
}

// splitTop splits at commas outside brackets and quotes.
func splitTop(s string) []string {
	var out []string
	depth, from, quoted := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("<([{", c) >= 0:
			depth++
		case strings.IndexByte(">)]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" || len(out) > 0 {
		out = append(out, rest)
	}
	return out
}

func isWord(s string) bool { return s == `\N` || s == "NULL" }

// constant makes a constant column of length 1 from a cell.
func constant(t types.Type, s string, wide bool) *vector.Column {
	c := &vector.Column{}
	if t.Kind == types.Null || s == `\N` {
		c.SetConstNull(t, 1)
		return c
	}
	fill(c, t, []string{s}, wide)
	c.Enc = vector.Constant
	return c
}

// fill makes c a flat column from cells.
func fill(c *vector.Column, t types.Type, cells []string, wide bool) {
	n := len(cells)
	c.Reset(t, n)
	c.Wide = t.Kind == types.Decimal && (wide || t.Precision > 18)
	for i, s := range cells {
		if isWord(s) && (s == `\N` || !t.Kind.IsText()) {
			c.SetNull(i)
		}
	}
	at := func(i int) (string, bool) { return cells[i], !c.Null(i) }
	switch t.Physical() {
	case types.PhysBool:
		w := vector.AllocBits(c)
		clear(w)
		for i := range cells {
			if cells[i] == "true" {
				w[i>>6] |= 1 << (i & 63)
			}
		}
	case types.PhysRow:
		fillRow(c, t, cells, wide)
	case types.PhysList:
		fillList(c, t, cells, wide)
	case types.PhysInt8:
		fillWith(c, at, func(s string) int8 { return int8(integer(s)) })
	case types.PhysInt16:
		fillWith(c, at, func(s string) int16 { return int16(integer(s)) })
	case types.PhysInt32:
		fillWith(c, at, func(s string) int32 { return int32(scalarInt(t, s)) })
	case types.PhysInt64:
		if c.Wide {
			fillWith(c, at, func(s string) vector.Int128 { return unscaled(t, s) })
			return
		}
		fillWith(c, at, func(s string) int64 { return scalarInt(t, s) })
	case types.PhysFloat32:
		fillWith(c, at, func(s string) float32 { return float32(double(s)) })
	case types.PhysFloat64:
		fillWith(c, at, double)
	default:
		w := vector.NewText(c)
		for i, s := range cells {
			w.PutString(i, cellBytes(t, s))
		}
		w.Finish()
	}
}

func fillWith[T any](c *vector.Column, at func(int) (string, bool), parse func(string) T) {
	v := vector.Alloc[T](c)
	for i := range v {
		var z T
		v[i] = z
		if s, ok := at(i); ok {
			v[i] = parse(s)
		}
	}
}

func fillRow(c *vector.Column, t types.Type, cells []string, wide bool) {
	own := c.OwnChildren(len(t.Fields))
	for k, f := range t.Fields {
		var col []string
		for i, s := range cells {
			if c.Null(i) {
				col = append(col, `\N`)
			} else {
				col = append(col, splitTop(s[1 : len(s)-1])[k])
			}
		}
		fill(own[k], f.Type, inner(f.Type, col), wide)
	}
}

// inner turns NULL inside a composite into \N and takes the quotes off texts.
func inner(t types.Type, cells []string) []string {
	out := make([]string, len(cells))
	for i, s := range cells {
		switch {
		case isWord(s):
			out[i] = `\N`
		case t.Kind.IsText():
			out[i], _ = strconv.Unquote(s)
		default:
			out[i] = s
		}
	}
	return out
}

func fillList(c *vector.Column, t types.Type, cells []string, wide bool) {
	var parts [2][]string
	c.Offsets = []int32{0}
	for i, s := range cells {
		if !c.Null(i) {
			for _, e := range splitTop(s[1 : len(s)-1]) {
				if t.Kind == types.Array {
					parts[0] = append(parts[0], e)
					continue
				}
				k, v, _ := strings.Cut(e, "=")
				parts[0], parts[1] = append(parts[0], k), append(parts[1], v)
			}
		}
		c.Offsets = append(c.Offsets, int32(len(parts[0])))
	}
	kids := []types.Type{t.Fields[0].Type}
	switch t.Kind {
	case types.Map:
		kids = append(kids, t.Elem())
	case types.Multiset:
		kids = append(kids, types.Of(types.Int))
	}
	own := c.OwnChildren(len(kids))
	for i, kt := range kids {
		fill(own[i], kt, inner(kt, parts[i]), wide)
	}
}

func integer(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func double(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !strings.Contains(err.Error(), "range") {
		panic(err)
	}
	return f
}

func unscaled(t types.Type, s string) vector.Int128 {
	whole, frac, _ := strings.Cut(s, ".")
	if len(frac) > t.Scale {
		panic("too many digits: " + s)
	}
	b, ok := new(big.Int).SetString(whole+frac+strings.Repeat("0", t.Scale-len(frac)), 10)
	if !ok {
		panic("no number: " + s)
	}
	v, ok := kernel.Int128OfBig(b)
	if !ok {
		panic("too large: " + s)
	}
	return v
}

var epoch = time.Unix(0, 0).UTC()

// scalarInt reads what is stored as an int32 or int64.
func scalarInt(t types.Type, s string) int64 {
	when := func(layout string) time.Time {
		v, err := time.Parse(layout, s)
		if err != nil {
			panic(err)
		}
		return v
	}
	switch t.Kind {
	case types.Decimal:
		return unscaled(t, s).Int64()
	case types.Date:
		return kernel.FloorDiv(when("2006-01-02").Unix(), 86400)
	case types.Time:
		v := when("15:04:05")
		return int64(v.Hour()*3600+v.Minute()*60+v.Second())*1000 + int64(v.Nanosecond()/1e6)
	case types.Timestamp, types.TimestampLTZ:
		s = strings.TrimSuffix(s, "Z")
		if len(s) == len("2006-01-02") { // a DATE that was cast
			s += " 00:00:00"
		}
		v := when("2006-01-02 15:04:05")
		tick := t.TickNanos()
		return v.Unix()*(1e9/tick) + int64(v.Nanosecond())/tick
	case types.IntervalDay:
		return integer(strings.TrimSuffix(s, "ms"))
	case types.IntervalMonth:
		return integer(strings.TrimSuffix(s, "mo"))
	}
	return integer(s)
}

func cellBytes(t types.Type, s string) string {
	switch {
	case s == `\e`, s == `\N`:
		return ""
	case t.Kind.IsBinary():
		b, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	return unescape.Replace(s)
}

var (
	unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r", `\s`, " ")
	escape   = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
)

// cell prints a row as the corpus does.
func cell(c *vector.Column, i int) string {
	if c.Null(i) {
		return `\N`
	}
	s := valueText(c, i)
	if !c.Type.Kind.IsText() && c.Type.Kind != types.Variant {
		return s
	}
	if s == "" {
		return `\e`
	}
	s = escape.Replace(s)
	if strings.HasPrefix(s, " ") {
		s = `\s` + s[1:]
	}
	if strings.HasSuffix(s, " ") {
		s = s[:len(s)-1] + `\s`
	}
	return s
}

func valueText(c *vector.Column, i int) string {
	switch t := c.Type; t.Kind {
	case types.Boolean:
		return strconv.FormatBool(vector.Bool(c, i))
	case types.TinyInt:
		return fmt.Sprint(vector.Value[int8](c, i))
	case types.SmallInt:
		return fmt.Sprint(vector.Value[int16](c, i))
	case types.Int:
		return fmt.Sprint(vector.Value[int32](c, i))
	case types.BigInt:
		return fmt.Sprint(vector.Value[int64](c, i))
	case types.Float:
		return javaFloat(float64(vector.Value[float32](c, i)), 32)
	case types.Double:
		return javaFloat(vector.Value[float64](c, i), 64)
	case types.Decimal:
		return decimalText(c, i)
	case types.Char, types.Varchar, types.Variant:
		return string(vector.Text(c, i))
	case types.Binary, types.Varbinary:
		return "0x" + hex.EncodeToString(vector.Text(c, i))
	case types.Date:
		return epoch.AddDate(0, 0, int(vector.Value[int32](c, i))).Format("2006-01-02")
	case types.Time:
		v := epoch.Add(time.Duration(vector.Value[int32](c, i)) * time.Millisecond)
		return v.Format("15:04:05") + fraction(v, t.Precision)
	case types.Timestamp, types.TimestampLTZ:
		return timestampText(t, vector.Value[int64](c, i))
	case types.IntervalDay:
		return fmt.Sprint(vector.Value[int64](c, i), "ms")
	case types.IntervalMonth:
		return fmt.Sprint(vector.Value[int32](c, i), "mo")
	}
	return compositeText(c, i)
}

func decimalText(c *vector.Column, i int) string {
	f, k := c.At(i)
	v := vector.Int128{}
	if f.Wide {
		v = vector.Values[vector.Int128](f)[k]
	} else {
		v = kernel.Int128Of(vector.Values[int64](f)[k])
	}
	s := v.Abs().Big().String()
	if sc := c.Type.Scale; sc > 0 {
		if len(s) <= sc {
			s = strings.Repeat("0", sc+1-len(s)) + s
		}
		s = s[:len(s)-sc] + "." + s[len(s)-sc:]
	}
	if v.Sign() < 0 {
		s = "-" + s
	}
	return s
}

func fraction(v time.Time, p int) string {
	if p == 0 {
		return ""
	}
	return v.Format(".000000000")[:p+1]
}

func timestampText(t types.Type, v int64) string {
	per := 1e9 / t.TickNanos()
	sec, rest := v/per, v%per
	if rest < 0 {
		sec, rest = sec-1, rest+per
	}
	w := time.Unix(sec, rest*t.TickNanos()).UTC()
	s := w.Format("2006-01-02 15:04:05") + fraction(w, t.Precision)
	if t.Kind == types.TimestampLTZ {
		s += "Z"
	}
	return s
}

func compositeText(c *vector.Column, i int) string {
	f, k := c.At(i)
	var parts []string
	if c.Type.Kind == types.Row {
		for _, e := range f.Children {
			parts = append(parts, innerText(e, k))
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	for e := int(f.Offsets[k]); e < int(f.Offsets[k+1]); e++ {
		s := innerText(f.Children[0], e)
		if len(f.Children) > 1 {
			s += "=" + innerText(f.Children[1], e)
		}
		parts = append(parts, s)
	}
	if c.Type.Kind == types.Array {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	sort.Strings(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

func innerText(c *vector.Column, i int) string {
	if c.Null(i) {
		return "NULL"
	}
	s := valueText(c, i)
	if c.Type.Kind.IsText() {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}

// javaFloat prints as Java's Double.toString and Float.toString do.
func javaFloat(f float64, bits int) string {
	s := strconv.FormatFloat(f, 'e', -1, bits)
	switch s {
	case "NaN":
		return s
	case "+Inf", "-Inf":
		return strings.TrimPrefix(s[:1], "+") + "Infinity"
	}
	mant, exp, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exp)
	if e >= -3 && e < 7 {
		s = strconv.FormatFloat(f, 'f', -1, bits)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	if !strings.Contains(mant, ".") {
		mant += ".0"
	}
	return fmt.Sprintf("%sE%d", mant, e)
}

func TestHarness(t *testing.T) {
	for _, s := range []string{
		"INT:7", "TINYINT:-1", `STRING:\N`, "DECIMAL(10, 2):-0.05", "DECIMAL(38, 2):12.34", "DOUBLE:1.0E10",
		"FLOAT:0.1", "TIMESTAMP(3):1969-12-31 23:59:59.999", "TIMESTAMP_LTZ(6):2024-01-02 03:04:05.000001Z",
		"DATE:1969-12-31", "TIME(3):12:34:56.789", "BYTES:0x0aff", `STRING:a b\s`, `STRING:\e`,
		"ARRAY<INT>:[1, NULL, 3]", `MAP<STRING, ARRAY<INT>>:{"a"=[1, 2], "b, c"=NULL}`,
		"ROW<`p` INT, `q` STRING>:(NULL, \"x y\")", "INTERVAL SECOND(3):-90000ms", "INTERVAL MONTH:14mo",
		"ARRAY<ROW<`x` INT, `y` STRING NOT NULL> NOT NULL>:[(1, \"a\"), (2, \"b\")]", "BOOLEAN NOT NULL:true",
	} {
		name, value, _ := strings.Cut(s, ":")
		typ := parseType(name)
		c := constant(typ, value, false)
		if got := typ.String() + ":" + cell(c, 0); got != s {
			t.Errorf("%s reads back as %s", s, got)
		}
	}
}
