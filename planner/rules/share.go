package rules

import (
	"reflect"
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// shareSubplans makes equal subplans of a job one node each, so that they run once. Nodes that compute something
// anew each time, as RAND() does, stay apart.
func shareSubplans(c *Context, plans []logical.Plan) []logical.Plan {
	s := newSharing()
	s.scans(c, plans)
	out := make([]logical.Plan, len(plans))
	for i, p := range plans {
		out[i], _ = s.node(p)
	}
	return out
}

// sharing knows the nodes that were met.
type sharing struct {
	nodes  map[string]logical.Plan // by what they are
	number map[logical.Plan]int
	done   map[logical.Plan]logical.Plan // by the node they came from
}

func newSharing() *sharing {
	return &sharing{nodes: map[string]logical.Plan{}, number: map[logical.Plan]int{}, done: map[logical.Plan]logical.Plan{}}
}

// reading is a scan and the filters that its source does not apply.
type reading struct {
	*logical.Scan
	rest []expr.Expr
}

// scans makes scans one that read a table by the same filters of its source: it reads what any of them does. The other
// filters stand above it.
func (s *sharing) scans(c *Context, plans []logical.Plan) {
	var keys []string
	same := map[string][]reading{}
	for _, p := range logical.Nodes(plans...) {
		if x, ok := p.(*logical.Scan); ok {
			r := c.reading(x)
			whole := *x
			whole.Need, whole.Filters = nil, r.taken()
			key, _ := s.fingerprint(&whole)
			if same[key] == nil {
				keys = append(keys, key)
			}
			same[key] = append(same[key], r)
		}
	}
	for _, k := range keys {
		if len(same[k]) > 1 {
			s.one(same[k])
		}
	}
}

// reading asks a scan's source which filters it applies. One that cannot be opened is not asked: physical planning says
// what is wrong.
func (c *Context) reading(x *logical.Scan) reading {
	r := reading{x, x.Filters}
	if c.Open == nil || len(x.Filters) == 0 {
		return r
	}
	source, err := c.Open(x)
	if err != nil {
		return r
	}
	a := source.Push(connector.Request{Need: x.Need, Filters: x.Filters, Limit: -1, Rowtime: x.Rowtime, Delay: x.Delay})
	r.rest = nil
	for i, f := range x.Filters {
		if i >= len(a.Filters) || !a.Filters[i] {
			r.rest = append(r.rest, f)
		}
	}
	return r
}

// taken are the filters that are not left over, nil for none.
func (r reading) taken() (out []expr.Expr) {
	for _, f := range r.Filters {
		if !slices.Contains(r.rest, f) {
			out = append(out, f)
		}
	}
	return out
}

// one replaces scans by one of them all.
func (s *sharing) one(list []reading) {
	out := *list[0].Scan
	out.Filters = list[0].taken()
	for _, x := range list[1:] {
		if x.Need == nil || out.Need == nil {
			out.Need = nil
			break
		}
		out.Need = distinct(slices.Concat(out.Need, x.Need))
	}
	s.number[&out] = len(s.number)
	s.done[&out] = &out
	for _, x := range list {
		s.done[x.Scan], _ = s.node(filtered(&out, x.rest))
	}
}

// node is the node that stands for p. again says that it, or one below it, was made for this place alone.
func (s *sharing) node(p logical.Plan) (q logical.Plan, again bool) {
	if q, ok := s.done[p]; ok {
		return q, false
	}
	q = p
	if in := p.Inputs(); len(in) > 0 {
		inputs, changed := make([]logical.Plan, len(in)), false
		for i := range in {
			var fresh bool
			inputs[i], fresh = s.node(in[i])
			changed, again = changed || inputs[i] != in[i], again || fresh
		}
		if changed {
			q = p.With(inputs)
		}
	}
	key, volatile := s.fingerprint(q)
	known, ok := s.nodes[key]
	_, sink := q.(*logical.Sink)
	switch again = again || volatile; {
	case sink:
		return q, again
	case volatile:
		q = copied(q)
	case ok:
		q = known
	}
	s.nodes[key] = q
	if _, ok := s.number[q]; !ok {
		s.number[q] = len(s.number)
	}
	if !again {
		s.done[p] = q
	}
	return q, again
}

// copied is a node of its own that is equal to p.
func copied(p logical.Plan) logical.Plan {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer {
		return p
	}
	c := reflect.New(v.Elem().Type())
	c.Elem().Set(v.Elem())
	return c.Interface().(logical.Plan)
}
