package function

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// bound is a call that is evaluated a row at a time; its memory serves all of them.
type bound struct {
	result types.Type
	kern   Kernel
	strict bool
	out    vector.Column
	call   Call
}

func bindOne(f testing.TB, s *Scalar, args ...types.Type) *bound {
	var given []Arg
	for _, t := range args {
		given = append(given, Arg{Type: t})
	}
	sig, err := s.Type(given)
	if err != nil {
		f.Fatal(err)
	}
	kern, err := s.Bind(Binding{Args: given, Result: sig.Result, Env: testEnv})
	if err != nil {
		f.Fatal(err)
	}
	return &bound{result: sig.Result, kern: kern, strict: s.Nulls == Strict}
}

// of evaluates constants, and returns the result as a cell.
func (b *bound) of(args ...*vector.Column) (string, error) {
	b.out.Reset(b.result, 1)
	if b.strict && strictNulls(&b.out, args) {
		return `\N`, nil
	}
	b.call.Reset(&b.out, args, nil)
	b.kern(&b.call)
	_, err := b.call.Err()
	return cell(&b.out, 0), err
}

func textOf(s string) *vector.Column {
	c := &vector.Column{}
	c.Reset(types.String(), 1)
	w := vector.NewText(c)
	w.PutString(0, s)
	w.Finish()
	c.Enc = vector.Constant
	return c
}

// casting is what is done with a text for one type.
type casting struct{ cast, try, back, again *bound }

func castings(f testing.TB) map[string]*casting {
	all := map[string]*casting{}
	for _, name := range []string{"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10, 2)", "DECIMAL(18, 18)",
		"DECIMAL(38, 0)", "DECIMAL(38, 18)", "DATE", "TIME(0)", "TIME(3)", "TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(6)", "TIMESTAMP(9)",
		"TIMESTAMP_LTZ(3)", "CHAR(4)", "VARCHAR(4)"} {
		t, bindings := parseType(name), [4]*bound{}
		for i := range bindings {
			from, to := types.String(), t
			if i == 2 {
				from, to = to, from
			}
			s, err := Cast(from, to, i == 1)
			if err != nil {
				f.Fatal(err)
			}
			bindings[i] = bindOne(f, s, from)
		}
		all[name] = &casting{bindings[0], bindings[1], bindings[2], bindings[3]}
	}
	return all
}

// FuzzCast: a text that is no value of a type fails under CAST and is NULL under TRY_CAST; what is one is written
// again as the same value, and stands the same among others.
func FuzzCast(f *testing.F) {
	for _, s := range []string{"", " 1 ", "-0", "1e5", "99999999.995", "2024-02-29 23:59:59.999999999", "9999-12-31", "24:00:00", "0x10",
		"NaN", "-Infinity", "true", "1.7976931348623157e309", "170141183460469231731687303715884105728", "1677-09-21 00:12:43.145224193"} {
		f.Add(s)
	}
	all := castings(f)
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		for name, c := range all {
			got, err := c.cast.of(textOf(s))
			tried, tryErr := c.try.of(textOf(s))
			if tryErr != nil || err != nil && tried != `\N` || err == nil && got != tried {
				t.Errorf("%q as %s: CAST gives %s %v, TRY_CAST %s %v", s, name, got, err, tried, tryErr)
			}
			if err != nil || got == `\N` {
				continue
			}
			value := c.cast.out
			value.Enc = vector.Constant
			if _, err := c.back.of(&value); err != nil {
				t.Errorf("%q as %s is %s, which has no text: %v", s, name, got, err)
			}
			written := textOf(string(vector.Text(&c.back.out, 0)))
			if again, err := c.again.of(written); again != got {
				t.Errorf("%q as %s is %s, written %q and read %s %v", s, name, got, vector.Text(written, 0), again, err)
			}
		}
	})
}

// FuzzDatePattern: no pattern of dates panics, or reads a time of day that is none.
func FuzzDatePattern(f *testing.F) {
	for _, p := range []string{"yyyy-MM-dd HH:mm:ss.SSS", "G u D EEE 'at' hh a", "[yyyy][MMM]''XXX", "YYYY-'W'ww-e", "kk:KK:AAAA nnnn N"} {
		f.Add(p, "2024-02-29 23:59:59.999", int64(1709210096789))
	}
	utc := newZoneClock(nil)
	f.Fuzz(func(t *testing.T, pattern, text string, ms int64) {
		var c wallClock
		if p, err := compilePattern(pattern); err == nil {
			day, rest := kernel.SplitDay(ms, kernel.MilliDay)
			c.set(day, rest*1e6)
			b, err := p.append(nil, &c)
			if p.readable() == nil {
				for _, s := range [][]byte{b, []byte(text)} {
					if _, nanos, ok := p.read(s); ok && (nanos < 0 || nanos >= 86_400e9) {
						t.Errorf("%q reads %q as %d nanoseconds of a day", pattern, s, nanos)
					}
				}
			}
			if err == nil && utf8.ValidString(pattern) && !utf8.Valid(b) {
				t.Errorf("%q writes %q", pattern, b)
			}
		}
		if p, err := compileLegacy(pattern); err == nil {
			c.setInstant(utc, ms/1000)
			if b := p.append(nil, &c); p.readable() == nil {
				p.read(b, 1946)
				p.read([]byte(text), 1946)
			}
		}
		if _, nanos, ok := readLoosely([]byte(text)); ok && (nanos < 0 || nanos >= 86_400e9) {
			t.Errorf("%q is read as %d nanoseconds of a day", text, nanos)
		}
	})
}

