package function

import (
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// perRow are the functions that allocate per row, and why that is so.
var perRow = map[string]string{
	"FROM_BASE64": "the library makes an error of each bad text; with good texts nothing is allocated",
	"PRINTF":      "%f and %e round with math/big, as Java rounds with BigDecimal",
}

// TestNothingPerRow runs every function over batches of random samples of whatever types it takes: once its
// memory has grown, a batch costs no more allocations than one in 16 rows.
func TestNothingPerRow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	var offered []types.Type
	for _, s := range sweepTypes {
		offered = append(offered, parseType(s))
	}
	for _, s := range All() {
		accepted := 0
		for round := 0; round < 20000 && accepted < 4; round++ {
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
			if n := steadyAllocations(r, s, sig, args); n > steadyMost && perRow[s.Name] == "" {
				t.Errorf("%s%v: %.0f allocations for %d rows", s.Name, sig.Args, n, steadyRows)
			}
		}
	}
}

// steadyCalls are calls whose arguments random samples seldom hit.
var steadyCalls = []string{
	"TO_TIMESTAMP STRING:2024-02-29_12:34:56.789", "TO_TIMESTAMP STRING:no_time", "TO_TIMESTAMP STRING:2024-02-30",
	"TO_TIMESTAMP STRING:2024-2-29_3:4:5 =STRING:yyyy-MM-dd_HH:mm:ss", "TO_TIMESTAMP STRING:2024-02-29 STRING:yyyy-MM-dd",
	"TO_TIMESTAMP STRING:29.02.2024_12:34 =STRING:dd.MM.yyyy_HH:mm",
	"TO_DATE STRING:2024-02-29", "TO_DATE STRING:29.02.2024 =STRING:dd.MM.yyyy", "TO_DATE STRING:29.02.2024 STRING:dd.MM.yyyy",
	"TO_TIMESTAMP_LTZ STRING:2024-02-29_12:34:56 =STRING:yyyy-MM-dd_HH:mm:ss STRING:Europe/Berlin",
	"TO_TIMESTAMP_LTZ STRING:no_time", "TO_TIMESTAMP_LTZ BIGINT:1709210096789 =INT:3",
	"UNIX_TIMESTAMP STRING:2024-02-29_12:34:56", "FROM_UNIXTIME BIGINT:1709210096",
	"CONVERT_TZ STRING:2024-02-29_12:34:56 STRING:Europe/Berlin STRING:America/New_York",
	"DATE_FORMAT TIMESTAMP(3):2024-02-29_12:34:56.789 =STRING:yyyy-MM-dd_HH", "DATE_FORMAT STRING:2024-02-29_12:34:56 =STRING:HH",
	"PARSE_URL STRING:http://user@example.com:80/path?q=1#top STRING:HOST",
	"PARSE_URL STRING:HTTPS://example.com/path?q=1&r=22 STRING:QUERY STRING:r",
	`JSON_VALUE STRING:{"a":{"b":"c"}} =STRING:$.a.b`, `JSON_QUERY STRING:{"a":{"b":"c"}} =STRING:$.a`,
	`JSON_EXISTS STRING:{"a":{"b":"c"}} STRING:$.a`, "JSON_ARRAY STRING:a INT:7 DOUBLE:1.5 DECIMAL(10,2):2.50",
	"JSON_ARRAY TIMESTAMP(3):2024-02-29_12:34:56.789", "JSON_STRING MAP<STRING,INT>:{\"a\"=1}",
	`JSON_QUOTE STRING:a"b`, `JSON_UNQUOTE STRING:"abc"`,
	"REGEXP_EXTRACT STRING:https://a.b/c?x=y&channel_id=7 =STRING:(&|^)channel_id=([^&]*) =INT:2",
	"REGEXP_REPLACE STRING:foobar STRING:o+ STRING:0", "REGEXP_EXTRACT_ALL STRING:a1b22 STRING:([0-9]+)",
	"SPLIT_INDEX STRING:https://a.b/c/d STRING:/ INT:3", "SPLIT STRING:a,b,c STRING:,", "STR_TO_MAP STRING:a=1,b=2",
	"PRINTF STRING:%,d_%5s_%x INT:7654321 STRING:x BIGINT:77",
	"UPPER STRING:straße_und_mehr", "TRANSLATE STRING:abc STRING:ab STRING:xy", "MD5 STRING:abc", "UUID",
	"ARRAY_SORT ARRAY<STRING>:[\"b\",\"a\"]", "ARRAY_DISTINCT ARRAY<INT>:[1,2,1]", "ARRAY_JOIN ARRAY<STRING>:[\"b\",\"a\"] STRING:,",
}

// TestNothingPerRowInCalls does the same for single calls, written as in check with _ for a blank.
func TestNothingPerRowInCalls(t *testing.T) {
	for _, line := range steadyCalls {
		f := strings.Fields(line)
		for i := range f[1:] {
			f[i+1] = strings.ReplaceAll(f[i+1], "_", " ")
		}
		s := Lookup(f[0])
		if s == nil {
			t.Errorf("%s is not declared", f[0])
			continue
		}
		c, err := bindCall(s, f[1:])
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		cols := make([]*vector.Column, len(c.binding.Args))
		for i, a := range c.binding.Args {
			cols[i] = constant(a.Type, c.texts[i], false)
			cols[i].Len = steadyRows
			if !c.literal[i] {
				k := cols[i]
				cols[i] = &vector.Column{}
				vector.Flatten(cols[i], k)
			}
		}
		if n := allocations(s, c.binding, cols); n > steadyMost {
			t.Errorf("%s: %.0f allocations for %d rows", line, n, steadyRows)
		}
	}
}

// TestNothingPerRowInCasts casts random samples of each type to each other.
func TestNothingPerRowInCasts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	for _, from := range sweepTypes {
		for _, to := range sweepTypes {
			f, g := parseType(from), parseType(to)
			s, err := Cast(f, g, true)
			if err != nil || f.Kind == types.Null || f.Kind == types.Symbol {
				continue
			}
			sig, err := s.Type([]Arg{{Type: f}})
			if err != nil {
				continue
			}
			if n := steadyAllocations(r, s, sig, []Arg{{Type: f}}); n > steadyMost {
				t.Errorf("CAST %s AS %s: %.0f allocations for %d rows", from, to, n, steadyRows)
			}
		}
	}
}

const (
	steadyRows = 256
	steadyMost = steadyRows / 16 // per batch: what an error of it takes too, whose memory the race detector does not let live on
)

func steadyAllocations(r *rand.Rand, s *Scalar, sig Signature, args []Arg) float64 {
	b, cols := sampled(r, sig, args, steadyRows)
	return allocations(s, b, cols)
}

// allocations counts those of a batch in used memory.
func allocations(s *Scalar, b Binding, cols []*vector.Column) float64 {
	kern, err := s.Bind(b)
	if err != nil {
		return 0
	}
	out := &vector.Column{}
	run := func() { runShape(s, kern, b.Result, cols, out, steadyRows) }
	run()
	run()
	return testing.AllocsPerRun(2, run)
}
