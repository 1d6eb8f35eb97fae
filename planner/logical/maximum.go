package logical

import (
	"fmt"
	"time"

	"streamsql/exec/op"
)

// MaximumFilter drops rows that stay and are certainly not the greatest of a tumbling window: there is one before them
// with a greater Value, and so it is in every window that ends between their Time less Before and their Time plus After.
type MaximumFilter struct {
	Input         Plan
	Value, Time   int
	Window        op.Window
	Before, After time.Duration
	// Least asks for the least row instead.
	Least bool
}

// Schema implements Plan.
func (m *MaximumFilter) Schema() Schema { return m.Input.Schema() }

// Inputs implements Plan.
func (m *MaximumFilter) Inputs() []Plan { return []Plan{m.Input} }

// With implements Plan.
func (m *MaximumFilter) With(in []Plan) Plan {
	c := *m
	c.Input = in[0]
	return &c
}

// Changes implements Changer.
func (m *MaximumFilter) Changes(in []Changes, reader Need) (Changes, []Need) {
	return in[0], []Need{reader}
}

// Spec is the operator.
func (m *MaximumFilter) Spec() *op.MaximumFilter {
	return &op.MaximumFilter{Value: m.Value, Time: m.Time, Names: m.Schema().Names(), Window: m.Window, Before: m.Before, After: m.After,
		Least: m.Least}
}

// String implements Plan.
func (m *MaximumFilter) String() string { return fmt.Sprint(m.Spec()) }
