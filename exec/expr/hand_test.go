package expr_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var byHand = flag.Bool("hand", false, "measure common functions beside loops written by hand, and print the ratios")

// handRows is the length of a batch.
const handRows = 1024

// handInput is a batch as columns, and as a plain program has it.
type handInput struct {
	a, b  []int64
	d     []float64
	texts [][]byte
	short [][]byte
	cols  []*vector.Column
	// what loops write to
	ints  []int64
	reals []float64
	bools []bool
	arena []byte
	ends  []int
}

// The columns of handInput.
const (
	handA = iota
	handB
	handD
	handURL
	handWord
	handNumber
	handTime
)

var handTypes = []types.Type{types.Of(types.BigInt), types.Of(types.BigInt), types.Of(types.Double), types.String(), types.String(),
	types.String(), types.TimestampOf(3)}

func newHandInput() *handInput {
	in := &handInput{a: make([]int64, handRows), b: make([]int64, handRows), d: make([]float64, handRows), ints: make([]int64, handRows),
		reals: make([]float64, handRows), bools: make([]bool, handRows), ends: make([]int, handRows), arena: make([]byte, 0, 1<<20)}
	times := make([]int64, handRows)
	url, word, number := vector.NewBuilder(types.String()), vector.NewBuilder(types.String()), vector.NewBuilder(types.String())
	for i := range handRows {
		in.a[i], in.b[i], in.d[i] = int64(i*7919%100_000), int64(i%97+1), float64(i*7919)/128
		times[i] = 1_700_000_000_000 + int64(i)*9_700_003
		u, s := fmt.Sprintf("https://www.nexmark.com/ab%03d/item.htm?query=1&channel_id=%d", i, i*7919), fmt.Sprintf("Word%d", i%300)
		in.texts, in.short = append(in.texts, []byte(u)), append(in.short, []byte(s))
		url.AppendString(u)
		word.AppendString(s)
		number.AppendString(strconv.Itoa(i * 1_000_003))
	}
	texts := make([]vector.Column, 3)
	url.Finish(&texts[0])
	word.Finish(&texts[1])
	number.Finish(&texts[2])
	in.cols = []*vector.Column{vector.OfSlice(handTypes[handA], in.a), vector.OfSlice(handTypes[handB], in.b),
		vector.OfSlice(handTypes[handD], in.d), &texts[0], &texts[1], &texts[2], vector.OfSlice(handTypes[handTime], times)}
	return in
}

// of calls a function over columns and constants.
func of(t *testing.T, name string, args ...expr.Expr) expr.Expr {
	t.Helper()
	given := make([]function.Arg, len(args))
	for i, a := range args {
		given[i].Type = a.Type()
		if k, ok := a.(*expr.Const); ok {
			given[i].Const = k.Value
		}
	}
	fn := function.Must(name)
	sig, err := fn.Type(given)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, a := range args {
		if !a.Type().Same(sig.Args[i]) {
			args[i] = castOf(t, a, sig.Args[i])
		}
	}
	return &expr.Call{Fn: fn, List: args, T: sig.Result}
}

func castOf(t *testing.T, e expr.Expr, to types.Type) expr.Expr {
	t.Helper()
	fn, err := function.Cast(e.Type(), to, false)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := fn.Type([]function.Arg{{Type: e.Type()}})
	if err != nil {
		t.Fatal(err)
	}
	return &expr.Call{Fn: fn, List: []expr.Expr{e}, T: sig.Result}
}

func column(i int) expr.Expr {
	return &expr.Column{Index: i, Name: fmt.Sprint("c", i), T: handTypes[i]}
}

func number(v int64) expr.Expr {
	return expr.NewConst(vector.ConstOf(types.Of(types.BigInt).WithNull(false), v, 1), strconv.FormatInt(v, 10))
}

func digits(n int32) expr.Expr {
	return expr.NewConst(vector.ConstOf(types.Of(types.Int).WithNull(false), n, 1), strconv.Itoa(int(n)))
}

func word(s string) expr.Expr {
	return expr.NewConst(vector.ConstText(types.VarcharOf(len(s)).WithNull(false), s, 1), "'"+s+"'")
}

