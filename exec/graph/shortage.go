package graph

import "streamsql/exec/network"

// Buffers counts those that a job's edges take: what must be there for it to start, and the most that it can use.
func (g *Graph) Buffers() (least, most int) {
	o := g.Exchange.Buffers()
	add := func(n int, s network.Sizing) {
		least += n * s.Min
		most += n * s.Max
	}
	for _, s := range g.Stages {
		receivers := max(s.Parallelism, 1)
		for at := range s.In {
			e := &s.In[at]
			senders, inputs := max(g.Stages[e.From].Parallelism, 1), make([]int, receivers)
			for i := range senders {
				first, n := e.Outgoing(i, senders, receivers)
				add(1, o.SizeOutput(n))
				most += o.Overdraft
				for k := range inputs[first : first+n] {
					inputs[first+k]++
				}
			}
			if g.Exchange.Transport == Local {
				continue // the input holds the buffers of the output
			}
			for _, n := range inputs {
				add(1, o.SizeGate(n))
			}
		}
	}
	return least, most
}

// Shortage is why a job does not start for want of buffers, or nil.
func (g *Graph) Shortage() error {
	o := g.Exchange.Buffers()
	least, _ := g.Buffers()
	have := o.Segments()
	if least <= have {
		return nil
	}
	return &network.ShortageError{What: "the job", Need: least, Have: have, Total: have, All: least, SegmentSize: int(o.SegmentSize)}
}
