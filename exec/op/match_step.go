package op

import "fmt"

// matchSteps takes rows of partitions up, one after the other: each takes the matches on their way on, and begins one.
type matchSteps struct {
	*matchAsk
	give *matchGive

	base matchSpan
	// open are the matches of the partition at hand that are on their way behind a row, in order; ended those that
	// are complete with it.
	open  []int32
	ended []matchSpan
	n     int // of ended
	// heap are the matches that are complete: those that are kept, and the complements of places in ended.
	heap  []int32
	list  []int32
	dying []int32
	full  bool
}

// step takes the row of a partition's questions up.
func (o *matchSteps) step(g int32, lanes []matchLane, first int) error {
	o.open, o.n = o.open[:0], 0
	for i := range lanes {
		l := &lanes[i]
		fit, k := o.fit(l)
		if fit == 0 {
			if l.match >= 0 {
				o.dying = append(o.dying, l.match)
			}
			continue
		}
		if e := &o.states.list[l.state].edges[k]; fit == 1 && l.match >= 0 && o.sums == nil && o.goesOn(l, e) {
			o.held.extend(l.match, e.variable, l.row, e.to)
			o.open = append(o.open, l.match)
			continue
		}
		o.held.load(&o.base, l.match)
		stays := false
		for ; k < len(o.states.list[l.state].edges); k++ {
			e := &o.states.list[l.state].edges[k]
			if !l.fits(e) {
				continue
			}
			o.span.copy(&o.base)
			o.span.add(e.variable, l.row, o.rows.place.At(l.row))
			if e.ends && l.bits&e.endNot == 0 {
				o.end()
			}
			if e.to == matchEnd {
				continue
			}
			m := l.match
			if m < 0 || stays || o.sums != nil {
				m = o.child(l, e.variable, first+i)
			} else {
				o.held.table.OwnOne(m)
				stays = true
			}
			o.held.store(&o.span, m, e.to)
			o.open = append(o.open, m)
		}
		if l.match >= 0 && !stays {
			o.dying = append(o.dying, l.match)
		}
	}
	same := 0
	for same < len(o.open) && same < len(lanes) && o.open[same] == lanes[same].match {
		same++
	}
	return o.settle(g, same)
}

// fits tells that the answer lets an edge be taken.
func (l *matchLane) fits(e *matchEdge) bool { return l.bits>>e.variable&1 != 0 && l.bits&e.not == 0 }

// goesOn tells that a match cannot be complete with its next row.
func (o *matchSteps) goesOn(l *matchLane, e *matchEdge) bool {
	return e.to != matchEnd && (!e.ends || l.bits&e.endNot != 0)
}

// fit is how many edges the answer lets be taken, and the first of them.
func (o *matchSteps) fit(l *matchLane) (n, first int) {
	edges := o.states.list[l.state].edges
	for k := len(edges) - 1; k >= 0; k-- {
		if l.fits(&edges[k]) {
			n, first = n+1, k
		}
	}
	return n, first
}

// child is a match that follows that of a question, by its row as a variable.
func (o *matchSteps) child(l *matchLane, v, lane int) int32 {
	if o.sums == nil {
		return o.held.new(l.group)
	}
	if made := o.children[v]; made != nil && made[lane] != 0 {
		m := made[lane] - 1
		made[lane] = 0
		return m
	}
	m := o.held.new(l.group)
	o.sums.follow(v, matchStep{l.match, m, l.row})
	return m
}

// after ends a round: the matches that are over can be made anew.
func (o *matchSteps) after() error {
	if o.sums != nil {
		if err := o.sums.settle(); err != nil {
			return err
		}
		for _, made := range o.children {
			for _, m := range made {
				if m != 0 {
					o.dying = append(o.dying, m-1)
				}
			}
			clear(made)
		}
	}
	o.held.free = append(o.held.free, o.dying...)
	o.dying = o.dying[:0]
	return nil
}

// end takes a complete match in.
func (o *matchSteps) end() {
	if o.n == len(o.ended) {
		o.ended = append(o.ended, newMatchSpan(len(o.span.counts)))
	}
	o.ended[o.n].copy(&o.span)
	o.n++
}

// settle finds the complete matches of a partition that nothing holds back, and keeps the others and those on their way,
// of which the first ones are linked as they were.
func (o *matchSteps) settle(g int32, same int) error {
	for k := range o.n {
		o.held.keep(g, o.ended[k].start)
	}
	if least := o.held.least.At(g); least != 0 && (len(o.open) == 0 || least <= o.start(o.open[0])) {
		same = 0
		if err := o.release(g); err != nil {
			return err
		}
	} else {
		for k := range o.n {
			m := o.held.new(g)
			o.held.store(&o.ended[k], m, matchEnd)
			o.held.append(g, m)
		}
	}
	o.held.chain(o.held.open, g, o.open, same)
	least := o.rows.taken.At(g) + 1
	if len(o.open) > 0 {
		least = o.start(o.open[0])
	}
	if done := o.held.least.At(g); done != 0 {
		least = min(least, done)
	}
	o.rows.drop(g, least)
	return nil
}

