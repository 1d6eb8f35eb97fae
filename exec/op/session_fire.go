package op

import "streamsql/exec/types"

// Advance implements Operator. Sessions over processing time go by the clock; what the end of input finds open of them is
// given where the job drains, and otherwise dropped and counted.
func (s *sessions) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if s.proctime {
		if t != types.MaxTime {
			return t, nil
		}
		if !s.drain {
			s.unended += int64(s.counted.Len())
			out = nil
		}
	}
	return t, s.fire(t, out)
}

// NextTick implements Clocked.
func (s *sessions) NextTick() types.EventTime {
	t, ok := s.timers.Next()
	if !s.proctime || !ok {
		return types.MaxTime
	}
	return types.EventTime(t)
}

// Tick implements Clocked.
func (s *sessions) Tick(now types.EventTime, out Output) error {
	if !s.proctime {
		return nil
	}
	return s.fire(now, out)
}

// fire gives the sessions that time t closes, and forgets them; without an output they are dropped.
func (s *sessions) fire(t types.EventTime, out Output) error {
	if t <= s.time {
		return nil
	}
	s.time = t
	s.store.SetTime("time", int64(t))
	list := s.close(t)
	if len(list) == 0 {
		return nil
	}
	if err := s.end(list, out); err != nil {
		return err
	}
	keys := s.owner(list)
	s.forget(list)
	s.table.Compact()
	s.idle(keys)
	return nil
}
