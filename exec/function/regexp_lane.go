package function

import (
	"errors"

	"streamsql/exec/regexp"
	"streamsql/exec/types"
)

// find is x.Find for a lane, which a search that takes too long fails.
func find(r *row, x *regexp.Pattern, s []byte, from int) []int {
	loc, err := x.Find(s, from)
	if err != nil {
		r.fail(err)
	}
	return loc
}

// regexpForm is textForm for functions whose second argument is a regular expression: one that no engine
// can run is refused when it is known at planning.
func regexpForm(form string, result func([]Arg) types.Type) func([]Arg) (Signature, error) {
	check := textForm(form, result)
	return func(args []Arg) (Signature, error) {
		sig, err := check(args)
		if p, ok := literalText(args, 1); ok && err == nil {
			if _, bad := regexp.Compile(p); errors.Is(bad, regexp.ErrUnsupported) {
				return sig, Refuse("%v", bad)
			}
		}
		return sig, err
	}
}

// patterns gives the regular expression of each lane: compiled once when it is known at planning.
type patterns struct {
	arg      int
	known    bool
	constant *regexp.Pattern // nil for a bad pattern
	compiled cache[*regexp.Pattern]
}

func patternsOf(b Binding, arg int) (*patterns, error) {
	p := &patterns{arg: arg}
	var text string
	if text, p.known = literalText(b.Args, arg); p.known {
		x, err := regexp.Compile(text)
		if errors.Is(err, regexp.ErrUnsupported) {
			return nil, err
		}
		p.constant = x
	}
	return p, nil
}

// of is the expression of lane r, or nil when it is bad.
func (p *patterns) of(r *row) *regexp.Pattern {
	if p.known {
		return p.constant
	}
	x, err := p.compiled.get(r.text(p.arg), 0, regexp.Compile)
	if errors.Is(err, regexp.ErrUnsupported) {
		r.fail(err)
	}
	if err != nil {
		return nil
	}
	return x
}
