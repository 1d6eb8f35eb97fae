package function

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// sweepTypes are the argument types that every function is offered.
var sweepTypes = []string{
	"BOOLEAN", "TINYINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10, 2)", "DECIMAL(38, 18)", "CHAR(3)", "STRING",
	"BYTES", "DATE", "TIME(3)", "TIMESTAMP(3)", "TIMESTAMP(9)", "TIMESTAMP_LTZ(3)", "INTERVAL SECOND(3)", "INTERVAL MONTH",
	"ARRAY<INT>", "ARRAY<STRING>", "MAP<STRING, INT>", "ROW<a INT, b STRING>", "VARIANT", "NULL", "SYMBOL", "INT NOT NULL",
}

// samples are values of a type as cells, edges among them.
func samples(t types.Type) []string {
	switch t.Kind {
	case types.Boolean:
		return []string{"true", "false"}
	case types.TinyInt:
		return []string{"0", "1", "-1", "127", "-128", "3"}
	case types.SmallInt:
		return []string{"0", "1", "-1", "32767", "-32768", "5"}
	case types.Int:
		return []string{"0", "1", "-1", "2147483647", "-2147483648", "7", "2"}
	case types.BigInt:
		return []string{"0", "1", "-1", "9223372036854775807", "-9223372036854775808", "1704164645", "3"}
	case types.Float, types.Double:
		return []string{"0.0", "1.5", "-2.5", "NaN", "1e300", "-0.4", "-Inf"}
	case types.Decimal:
		switch {
		case t.Scale == 0:
			return []string{"0", "1", "-7", "9"}
		case t.Precision-t.Scale < 2:
			return []string{"0." + "5", "0.0"}
		}
		return []string{"0", "1.5", "-2.5", "99.9", "-0.1"}
	case types.Binary, types.Varbinary:
		return []string{"0x", "0x61", "0xff00", "0x68656c6c6f2c20776f726c642121"}
	case types.Date:
		return []string{"2024-02-29", "1970-01-01", "1969-12-31"}
	case types.Time:
		return []string{"12:34:56.789", "00:00:00"}
	case types.Timestamp, types.TimestampLTZ:
		return []string{"2024-02-29 12:34:56.789", "1969-12-31 23:59:59.999", "1970-01-01 00:00:00"}
	case types.IntervalDay:
		return []string{"0ms", "-90061001ms", "86400000ms"}
	case types.IntervalMonth:
		return []string{"0mo", "14mo", "-1mo"}
	case types.Symbol:
		return []string{"DAY", "YEAR", "SECOND", "BOTH", "NULL"}
	case types.Row:
		return []string{`(1, "a")`, `(NULL, NULL)`}
	case types.Array:
		if t.Elem().Kind.IsText() {
			return []string{`["b", "a", NULL]`, `[]`, `["a text of more than twelve"]`}
		}
		return []string{"[3, 1, NULL, 2]", "[]", "[5]"}
	case types.Map:
		return []string{`{"x"=1, "y"=2}`, `{}`, `{"k"=NULL}`}
	case types.Variant:
		return []string{`{"a":[1,null],"b":"x"}`, `[1,"hello, world",{}]`, "12", "-1.5", "1.0E10", "null", "true", `"x\\n"`}
	case types.Null:
		return []string{`\N`}
	}
	return []string{`\e`, "a", "hello, world, and more", "2024-01-02 03:04:05", "  x ", "12", "ß日😀", "%_", "(", "yyyy-MM-dd", "$.a", `{"a": [1]}`}
}

// TestSweep offers every function arguments of all types and runs what it accepts: nothing panics, a lane
// does not depend on its neighbours or on encodings, and NULLs follow the declared rule.
func TestSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var offered []types.Type
	for _, s := range sweepTypes {
		offered = append(offered, parseType(s))
	}
	for _, s := range All() {
		round, accepted := 0, 0
		for ; round < 30000 && accepted < 10; round++ {
			args := make([]Arg, r.IntN(4))
			for i := range args {
				args[i].Type = offered[r.IntN(len(offered))]
				if round%3 == 0 || args[i].Type.Kind == types.Symbol || args[i].Type.Kind == types.Null {
					args[i].Const = sampleConst(r, args[i].Type)
				}
			}
			sig, err := s.Type(args)
			if err != nil || holdsNull(sig) {
				continue
			}
			accepted++
			if msg := sweep(r, s, sig, args); msg != "" {
				t.Errorf("%s%v: %s", s.Name, sig.Args, msg)
				break
			}
		}
	}
}

