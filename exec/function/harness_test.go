package function

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// check evaluates one call in every shape and compares with want. Arguments and want are written
// TYPE:VALUE with values as in the corpus's cells: `INT:7`, `DECIMAL(10,2):12.34`, `STRING:a`,
// `ARRAY<INT>:[1, NULL]`, `INT:\N`. An argument that starts with = is a literal, known when the function
// is bound; SYMBOL:DAY is a time unit. want may also be `refused` or `refused: text` for a refusal by
// Type or Bind, and `fails: text` for a failing lane. A want whose type is ? leaves the type unchecked.
//
// The shapes are constant and flat columns in all combinations (up to 4 arguments), of 1, 3, 64 and 1024
// rows, without and with NULLs strewn in, DECIMALs narrow and wide.
func check(t *testing.T, name, want string, args ...string) {
	t.Helper()
	if msg := evaluate(name, want, args); msg != "" {
		t.Errorf("%s(%s): %s", name, strings.Join(args, "; "), msg)
	}
}

// checkDeclared does the same for a declaration that has no name to look up, as Cast makes them.
func checkDeclared(t *testing.T, s *Scalar, want string, args ...string) {
	t.Helper()
	if msg := evaluateDeclared(s, want, args); msg != "" {
		t.Errorf("%s(%s): %s", s.Name, strings.Join(args, "; "), msg)
	}
}

// testEnv is the session of all checks.
var testEnv = &Env{Zone: time.UTC, Now: func() time.Time { return time.Unix(1704164645, 123e6) }}

func evaluate(name, want string, args []string) string {
	s := Lookup(name)
	if s == nil {
		return "not declared"
	}
	return evaluateDeclared(s, want, args)
}

// call is a bound call with its arguments as text.
type call struct {
	s       *Scalar
	binding Binding
	texts   []string
	literal []bool
}

func evaluateDeclared(s *Scalar, want string, args []string) string {
	c, err := bindCall(s, args)
	if err != nil {
		if strings.HasPrefix(want, "refused") && strings.Contains(err.Error(), strings.TrimPrefix(want[7:], ": ")) {
			return ""
		}
		return fmt.Sprintf("refused: %v; want %s", err, want)
	}
	if strings.HasPrefix(want, "refused") {
		return "was not refused"
	}
	if strings.HasPrefix(want, "fails") {
		return c.shapes("", strings.TrimPrefix(want[5:], ": "), true)
	}
	i := strings.IndexByte(want, ':')
	if got := c.binding.Result.String(); want[:i] != "?" && got != parseType(want[:i]).String() {
		return fmt.Sprintf("type %s, want %s", got, want[:i])
	}
	return c.shapes(want[i+1:], "", false)
}

func bindCall(s *Scalar, args []string) (*call, error) {
	c := &call{s: s}
	var given []Arg
	for _, a := range args {
		lit := strings.HasPrefix(a, "=")
		a = strings.TrimPrefix(a, "=")
		i := strings.IndexByte(a, ':')
		typ := parseType(a[:i])
		arg := Arg{Type: typ}
		if lit || typ.Kind == types.Symbol {
			lit = true
			arg.Const = constant(typ, a[i+1:], false)
		}
		given = append(given, arg)
		c.texts = append(c.texts, a[i+1:])
		c.literal = append(c.literal, lit)
	}
	sig, err := s.Type(given)
	if err != nil {
		return nil, err
	}
	c.binding = Binding{Result: sig.Result, Env: testEnv}
	for i, a := range given {
		if i < len(sig.Args) && !a.Type.Same(sig.Args[i]) {
			a.Type = sig.Args[i]
			if a.Const != nil {
				a.Const = constant(a.Type, c.texts[i], false)
			}
		}
		c.binding.Args = append(c.binding.Args, a)
	}
	_, err = s.Bind(c.binding)
	return c, err
}

