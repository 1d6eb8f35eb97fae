package op

import (
	"slices"

	"streamsql/exec/vector"
)

// Places that count rows from the first on, ROW_NUMBER, RANK and DENSE_RANK, do not change before a row that came or went: they
// are counted on from what was given of the row in front of it.

// counted tells that all calls are such.
func (s *OverAggregate) counted() bool {
	return !slices.ContainsFunc(s.Calls, func(c OverCall) bool {
		return c.Fn != nil || c.Name != "ROW_NUMBER" && c.Name != "RANK" && c.Name != "DENSE_RANK"
	})
}

// countOn appends the rows of a partition from low on, which came or went, behind those that are equal to the last one before
// it, which s begins with. It says in s how many rows and keys are in front of these.
func (o *overRevise) countOn(s *stretch, low int32) {
	o.seek.toRow(s.group, low)
	last := o.seek.before()
	for c := last; c >= 0 && o.equal(c, last); c = o.seek.before() {
		o.copies = append(o.copies, c)
	}
	equals := int64(len(o.copies)) - int64(s.from)
	slices.Reverse(o.copies[s.from:])
	s.first = int32(len(o.copies))
	for c := o.seek.after(); c >= 0; c = o.seek.after() {
		o.copies = append(o.copies, c)
	}
	if last < 0 {
		return
	}
	o.one[0] = last
	o.results.values(o.given, o.one[:])
	for i := range o.spec.Calls {
		n := vector.Value[int64](&o.given[i], 0)
		switch o.spec.Calls[i].Name {
		case "ROW_NUMBER":
			s.number = n - equals
		case "RANK":
			s.number = n - 1
		case "DENSE_RANK":
			s.keys = n - 1
		}
	}
}