// holdsNull tells signatures over a composite of unknown elements, which no sample fits.
func holdsNull(sig Signature) bool {
	for _, a := range sig.Args {
		for _, f := range a.Fields {
			if f.Type.Kind == types.Null || f.Type.Kind.IsComposite() {
				return true
			}
		}
	}
	return false
}

func sampleConst(r *rand.Rand, t types.Type) *vector.Column {
	v := samples(t)
	if t.Kind != types.Symbol && !t.NotNull && r.IntN(8) == 0 {
		return vector.ConstNull(t, 1)
	}
	return constant(t, v[r.IntN(len(v))], false)
}

func sweep(r *rand.Rand, s *Scalar, sig Signature, args []Arg) (msg string) {
	defer func() {
		if p := recover(); p != nil {
			msg = fmt.Sprintf("panics: %v", p)
		}
	}()
	const rows = 67
	b, cols := sampled(r, sig, args, rows)
	kern, err := s.Bind(b)
	if err != nil {
		return ""
	}
	whole := &vector.Column{}
	failRow, _ := runShape(s, kern, sig.Result, cols, whole, rows)
	if s.Volatile {
		return ""
	}
	single, err := s.Bind(b)
	if err != nil {
		return err.Error()
	}
	for row := range rows {
		one := make([]*vector.Column, len(cols))
		for i, c := range cols {
			k := &vector.Column{}
			vector.Take(k, c, []int32{int32(row)})
			k.Enc, k.Len = vector.Constant, 1
			one[i] = k
		}
		out := &vector.Column{}
		failed, err := runShape(s, single, sig.Result, one, out, 1)
		switch {
		case failed >= 0 && (failRow < 0 || row < failRow):
			return fmt.Sprintf("row %d fails alone only: %v", row, err)
		case failed < 0 && row == failRow:
			return fmt.Sprintf("row %d fails among others only", row)
		case failed < 0 && cell(out, 0) != cell(whole, row):
			return fmt.Sprintf("row %d is %s alone and %s among others", row, cell(out, 0), cell(whole, row))
		}
	}
	return ""
}

// sampled makes the columns of a call: constants where args have them, random samples elsewhere.
func sampled(r *rand.Rand, sig Signature, args []Arg, rows int) (Binding, []*vector.Column) {
	b := Binding{Result: sig.Result, Env: testEnv}
	cols := make([]*vector.Column, len(args))
	for i := range args {
		want := args[i].Type
		if i < len(sig.Args) {
			want = sig.Args[i]
		}
		a := Arg{Type: want, Const: args[i].Const}
		if a.Const != nil && !want.Same(args[i].Type) {
			a.Const = nil // the cast constant is not known here
		}
		cols[i] = a.Const
		if a.Const == nil {
			cols[i] = sampleColumn(r, want, rows)
		} else {
			k := *a.Const
			k.Len = rows
			cols[i] = &k
		}
		b.Args = append(b.Args, a)
	}
	return b, cols
}

// sampleColumn is a flat column of random samples with NULLs.
func sampleColumn(r *rand.Rand, t types.Type, rows int) *vector.Column {
	v := samples(t)
	cells := make([]string, rows)
	for i := range cells {
		cells[i] = v[r.IntN(len(v))]
		if !t.NotNull && r.IntN(6) == 0 {
			cells[i] = `\N`
		}
	}
	c := &vector.Column{}
	fill(c, t, cells, false)
	return c
}

// runShape evaluates as the evaluator does and returns the failing row or -1.
func runShape(s *Scalar, kern Kernel, t types.Type, cols []*vector.Column, out *vector.Column, rows int) (int, error) {
	out.Reset(t, rows)
	var c Call
	if s.Nulls == Strict && strictNulls(out, cols) {
		out.SetConstNull(t, rows)
		return -1, nil
	}
	for _, k := range cols {
		if s.Nulls == Strict && k.Type.Kind == types.Null {
			out.SetConstNull(t, rows)
			return -1, nil
		}
	}
	c.Reset(out, cols, nil)
	kern(&c)
	row, err := c.Err()
	if err == nil {
		row = -1
	}
	if s.Nulls == Strict && out.Valid != nil && out.Enc == vector.Flat &&
		out.Valid[kernel.Words(rows)-1]&^kernel.TailMask(rows) != 0 {
		panic("validity bits past the end")
	}
	return row, err
}
