package function

// temporalOperator types and binds an operator of arithmetic when an argument is a date, a time, a
// timestamp or an interval.
func temporalOperator(op string, args []Arg) (Signature, func(b Binding) (Kernel, error), bool) {
	return Signature{}, nil, false
}
