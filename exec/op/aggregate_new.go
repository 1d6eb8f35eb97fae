package op

// New implements Spec.
func (s *LocalAggregate) New() Operator { panic("op: LocalAggregate runs nothing yet") }

// New implements Spec.
func (s *WindowTable) New() Operator { panic("op: WindowTable runs nothing yet") }
