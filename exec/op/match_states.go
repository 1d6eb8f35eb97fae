package op

// matchStates is the automaton of a pattern. A match on its way is in one of its states, from which each further row
// takes it on by the edges that fit, one match for each; it ends where none does.
//
// State 0 is the end.
type matchStates struct {
	first int32
	list  []matchState
}

type matchState struct {
	edges []matchEdge
	// asks are the variables whose conditions the edges depend on.
	asks uint64
}

// matchEdge takes a row as a variable, unless it could be one of not.
type matchEdge struct {
	variable int
	not      uint64
	to       int32
	// ends says that the match may be complete with the row, too, unless it could be one of endNot.
	ends   bool
	endNot uint64
}

const matchEnd = 0

// stretchOf is a state before edges are made of it: it takes a row as a variable and goes to take, or goes to next
// without one, where that is not negative. notTake and notNext are variables that the row may not be.
type stretchOf struct {
	variable         int
	take, next       int32
	notTake, notNext uint64
}

// newMatchStates compiles a pattern.
func newMatchStates(elements []PatternElement) *matchStates {
	list := []stretchOf{{next: -1}}
	sink := int32(matchEnd)
	for i := len(elements) - 1; i >= 0; i-- {
		list, sink = elementStates(list, sink, i, elements[i])
	}
	s := &matchStates{first: sink, list: make([]matchState, len(list))}
	for i := range list {
		if i != matchEnd {
			s.list[i] = stateOf(list, int32(i))
		}
	}
	return s
}

// elementStates adds the states of a variable in front of sink, and returns the first of them.
func elementStates(list []stretchOf, sink int32, variable int, e PatternElement) ([]stretchOf, int32) {
	from, to := max(e.Min, 1), e.Max
	bit := uint64(1) << variable
	if e.Greedy && from != to && sink != matchEnd {
		list[sink].notTake |= bit
		list[sink].notNext |= bit
	}
	last := sink
	add := func(optional bool) {
		next := int32(-1)
		if optional {
			next = sink
		}
		list = append(list, stretchOf{variable: variable, take: last, next: next})
		last = int32(len(list) - 1)
	}
	if e.Max < 0 {
		add(true)
		list[last].take = last
		to = from
	}
	for range to - from {
		add(true)
	}
	for range from - 1 {
		add(false)
	}
	add(e.Min == 0)
	return list, last
}

// stateOf makes the edges of a state: its own, and those of the states that it may go to without a row.
func stateOf(list []stretchOf, at int32) (s matchState) {
	not := uint64(0)
	for ; at != matchEnd; at = list[at].next {
		x := &list[at]
		e := matchEdge{variable: x.variable, not: not | x.notTake, to: x.take}
		if e.to == matchEnd {
			e.ends = true
		} else {
			e.endNot, e.ends = endsAt(list, e.to)
		}
		s.edges = append(s.edges, e)
		s.asks |= 1<<e.variable | e.not | e.endNot
		not |= x.notNext
		if x.next < 0 {
			break
		}
	}
	return s
}

// endsAt tells that the end can be reached from a state without a row, and what the row before may not be for that.
func endsAt(list []stretchOf, at int32) (not uint64, ends bool) {
	for ; at != matchEnd; at = list[at].next {
		not |= list[at].notNext
		if list[at].next < 0 {
			return 0, false
		}
	}
	return not, true
}
