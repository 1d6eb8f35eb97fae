package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/vector"
)

// asking gives an operator the rows alone that it wants.
type asking struct{ op.Spec }

func (s asking) New() op.Operator { return &asker{Operator: s.Spec.New()} }

type asker struct {
	op.Operator
	own []vector.Column
}

func (o *asker) Process(input int, b *vector.Batch, out op.Output) error {
	c := o.Operator.(op.Chooser)
	few, all := make([]*vector.Column, len(b.Cols)), make([]*vector.Column, len(b.Cols))
	for i := range few {
		few[i] = &vector.Column{}
	}
	for _, i := range c.ChoosesBy() {
		few[i] = b.Cols[i]
	}
	sel, err := c.Choose(few, b.Len)
	if err != nil || len(sel) == 0 {
		return err
	}
	o.own = make([]vector.Column, len(all))
	for i := range all {
		vector.Take(&o.own[i], b.Cols[i], sel)
		all[i] = &o.own[i]
	}
	return o.Operator.Process(input, &vector.Batch{Len: len(sel), Cols: all}, out)
}

// TestRankChooses: the rows that a rank does not choose change nothing.
func TestRankChooses(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	prices := []string{`\N`, "-9223372036854775808", "9223372036854775807", "9223372036854775806", "1", "2", "3", "4"}
	var in strings.Builder
	n := atMost(900, 200)
	for i := range n {
		fmt.Fprintf(&in, "%c %s row_%03d_of_some_length\n", 'a'+rune(random.IntN(9)), prices[random.IntN(len(prices))], (i*7)%n)
	}
	rows := optest.Parse(t, ranked, in.String())
	for _, to := range []int64{1, 2, 40} {
		for _, newest := range []bool{false, true} {
			for _, two := range []bool{false, true} {
				spec := rankOf(ranked, to)
				if spec.Newest = newest; two {
					spec.Order = append(spec.Order, op.SortKey{Expr: columnsOf(ranked)[2]})
				}
				for _, size := range []int{1, 7, 300} {
					want, err := optest.Replay(t, spec, rows, size, optest.Flat)
					if err != nil {
						t.Fatal(err)
					}
					got, err := optest.Replay(t, asking{spec}, rows, size, optest.Flat)
					if err != nil || got != want {
						t.Fatalf("to %d, newest %v, two keys %v, batches of %d: %v\n%s\nwant\n%s", to, newest, two, size, err, got, want)
					}
					if got, err = optest.Restarted(t, asking{spec}, rows, size); err != nil || got != want {
						t.Fatalf("restarted, to %d, newest %v, two keys %v, batches of %d: %v", to, newest, two, size, err)
					}
				}
			}
		}
	}
}
