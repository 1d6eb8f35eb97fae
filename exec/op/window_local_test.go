package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// phasedWindow is the aggregation of a window in two phases, as one operator.
type phasedWindow struct{ *op.WindowAggregate }

func (p phasedWindow) local() *op.LocalWindowAggregate {
	return &op.LocalWindowAggregate{Window: p.Window, Time: p.Time, Zone: p.Zone, Keys: p.Keys, Aggs: p.Aggs}
}

func (p phasedWindow) New() op.Operator {
	local, final := p.local(), *p.WindowAggregate
	final.Phase, final.Time, final.Keys = op.Final, 0, nil
	list := local.Types()
	for i := range p.Keys {
		final.Keys = append(final.Keys, &expr.Column{Index: i + 1, Name: fmt.Sprint("key", i), T: list[i+1]})
	}
	return &windowPhases{local: local.New(), final: final.New()}
}

type windowPhases struct{ local, final op.Operator }

func (p *windowPhases) Open(c *op.Context) error { return (&phases{p.local, p.final}).Open(c) }

func (p *windowPhases) Process(_ int, b *vector.Batch, out op.Output) error {
	return p.local.Process(0, b, exchange{p.final, out})
}

func (p *windowPhases) Close() error { return nil }

func (p *windowPhases) Advance(t types.EventTime, out op.Output) (types.EventTime, error) {
	if _, err := p.local.Advance(t, exchange{p.final, out}); err != nil {
		return t, err
	}
	return p.final.Advance(t, out)
}

func (p *windowPhases) Counters() []op.Counter { return p.final.(op.Counted).Counters() }

// TestWindowPhases: what windows give in two phases, over few keys that are folded and many that are not, with rows
// that come late, is what they give in one.
func TestWindowPhases(t *testing.T) {
	list := []types.Type{types.TimestampOf(3).WithNull(false), types.String(), types.Of(types.BigInt), types.DecimalOf(10, 2)}
	c := columnsOf(list)
	few := aggregateOf(t, "SUM", c[2])
	few.Filter = lessThan(c[2], 30)
	distinct := aggregateOf(t, "MAX", c[2])
	distinct.Distinct = true
	aggs := []op.AggregateCall{aggregateOf(t, "COUNT"), few, aggregateOf(t, "AVG", c[3]), aggregateOf(t, "MIN", c[1]), distinct,
		aggregateOf(t, "COUNT", c[2])}
	for _, keys := range []int{3, 1 << 20} {
		r := rand.New(rand.NewPCG(1, uint64(keys)))
		var in strings.Builder
		for i := range atMost(1500, 500) {
			value := fmt.Sprint(r.IntN(50))
			if r.IntN(10) == 0 {
				value = `\N`
			}
			fmt.Fprintf(&in, "%d a_text_of_more_than_twelve_%d %s %d.25\n", i/3+r.IntN(16)-8, r.IntN(keys), value, r.IntN(9))
			if r.IntN(150) == 0 {
				fmt.Fprintf(&in, "^%d\n", i/3-6)
			}
		}
		rows := optest.Parse(t, list, in.String()+"^max")
		for _, w := range []op.Window{{Kind: op.Tumble, Size: 20}, {Kind: op.Hop, Size: 12, Step: 3},
			{Kind: op.Cumulate, Size: 40, Step: 8, Offset: 3}} {
			for _, by := range [][]expr.Expr{c[1:2], nil, {c[2], c[1]}} {
				single := &op.WindowAggregate{Window: w, Keys: by, Aggs: aggs, Columns: []op.WindowColumn{op.WindowStart, op.WindowEnd},
					Names: namesOf(len(by) + len(aggs) + 2)}
				want, err := optest.Replay(t, single, rows, 1024, optest.Flat)
				must(t, err)
				want = optest.Fold(t, want)
				for _, size := range []int{7, 100, 1024} {
					got, err := optest.Replay(t, phasedWindow{single}, rows, size, optest.Mixed)
					if got = optest.Fold(t, got); err != nil || got != want {
						t.Fatalf("%d keys, %s, batches of %d: %v, got\n%s\nwant\n%s", keys, single, size, err, got, want)
					}
				}
				if keys > 3 {
					continue
				}
				got, err := optest.Restarted(t, phasedWindow{single}, rows, 200)
				if got = optest.Fold(t, got); err != nil || got != want {
					t.Fatalf("%s restarted: %v, got\n%s\nwant\n%s", single, err, got, want)
				}
			}
		}
	}
}