// write is a loop that makes texts: what each appends to the arena.
func (in *handInput) write(f func(dst []byte, i int) []byte) {
	in.arena = in.arena[:0]
	for i := range in.ends {
		in.arena = f(in.arena, i)
		in.ends[i] = len(in.arena)
	}
}

// handCase is an expression beside the loop that a program would have for it.
type handCase struct {
	name string
	e    expr.Expr
	loop func()
}

// TestByHand compares, when asked to: `go test ./exec/expr -run ByHand -v -args -hand`.
func TestByHand(t *testing.T) {
	in := newHandInput()
	rounds, times := 15, 100
	if !*byHand {
		rounds, times = 1, 1
	}
	cases := append(handNumbers(t, in), append(handTexts(t, in), handCasts(t, in)...)...)
	for _, c := range cases {
		ev, err := expr.New([]expr.Expr{c.e}, &function.Env{Zone: time.UTC})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		ours, theirs := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
		for range rounds {
			from := time.Now()
			for range times {
				if _, err := ev.Eval(in.cols, handRows); err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
			}
			mid := time.Now()
			for range times {
				c.loop()
			}
			ours, theirs = min(ours, mid.Sub(from)), min(theirs, time.Since(mid))
		}
		if *byHand {
			row := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(times*handRows) }
			t.Logf("%-28s %7.2f ns/row, by hand %7.2f, ratio %.2f", c.name, row(ours), row(theirs), float64(ours)/float64(theirs))
		}
	}
}

func handNumbers(t *testing.T, in *handInput) []handCase {
	a, b, d := column(handA), column(handB), column(handD)
	cond := of(t, "<", a, number(50_000))
	return []handCase{
		{"a + b", of(t, "+", a, b), func() {
			for i, v := range in.a {
				in.ints[i] = v + in.b[i]
			}
		}},
		{"a * 3", of(t, "*", a, number(3)), func() {
			for i, v := range in.a {
				in.ints[i] = v * 3
			}
		}},
		{"a / b", of(t, "/", a, b), func() {
			for i, v := range in.a {
				if in.b[i] == 0 {
					panic("division by zero")
				}
				in.ints[i] = v / in.b[i]
			}
		}},
		{"MOD(a, 10)", of(t, "MOD", a, number(10)), func() {
			for i, v := range in.a {
				in.ints[i] = v % 10
			}
		}},
		{"ABS(a)", of(t, "ABS", a), func() {
			for i, v := range in.a {
				in.ints[i] = max(v, -v)
			}
		}},
		{"d * d", of(t, "*", d, d), func() {
			for i, v := range in.d {
				in.reals[i] = v * v
			}
		}},
		{"ROUND(d)", of(t, "ROUND", d), func() {
			for i, v := range in.d {
				in.reals[i] = math.Round(v)
			}
		}},
		{"ROUND(d, 2)", of(t, "ROUND", d, digits(2)), func() {
			for i, v := range in.d {
				in.reals[i] = math.Round(v*100) / 100
			}
		}},
		{"a < 50000", cond, func() {
			for i, v := range in.a {
				in.bools[i] = v < 50_000
			}
		}},
		{"a < 50000 AND b > 7", expr.And(cond, of(t, ">", b, number(7))), func() {
			for i, v := range in.a {
				in.bools[i] = v < 50_000 && in.b[i] > 7
			}
		}},
		{"CASE WHEN a < 50000 …", &expr.Case{Whens: []expr.When{{Cond: cond, Then: b}}, Else: a, T: a.Type()}, func() {
			for i, v := range in.a {
				if in.ints[i] = v; v < 50_000 {
					in.ints[i] = in.b[i]
				}
			}
		}},
		{"GREATEST(a, b)", of(t, "GREATEST", a, b), func() {
			for i, v := range in.a {
				in.ints[i] = max(v, in.b[i])
			}
		}},
		{"HOUR(ts)", of(t, "HOUR", column(handTime)), func() {
			for i, v := range vector.Values[int64](in.cols[handTime]) {
				in.ints[i] = v / 3_600_000 % 24
			}
		}},
	}
}

