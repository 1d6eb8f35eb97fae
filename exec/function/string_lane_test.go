package function

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"strings"
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestTextLanes calls every function of texts and integers with columns whose NULL lanes hold rubbish and with
// inactive lanes: no kernel may look at a text there, and in steady state no batch may allocate.
func TestTextLanes(t *testing.T) {
	const rows = 200
	texts := benchTexts(func(i int) string { return strings.Repeat("a1,é", i%9) })
	column := func(kind types.Kind) *vector.Column {
		c := &vector.Column{}
		if kind == types.BigInt {
			c.Reset(types.Of(kind), rows)
			for i, v := 0, vector.Alloc[int64](c); i < rows; i++ {
				v[i] = int64(i%5) - 1
			}
		} else {
			vector.Slice(c, texts, 0, rows)
			v := append([]vector.View(nil), vector.Values[vector.View](c)...)
			for i := 1; i < rows; i += 3 {
				v[i] = vector.View{Len: 1 << 30, Buf: 1 << 30, Off: 1 << 30}
			}
			vector.SetViews(c, texts.Type, v, texts.Bufs...)
		}
		for i := 1; i < rows; i += 3 {
			c.SetNull(i)
		}
		return c
	}
	active := make([]uint64, kernel.Words(rows))
	for i := 0; i < rows; i += 2 {
		kernel.SetBit(active, i)
	}
	// These fail on the texts at hand, and making the error allocates.
	failing := map[string]bool{"ENCODE": true, "FROM_BASE64": true, "LIKE": true, "SIMILAR TO": true, "SHA2": true}
	covered := 0
	for _, s := range All() {
		if s.Doc.Group != "string" && s.Doc.Group != "json" && s.Doc.Group != "hash" {
			continue
		}
		for _, form := range []string{"t", "tt", "ttt", "ti", "tti", "tit", "tii", "ttii", "ttiii", "it", "i"} {
			var cols []*vector.Column
			var given []Arg
			for _, letter := range form {
				kind := types.Varchar
				if letter == 'i' {
					kind = types.BigInt
				}
				c := column(kind)
				cols, given = append(cols, c), append(given, Arg{Type: c.Type})
			}
			sig, err := s.Type(given)
			if err != nil {
				continue
			}
			run, err := s.Bind(Binding{Args: given, Result: sig.Result, Env: testEnv})
			if err != nil {
				t.Fatal(s.Name, err)
			}
			covered++
			out, call := &vector.Column{}, &Call{}
			once := func() {
				out.Reset(sig.Result, rows)
				call.Reset(out, cols, active)
				if s.Nulls == Strict {
					strictNulls(out, cols)
				}
				run(call)
			}
			once()
			once()
			if n := testing.AllocsPerRun(3, once); n > mostAllocations && !failing[s.Name] {
				t.Errorf("%s(%s): %v allocations a batch", s.Name, form, n)
			}
		}
	}
	if covered < 40 {
		t.Errorf("only %d calls", covered)
	}
}

// TestJSONDocument compares what is valid with the standard library on damaged texts.
func TestJSONDocument(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	d := &jsonDocument{}
	seed := []byte(`{"a": [1, -2.5e+3, "x\n\u00e9\ud83d\ude00"], "b": {"c": null, "d": true}, "a": [false, {}, []]}`)
	for range 30000 {
		s := bytes.Clone(seed)
		for range rnd.Intn(3) {
			i := rnd.Intn(len(s))
			switch rnd.Intn(3) {
			case 0:
				s = append(s[:i], s[i+1:]...)
			case 1:
				s[i] = `{}[]",:0e.-\u tn`[rnd.Intn(16)]
			default:
				s = s[:i]
			}
			if len(s) == 0 {
				break
			}
		}
		ok := d.parse(s)
		if d.space(); ok && d.at < len(s) {
			continue
		}
		if ok != json.Valid(s) {
			t.Fatalf("%s: valid %t, want %t", s, ok, !ok)
		}
		if !ok {
			continue
		}
		if out := d.appendNode(nil, 0); !json.Valid(out) {
			t.Fatalf("%s was written as %s", s, out)
		}
	}
}

// TestUnsupportedRegexp: what neither engine can run is refused, or fails where it is met.
func TestUnsupportedRegexp(t *testing.T) {
	check(t, "REGEXP", "refused: not supported", "STRING:a", `=STRING:\\Xa`)
	check(t, "REGEXP", "fails: not supported", "STRING:a", `STRING:\\Xa`)
	check(t, "JSON_EXISTS", "refused: not supported", "STRING:{}", `=STRING:$.a[?(@.x > 1)]`)
}