// release finds the complete matches of a partition that nothing holds back.
func (o *matchSteps) release(g int32) error {
	o.list = o.held.list(o.held.done, g, o.list[:0])
	o.heap = o.heap[:0]
	for _, m := range o.list {
		o.push(m)
	}
	for k := range o.n {
		o.push(^int32(k))
	}
	for len(o.heap) > 0 && (len(o.open) == 0 || o.start(o.heap[0]) <= o.start(o.open[0])) {
		m := o.pop()
		if m < 0 {
			o.span.copy(&o.ended[^m])
		} else {
			o.held.load(&o.span, m)
			o.dying = append(o.dying, m)
		}
		o.full = o.give.found(g, &o.span) || o.full
		last, err := o.ruledOut()
		if err != nil {
			return err
		}
		o.prune(last)
	}
	for i, m := range o.heap {
		if m < 0 {
			o.heap[i] = o.held.new(g)
			o.held.store(&o.ended[^m], o.heap[i], matchEnd)
		}
	}
	o.held.chain(o.held.done, g, o.heap, 0)
	o.held.finish(g, o.heap)
	return nil
}

// ruledOut is the place of the last row that no match may begin with once the one at hand is found.
func (o *matchSteps) ruledOut() (int64, error) {
	s, p := &o.span, o.spec
	switch p.Skip {
	case SkipToNextRow:
		return s.start, nil
	case SkipPastLastRow:
		n, _, _ := s.whole()
		return s.start + n - 1, nil
	}
	to, name := s.start, p.Variables[p.SkipTo].Name
	if p.SkipTo >= len(s.counts) || s.counts[p.SkipTo] == 0 {
		return 0, fmt.Errorf("AFTER MATCH %s: the match has no row of %s", p.skipText(), name)
	}
	for i := range p.SkipTo {
		to += int64(s.counts[i])
	}
	if p.Skip == SkipToLast {
		to += int64(s.counts[p.SkipTo]) - 1
	}
	if to == s.start {
		return 0, fmt.Errorf("AFTER MATCH %s: the match begins there, and would be found for ever", p.skipText())
	}
	return to - 1, nil
}

// prune drops the matches that begin with a row that is ruled out.
func (o *matchSteps) prune(last int64) {
	kept := o.open[:0]
	for _, m := range o.open {
		if o.start(m) > last {
			kept = append(kept, m)
		} else {
			o.dying = append(o.dying, m)
		}
	}
	o.open = kept
	left := o.heap[:0]
	for _, m := range o.heap {
		if o.start(m) > last {
			left = append(left, m)
		} else if m >= 0 {
			o.dying = append(o.dying, m)
		}
	}
	o.heap = left
	for i := len(left)/2 - 1; i >= 0; i-- {
		o.down(i)
	}
}

// start is the place that a match begins at.
func (o *matchSteps) start(m int32) int64 {
	if m < 0 {
		return o.ended[^m].start
	}
	return o.held.start.At(m)
}

// push puts a match into the heap.
func (o *matchSteps) push(m int32) {
	o.heap = append(o.heap, m)
	for i := len(o.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if o.start(o.heap[up]) <= o.start(m) {
			break
		}
		o.heap[i], o.heap[up] = o.heap[up], o.heap[i]
		i = up
	}
}

// pop takes the first match out of the heap.
func (o *matchSteps) pop() int32 {
	m, end := o.heap[0], len(o.heap)-1
	o.heap[0] = o.heap[end]
	o.heap = o.heap[:end]
	o.down(0)
	return m
}

// down brings the match at i of the heap to its place.
func (o *matchSteps) down(i int) {
	for {
		k := 2*i + 1
		if k >= len(o.heap) {
			return
		}
		if r := k + 1; r < len(o.heap) && o.start(o.heap[r]) < o.start(o.heap[k]) {
			k = r
		}
		if o.start(o.heap[i]) <= o.start(o.heap[k]) {
			return
		}
		o.heap[i], o.heap[k] = o.heap[k], o.heap[i]
		i = k
	}
}

// expire gives up the matches of a partition that began too long before now.
func (o *matchSteps) expire(g int32, now int64) error {
	first := o.held.open.At(g)
	if o.spec.Within == 0 || first == 0 || now < o.over(first-1) {
		return nil
	}
	o.open, o.n = o.held.list(o.held.open, g, o.open[:0]), 0
	k := 0
	for k < len(o.open) && now >= o.over(o.open[k]) {
		o.dying = append(o.dying, o.open[k])
		k++
	}
	o.open = o.open[:copy(o.open, o.open[k:])]
	return o.settle(g, 0)
}

// over is when a match on its way has gone on for too long.
func (o *matchSteps) over(m int32) int64 {
	for _, first := range o.held.firsts {
		if v := first.At(m); v != 0 {
			return o.rows.time(v-1) + o.spec.Within
		}
	}
	panic("op: a match without rows")
}
