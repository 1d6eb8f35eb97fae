package function

// advised is a failure of which is known what to write instead.
type advised struct {
	error
	hint string
}

// Hint is what to write instead.
func (a *advised) Hint() string { return a.hint }

// Unwrap gives the failure.
func (a *advised) Unwrap() error { return a.error }

// errDivision is a quotient without a value.
var errDivision = &advised{failure("division by zero"), "NULLIF(x, 0) in place of a divisor x gives NULL"}

// errSeveral is a value of several rows.
var errSeveral = &advised{failure("a query used as a value, or SINGLE_VALUE, gives more than one row"),
	"MAX(x) or MIN(x) in place of x gives one"}

// asTry is a cast that failed.
func asTry(err error) error {
	return &advised{err, "TRY_CAST gives NULL where a value cannot be cast"}
}