func handTexts(t *testing.T, in *handInput) []handCase {
	url, short := column(handURL), column(handWord)
	search := func(f func(s []byte) bool) func() {
		return func() {
			for i, s := range in.texts {
				in.bools[i] = f(s)
			}
		}
	}
	return []handCase{
		{"word = 'Word7'", of(t, "=", short, word("Word7")), func() {
			for i, s := range in.short {
				in.bools[i] = string(s) == "Word7"
			}
		}},
		{"CHAR_LENGTH(url)", of(t, "CHAR_LENGTH", url), func() {
			for i, s := range in.texts {
				n := 0
				for range string(s) {
					n++
				}
				in.ints[i] = int64(n)
			}
		}},
		{"url LIKE 'https%'", of(t, "LIKE", url, word("https%")), search(func(s []byte) bool { return bytes.HasPrefix(s, []byte("https")) })},
		{"url LIKE '%channel%'", of(t, "LIKE", url, word("%channel%")), search(func(s []byte) bool {
			return bytes.Contains(s, []byte("channel"))
		})},
		{"POSITION('channel' IN url)", of(t, "POSITION", word("channel"), url), func() {
			for i, s := range in.texts {
				in.ints[i] = int64(bytes.Index(s, []byte("channel")) + 1)
			}
		}},
		{"UPPER(url)", of(t, "UPPER", url), func() {
			in.write(func(dst []byte, i int) []byte { return append(dst, bytes.ToUpper(in.texts[i])...) })
		}},
		{"SUBSTRING(url, 9, 20)", of(t, "SUBSTRING", url, number(9), number(20)), func() {
			in.write(func(dst []byte, i int) []byte { return append(dst, in.texts[i][8:28]...) })
		}},
		{"CONCAT(url, '-', word)", of(t, "CONCAT", url, word("-"), short), func() {
			in.write(func(dst []byte, i int) []byte {
				return append(append(append(dst, in.texts[i]...), '-'), in.short[i]...)
			})
		}},
		{"REPLACE(url, 'a', 'bc')", of(t, "REPLACE", url, word("a"), word("bc")), func() {
			in.write(func(dst []byte, i int) []byte {
				return append(dst, bytes.ReplaceAll(in.texts[i], []byte("a"), []byte("bc"))...)
			})
		}},
		{"SPLIT_INDEX(url, '/', 3)", of(t, "SPLIT_INDEX", url, word("/"), number(3)), func() {
			in.write(func(dst []byte, i int) []byte { return append(dst, bytes.Split(in.texts[i], []byte("/"))[3]...) })
		}},
	}
}

func handCasts(t *testing.T, in *handInput) []handCase {
	a, d, digits, ts := column(handA), column(handD), column(handNumber), column(handTime)
	numbers := make([]string, handRows)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i * 1_000_003)
	}
	return []handCase{
		{"CAST(a AS STRING)", castOf(t, a, types.String()), func() {
			in.write(func(dst []byte, i int) []byte { return strconv.AppendInt(dst, in.a[i], 10) })
		}},
		{"CAST(d AS STRING)", castOf(t, d, types.String()), func() {
			in.write(func(dst []byte, i int) []byte { return strconv.AppendFloat(dst, in.d[i], 'f', -1, 64) })
		}},
		{"CAST(text AS BIGINT)", castOf(t, digits, types.Of(types.BigInt)), func() {
			for i, s := range numbers {
				in.ints[i], _ = strconv.ParseInt(s, 10, 64)
			}
		}},
		{"CAST(text AS DOUBLE)", castOf(t, digits, types.Of(types.Double)), func() {
			for i, s := range numbers {
				in.reals[i], _ = strconv.ParseFloat(s, 64)
			}
		}},
		{"DATE_FORMAT(ts, 'yyyy-MM-dd')", of(t, "DATE_FORMAT", ts, word("yyyy-MM-dd")), func() {
			times := vector.Values[int64](in.cols[handTime])
			in.write(func(dst []byte, i int) []byte { return time.UnixMilli(times[i]).UTC().AppendFormat(dst, "2006-01-02") })
		}},
	}
}
