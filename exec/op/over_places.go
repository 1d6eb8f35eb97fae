package op

import (
	"slices"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// placedCall is a call that goes by the places of rows in their partition. args are the columns of its arguments.
type placedCall struct {
	call int
	name string
	args []int
	t    types.Type
	made *vector.Builder // of LAG and LEAD
}

func newPlacedCall(i int, c *OverCall, args int) placedCall {
	p := placedCall{call: i, name: c.Name, t: c.T}
	for k := range c.Args {
		p.args = append(p.args, args+k)
	}
	if c.Name == "LAG" || c.Name == "LEAD" {
		p.made = vector.NewBuilder(c.T.WithNull(true))
	}
	return p
}

// place computes a call for all rows.
func (f *frames) place(p *placedCall) {
	out, n := &f.results[p.call], len(f.order)
	switch p.name {
	case "LAG", "LEAD":
		p.made.Reset()
		for i := range f.stretches {
			f.neighbours(p, &f.stretches[i])
		}
		p.made.Finish(out)
		out.Type = p.t
		return
	case "PERCENT_RANK", "CUME_DIST":
		f.reals = sized(f.reals, n)
		for i := range f.stretches {
			f.shares(p.name == "CUME_DIST", &f.stretches[i])
		}
		out.Reset(p.t, n)
		copy(vector.Alloc[float64](out), f.reals)
		return
	}
	f.wholes = sized(f.wholes, n)
	for i := range f.stretches {
		f.number(p, &f.stretches[i])
	}
	out.Reset(p.t, n)
	copy(vector.Alloc[int64](out), f.wholes)
}

// number computes ROW_NUMBER, RANK, DENSE_RANK or NTILE.
// Rows that come by the clock have no equals.
func (f *frames) number(p *placedCall, s *stretch) {
	rank, dense, n := int64(0), s.keys, int64(s.to-s.from)
	for i := s.from; i < s.to; i++ {
		at := int64(i-s.from) + 1
		if i == s.from || !f.same[i] {
			rank, dense = at, dense+1
		}
		switch p.name {
		case "ROW_NUMBER":
			f.wholes[i] = s.number + at
		case "RANK":
			f.wholes[i] = s.number + rank
		case "DENSE_RANK":
			f.wholes[i] = dense
		default:
			f.wholes[i] = tile(at-1, n, max(vector.Values[int64](&f.cols[p.args[0]])[f.order[i]], 1))
		}
	}
}

// tile is the bucket of row at, counted from 0, of n rows in so many buckets: the first ones have a row more.
func tile(at, n, buckets int64) int64 {
	size, more := n/buckets, n%buckets
	if at < more*(size+1) {
		return at/(size+1) + 1
	}
	return more + (at-more*(size+1))/max(size, 1) + 1
}

// shares computes CUME_DIST, the share of rows up to a row's equals, or PERCENT_RANK, that of others before it.
func (f *frames) shares(upTo bool, s *stretch) {
	n := float64(s.to - s.from)
	for i := s.from; i < s.to; {
		end := i + 1
		for end < s.to && f.same[end] {
			end++
		}
		v := 0.0
		switch {
		case upTo:
			v = float64(end-s.from) / n
		case n > 1:
			v = float64(i-s.from) / (n - 1)
		}
		for ; i < end; i++ {
			f.reals[i] = v
		}
	}
}

// neighbours computes LAG or LEAD: the value so many rows before or behind, 1 unless it is told, or a default.
func (f *frames) neighbours(p *placedCall, s *stretch) {
	value := &f.cols[p.args[0]]
	for i := s.from; i < s.to; i++ {
		off := int64(1)
		if len(p.args) > 1 {
			by := &f.cols[p.args[1]]
			if by.Null(int(f.order[i])) {
				p.made.AppendNull()
				continue
			}
			off = vector.Values[int64](by)[f.order[i]]
		}
		if p.name == "LAG" {
			off = -off
		}
		switch at := int64(i) + off; {
		case at >= int64(s.from) && at < int64(s.to):
			p.made.AppendValue(value, int(f.order[at]))
		case len(p.args) > 2:
			p.made.AppendValue(&f.cols[p.args[2]], int(f.order[i]))
		default:
			p.made.AppendNull()
		}
	}
}

// different counts the different keys of rows of the order, which are of one partition.
func (f *frames) different(from, to int32) int64 {
	n := int64(0)
	for _, same := range f.same[from:to] {
		if !same {
			n++
		}
	}
	return n
}

// ranksDense tells that DENSE_RANK is among the calls.
func (s *OverAggregate) ranksDense() bool {
	return slices.ContainsFunc(s.Calls, func(c OverCall) bool { return c.Name == "DENSE_RANK" })
}