// TestLocalWindowFolds: the rows of a batch with the same slice and key are sent as one, those of a batch where next to
// nothing is the same, and of some behind it, one by one, and late ones are counted one by one.
func TestLocalWindowFolds(t *testing.T) {
	spec := phasedWindow{windowSpec(t, op.Window{Kind: op.Hop, Size: 4000, Step: 2000})}
	spec.Aggs = spec.Aggs[:2]
	rows := func(o op.Operator, to op.Output, n int, at int64, keys int) {
		text := &vector.Column{}
		text.Reset(windowed[1], n)
		w := vector.NewText(text)
		for i := range n {
			w.PutString(i, fmt.Sprint(i%keys))
		}
		w.Finish()
		must(t, o.Process(0, &vector.Batch{Len: n, Cols: []*vector.Column{vector.ConstOf(windowed[0], at, n), text,
			vector.ConstOf(windowed[2], int64(1), n)}}, to))
	}
	local := spec.local().New()
	open(t, local)
	for i, x := range []struct{ n, keys, sent int }{{500, 2, 2}, {1000, 900, 900}, {500, 2, 500}, {10, 1, 10}} {
		sent := &lister{}
		rows(local, sent, x.n, 2500, x.keys)
		if sent.rows != x.sent {
			t.Errorf("batch %d: %d rows were sent, not %d", i, sent.rows, x.sent)
		}
	}
	sent := &lister{}
	for range 40 {
		rows(local, sent, 100, 2500, 2)
	}
	if sent.rows >= 40*100/2 {
		t.Errorf("%d of %d rows were sent, long after nothing was folded", sent.rows, 40*100)
	}

	o := spec.New()
	open(t, o)
	_, err := o.Advance(9999, sent)
	must(t, err)
	rows(o, sent, 7, 4500, 2) // of windows that ended at 6000 and 8000
	if n := o.(op.Counted).Counters()[0].Value; n != 7 {
		t.Errorf("%d late rows were counted", n)
	}
}

// TestWindowPhasesZone: slices are those of the wall clock.
func TestWindowPhasesZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	list := []types.Type{types.TimestampLTZOf(3).WithNull(false), windowed[1], windowed[2]}
	var in strings.Builder
	for _, from := range []time.Time{ // clocks are set forward, and back
		time.Date(2024, 3, 30, 20, 0, 0, 0, time.UTC), time.Date(2024, 10, 26, 20, 0, 0, 0, time.UTC)} {
		for i := range 80 {
			fmt.Fprintf(&in, "%d k %d\n", from.Add(time.Duration(i)*7*time.Minute).UnixMilli(), i)
			if i%17 == 6 {
				fmt.Fprintf(&in, "^%d\n", from.Add(time.Duration(i)*7*time.Minute).UnixMilli())
			}
		}
	}
	rows := optest.Parse(t, list, in.String()+"^max")
	for _, step := range []int64{600_000, 1_800_000, 3_600_000} {
		spec := windowSpec(t, op.Window{Kind: op.Hop, Size: 7_200_000, Step: step})
		spec.Zone, spec.Aggs, spec.Names = berlin, spec.Aggs[:2], namesOf(5)
		want, err := optest.Replay(t, spec, rows, 1, optest.Flat)
		must(t, err)
		got, err := optest.Replay(t, phasedWindow{spec}, rows, 3, optest.Mixed)
		if err != nil || optest.Fold(t, got) != optest.Fold(t, want) {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", spec, err, got, want)
		}
	}
}
