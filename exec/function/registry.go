package function

import (
	"fmt"
	"sort"
	"strings"
)

var scalars = map[string]*Scalar{}

// scalar registers a declaration; each function file declares `var _ = scalar(Scalar{…})`.
func scalar(s Scalar) *Scalar {
	p := &s
	for _, n := range append([]string{s.Name}, s.Aliases...) {
		if scalars[n] != nil {
			panic("function: declared twice: " + n)
		}
		scalars[n] = p
	}
	if s.Type == nil || s.Bind == nil {
		panic("function: incomplete declaration: " + s.Name)
	}
	return p
}

// Lookup finds a function by its name in any case, or nil.
func Lookup(name string) *Scalar { return scalars[strings.ToUpper(name)] }

// Must finds a function that the engine itself relies on.
func Must(name string) *Scalar {
	s := scalars[name]
	if s == nil {
		panic(fmt.Sprintf("function: %s is not declared", name))
	}
	return s
}

// All lists the declarations by name.
func All() []*Scalar {
	var out []*Scalar
	for n, s := range scalars {
		if n == s.Name {
			out = append(out, s)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Names lists every name that a plain call may use, aliases included, sorted.
func Names() []string {
	var out []string
	for n, s := range scalars {
		if !s.Special {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}