// FuzzJSON: what is JSON is read, and what a path leads to is JSON again; it is there for JSON_EXISTS where
// JSON_QUERY or JSON_VALUE finds it.
func FuzzJSON(f *testing.F) {
	for _, p := range []string{"$.a.b", "lax $['a', 'b'][0]", "$..a[*]", "strict $[-1:2].*", `$["\""]`, "a.b", "$[1,2]"} {
		f.Add(p, `{"a": [1, {"b": "x\u00e9\ud83d\ude00"}, null, -1.5e300], "b": {"a": true}}`)
	}
	query, value, exists := bindJSON(f, "JSON_QUERY", JSONClauses{}), bindJSON(f, "JSON_VALUE", JSONClauses{}), bindJSON(f, "JSON_EXISTS", JSONClauses{})
	wrapped := bindJSON(f, "JSON_QUERY", JSONClauses{Wrapper: JSONWrapped})
	f.Fuzz(func(t *testing.T, path, doc string) {
		if !utf8.ValidString(path) || !utf8.ValidString(doc) {
			return
		}
		var d jsonDocument
		if json.Valid([]byte(doc)) && !d.parse([]byte(doc)) && deep(doc) < maxJSONDepth {
			t.Errorf("%q is JSON", doc)
		}
		args := []*vector.Column{textOf(doc), textOf(path)}
		is, failed := exists.of(args...)
		for _, q := range []*bound{query, wrapped, value} {
			got, err := q.of(args...)
			if (err == nil) != (failed == nil) {
				t.Errorf("%q of %q: %v, but JSON_EXISTS %v", path, doc, err, failed)
			}
			if err != nil || got == `\N` {
				continue
			}
			if text := vector.Text(&q.out, 0); q != value && !json.Valid(text) || q == value && !utf8.Valid(text) {
				t.Errorf("%q of %q is %q", path, doc, text)
			}
			if is != "true" && q != wrapped {
				t.Errorf("%q of %q is %s and does not exist", path, doc, got)
			}
		}
	})
}

func bindJSON(f testing.TB, name string, c JSONClauses) *bound {
	s, err := JSON(name, c)
	if err != nil {
		f.Fatal(err)
	}
	return bindOne(f, s, types.String(), types.String())
}

// deep bounds how deep values may be nested.
func deep(s string) (n int) {
	for i := range len(s) {
		if s[i] == '[' || s[i] == '{' {
			n++
		}
	}
	return n
}

// FuzzLike: LIKE by whatever search agrees with a plain match of characters, and so do LOCATE and SUBSTRING.
func FuzzLike(f *testing.F) {
	for _, p := range []string{"%a%", "a%", "%a", "a_c", "%_%", "a%b%c", "", "%", "日_", "_%_"} {
		f.Add("a日bc 50%", p, int16(2))
	}
	text := types.String()
	like, locate := bindOne(f, Lookup("LIKE"), text, text), bindOne(f, Lookup("LOCATE"), text, text)
	substring := bindOne(f, Lookup("SUBSTRING"), text, types.Of(types.BigInt))
	f.Fuzz(func(t *testing.T, s, pattern string, from int16) {
		if !utf8.ValidString(s) || !utf8.ValidString(pattern) || len(s) > 200 || len(pattern) > 12 {
			return
		}
		want := strconv.FormatBool(plainLike([]rune(s), []rune(pattern)))
		if got, err := like.of(textOf(s), textOf(pattern)); err != nil || got != want {
			t.Errorf("%q LIKE %q is %s, %v", s, pattern, got, err)
		}
		if got, err := knownLike(t, pattern).of(textOf(s), textOf(pattern)); err != nil || got != want {
			t.Errorf("%q LIKE the literal %q is %s, %v", s, pattern, got, err)
		}
		place := utf8.RuneCountInString(s[:max(strings.Index(s, pattern), 0)])
		if strings.Contains(s, pattern) {
			place++
		}
		if got, _ := locate.of(textOf(pattern), textOf(s)); got != strconv.Itoa(place) {
			t.Errorf("LOCATE(%q, %q) is %s, want %d", pattern, s, got, place)
		}
		if from > 0 {
			r := []rune(s)
			if _, err := substring.of(textOf(s), vector.ConstOf(types.Of(types.BigInt), int64(from), 1)); err != nil {
				t.Error(err)
			}
			if got, want := string(vector.Text(&substring.out, 0)), string(r[min(len(r), int(from)-1):]); got != want {
				t.Errorf("SUBSTRING(%q, %d) is %q, want %q", s, from, got, want)
			}
		}
	})
}

// knownLike is LIKE with a pattern that is compiled when it is bound.
func knownLike(t *testing.T, pattern string) *bound {
	given := []Arg{{Type: types.String()}, {Type: types.String(), Const: textOf(pattern)}}
	kern, err := Lookup("LIKE").Bind(Binding{Args: given, Result: types.Of(types.Boolean), Env: testEnv})
	if err != nil {
		t.Fatal(err)
	}
	return &bound{result: types.Of(types.Boolean), kern: kern, strict: true}
}

// plainLike finds, for each piece of the pattern, which places of the text it may end at.
func plainLike(s, p []rune) bool {
	at := make([]bool, len(s)+1)
	at[0] = true
	for _, c := range p {
		next := make([]bool, len(s)+1)
		for i, here := range at {
			switch {
			case c == '%':
				next[i] = here || i > 0 && next[i-1]
			case i > 0:
				next[i] = at[i-1] && (c == '_' || c == s[i-1])
			}
		}
		at = next
	}
	return at[len(s)]
}
