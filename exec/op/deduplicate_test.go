package op_test

import (
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

var timed = []types.Type{types.String(), types.Of(types.BigInt).WithNull(false), types.String()}

const visits = `
	a 5 one
	b 7 two
	a 3 three_of_more_than_twelve_bytes
	a 5 four
	b 9 five_of_more_than_twelve_bytes
	\N 4 six
	b 8 seven`

func TestDeduplicateLast(t *testing.T) {
	spec := &op.Deduplicate{Keys: columnsOf(timed)[:1], Time: 1, Last: true, Types: timed, Names: namesOf(3)}
	optest.Run(t, optest.Case{Spec: spec, Types: timed, In: visits, Folds: true, Out: `
		\N 4 six
		a 5 four
		b 9 five_of_more_than_twelve_bytes`})
	spec.Proctime = true
	optest.Run(t, optest.Case{Spec: spec, Types: timed, In: visits, Folds: true, Out: "\\N 4 six\na 5 four\nb 8 seven"})
	spec.NoUpdateBefore, spec.Proctime = true, false
	got, err := optest.Replay(t, spec, optest.Parse(t, timed, visits), 1, optest.Flat)
	must(t, err)
	if want := "a 5 one\nb 7 two\n+U a 5 four\n+U b 9 five_of_more_than_twelve_bytes\n\\N 4 six\n"; !strings.HasPrefix(got, want) {
		t.Errorf("without -U: got\n%swant\n%s", got, want)
	}
}

func TestDeduplicateFirst(t *testing.T) {
	spec := &op.Deduplicate{Keys: columnsOf(timed)[:1], Time: 1, Proctime: true, Types: timed, Names: namesOf(3)}
	optest.Run(t, optest.Case{Spec: spec, Types: timed, In: visits, Out: `
		a 5 one
		b 7 two
		\N 4 six`})
}

// TestDeduplicateFirstByTime: a row comes with the watermark, once; those behind it are dropped.
func TestDeduplicateFirstByTime(t *testing.T) {
	spec := &op.Deduplicate{Keys: columnsOf(timed)[:1], Time: 1, Types: timed, Names: namesOf(3)}
	optest.Run(t, optest.Case{Spec: spec, Types: timed, In: visits + `
		^5
		c 4 late
		a 1 late
		b 6 eight
		c 6 nine
		^6
		b 6 ten
		^9223372036854775807`, Out: `
		a 3 three_of_more_than_twelve_bytes
		\N 4 six
		^5
		b 6 eight
		c 6 nine
		^6
		^9223372036854775807`})
}

func TestTemporalSort(t *testing.T) {
	c := columnsOf(timed)
	spec := &op.TemporalSort{Order: []op.SortKey{{Expr: c[1]}, {Expr: c[0], Desc: true, NullsLast: true}}, Types: timed, Names: namesOf(3)}
	optest.Run(t, optest.Case{Spec: spec, Types: timed, In: visits + `
		^7
		a 6 late
		a 8 more
		^8
		^9223372036854775807`, Out: `
		a 3 three_of_more_than_twelve_bytes
		\N 4 six
		a 5 one
		a 5 four
		b 7 two
		^7
		b 8 seven
		a 8 more
		^8
		b 9 five_of_more_than_twelve_bytes
		^9223372036854775807`})
}