// shapes runs every shape and returns the first difference.
func (c *call) shapes(want, fail string, fails bool) string {
	wides := []bool{false}
	for _, a := range c.binding.Args {
		if holdsDecimal(a.Type) {
			wides = []bool{false, true}
		}
	}
	for mask := range 1 << min(len(c.binding.Args), 4) {
		for _, rows := range []int{1, 3, 64, 1024} {
			if mask != 0 && rows == 1024 {
				rows = 100
			}
			for _, nulls := range []bool{false, true} {
				for _, wide := range wides {
					msg := c.run(mask, rows, nulls, wide, want, fail, fails)
					if msg != "" {
						return fmt.Sprintf("%s (constant mask %b, %d rows, nulls %t, wide %t)", msg, mask, rows, nulls, wide)
					}
				}
			}
		}
	}
	return ""
}

func holdsDecimal(t types.Type) bool {
	for _, f := range t.Fields {
		if holdsDecimal(f.Type) {
			return true
		}
	}
	return t.Kind == types.Decimal
}

func (c *call) run(mask, rows int, nulls, wide bool, want, fail string, fails bool) string {
	kern, err := c.s.Bind(c.binding)
	if err != nil {
		return err.Error()
	}
	cols := make([]*vector.Column, len(c.binding.Args))
	touched := make([]bool, rows)
	for i, a := range c.binding.Args {
		k := constant(a.Type, c.texts[i], wide)
		k.Len = rows
		cols[i] = k
		if c.literal[i] || mask>>min(i, 3)&1 != 0 {
			continue
		}
		f := &vector.Column{}
		vector.Flatten(f, k)
		for r := 1; nulls && r < rows; r += 3 + i {
			f.SetNull(r)
			touched[r] = true
		}
		cols[i] = f
	}
	out := &vector.Column{}
	var msg string
	for round := range 2 { // the second round meets reused memory
		out.Reset(c.binding.Result, rows)
		var k Call
		k.Reset(out, cols, nil)
		if c.s.Nulls == Strict && strictNulls(out, cols) {
			out.SetConstNull(c.binding.Result, rows)
		} else {
			kern(&k)
		}
		msg = c.judge(&k, out, touched, want, fail, fails)
		if msg != "" {
			return fmt.Sprintf("%s in round %d", msg, round)
		}
	}
	return msg
}

// strictNulls sets out's validity to what the evaluator sets it to under the Strict rule; a constant NULL
// among the arguments means that the kernel is skipped.
func strictNulls(out *vector.Column, args []*vector.Column) bool {
	for _, a := range args {
		if a.Valid == nil {
			continue
		}
		if a.Enc == vector.Constant {
			if a.IsConstNull() {
				return true
			}
			continue
		}
		if out.Valid == nil {
			out.AllocValid()
		}
		kernel.And(out.Valid, out.Valid, a.Valid)
	}
	return false
}

func (c *call) judge(k *Call, out *vector.Column, touched []bool, want, fail string, fails bool) string {
	row, err := k.Err()
	if fails {
		if err == nil {
			return "does not fail; want " + fail
		}
		if row != 0 || !strings.Contains(err.Error(), fail) {
			return fmt.Sprintf("row %d fails: %v; want %s", row, err, fail)
		}
		return ""
	}
	if err != nil {
		return fmt.Sprintf("row %d fails: %v", row, err)
	}
	if out.Valid != nil && out.Enc == vector.Flat && out.Len%64 != 0 &&
		out.Valid[kernel.Words(out.Len)-1]&^kernel.TailMask(out.Len) != 0 {
		return "validity bits past the end"
	}
	for r := range touched {
		got := cell(out, r)
		switch {
		case !touched[r] && got != want:
			return fmt.Sprintf("row %d is %s, want %s", r, got, want)
		case touched[r] && c.s.Nulls == Strict && got != `\N`:
			return fmt.Sprintf("row %d is %s although an argument is NULL", r, got)
		}
	}
	return ""
}
