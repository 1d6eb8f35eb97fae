package op

import "streamsql/exec/vector"

// Chooser is an operator that knows of rows by few of their columns that they change nothing. Who makes its input can
// ask before it makes the other columns.
type Chooser interface {
	// ChoosesBy are the columns of the input by which it knows; none when it wants all rows.
	ChoosesBy() []int
	// Choose lists those of n inserts that may change something, ascending: they are to be passed next, in their order.
	// Of cols, those of the input, the ones of ChoosesBy alone have values. The list is lent until the next call.
	Choose(cols []*vector.Column, n int) ([]int32, error)
}

// choosing is an emitter's view of an output that may be a Chooser.
type choosing struct {
	to   Chooser // nil for none
	by   []int
	rest int // pieces that are not asked about, since most rows of the one before were wanted
}

// askLater is the number of pieces that pass unasked after one of which most rows were wanted.
const askLater = 7

// turn makes out the output.
func (c *choosing) turn(out Output) {
	c.to, c.by = nil, nil
	if to, ok := out.(Chooser); ok {
		if c.by = to.ChoosesBy(); len(c.by) > 0 {
			c.to = to
		}
	}
}

// asks tells that the next piece is to be asked about.
func (c *choosing) asks() bool {
	if c.to == nil {
		return false
	}
	if c.rest > 0 {
		c.rest--
		return false
	}
	return true
}

// choose asks about n rows.
func (c *choosing) choose(cols []*vector.Column, n int) ([]int32, error) {
	sel, err := c.to.Choose(cols, n)
	if 2*len(sel) > n {
		c.rest = askLater
	}
	return sel, err
}
