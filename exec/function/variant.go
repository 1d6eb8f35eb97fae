package function

import (
	"bytes"
	"fmt"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = parseJSON("PARSE_JSON", false,
	"The value that a JSON text stands for, as a VARIANT. A text that is no JSON fails the job, as does one in which a key stands twice"+
		" in an object, unless the second argument is TRUE: then the last one counts.",
	`PARSE_JSON('{"b": 1.50, "a": [true, null]}')`, `{"a":[true,null],"b":1.5}`)

var _ = parseJSON("TRY_PARSE_JSON", true,
	"As PARSE_JSON, but NULL where that fails.", `TRY_PARSE_JSON('{"a": 1, "a": 2}', TRUE)`, `{"a":2}`)

func parseJSON(name string, try bool, about, example, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{"<CHARACTER>", "<CHARACTER>, <BOOLEAN>"}, Fails: !try,
		Type: func(args []Arg) (Signature, error) {
			if len(args) == 0 || len(args) > 2 || !textOrNull(args[0].Type) {
				return Signature{}, Mismatch()
			}
			sig := Signature{Args: []types.Type{args[0].Type}, Result: types.Of(types.Variant).WithNull(try || anyNullable(args))}
			if sig.Args[0].Kind == types.Null {
				sig.Args[0] = types.String()
			}
			if len(args) > 1 {
				if k := args[1].Type.Kind; k != types.Boolean && k != types.Null {
					return Signature{}, Mismatch()
				}
				sig.Args = append(sig.Args, types.Of(types.Boolean).WithNull(args[1].Type.Nullable()))
			}
			return sig, nil
		},
		Bind: func(Binding) (Kernel, error) {
			v := NewVariants()
			return textKernel(func(dst []byte, r *row) ([]byte, bool) {
				repeated := false
				if r.has(1) {
					repeated = vector.Bool(r.c.Args[1].At(r.i))
				}
				out, err := v.Append(dst, r.text(0), repeated)
				if err == nil {
					return out, true
				}
				if try {
					return dst, false
				}
				r.failWith(func() error { return fmt.Errorf("%s of '%s': %w", name, shortened(r.text(0)), err) })
				return dst, true
			}), nil
		},
		Doc: Doc{Group: "json", Text: about, Example: example, Value: value},
	})
}

// shortened is as much of a text as an error shows.
func shortened(t []byte) string {
	const longest = 60
	if len(t) > longest {
		return string(bytes.ToValidUTF8(t[:longest], nil)) + "…"
	}
	return string(t)
}

// VariantItem is the element of a VARIANT; the binder calls it where ITEM is written. It is a declaration of its own, since
// it may fail.
var VariantItem = &Scalar{
	Name: "ITEM", Special: true, Fails: true, Forms: []string{"<VARIANT>[<INTEGER>]", "<VARIANT>[<CHARACTER>]"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 2 || args[0].Type.Kind != types.Variant {
			return Signature{}, Mismatch()
		}
		key := args[1].Type
		switch {
		case key.Kind.IsInteger():
			key = types.Of(types.BigInt).WithNull(key.Nullable())
		case !key.Kind.IsText():
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type, key}, Result: types.Of(types.Variant)}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		if b.Args[1].Type.Kind == types.BigInt {
			return pieceKernel(0, variantElement), nil
		}
		var key []byte
		return pieceKernel(0, func(r *row) piece {
			key = append(appendQuoted(key[:0], r.text(1)), ':')
			return variantMember(r, key)
		}), nil
	},
}

const (
	errNoArray  = failure("an index is for a VARIANT that is an array")
	errNoObject = failure("a name is for a VARIANT that is an object")
)

// variantElement is the element of an array at a position from 1.
func variantElement(r *row) piece {
	t, n := r.text(0), r.integer(1)
	if t[0] != '[' {
		r.fail(errNoArray)
		return piece{}
	}
	for at := 1; t[at] != ']' && n > 0; n-- {
		if t[at] == ',' {
			at++
		}
		end := variantEnd(t, at)
		if n == 1 {
			return piece{at, end, true}
		}
		at = end
	}
	return piece{}
}

// variantMember is the member of an object whose name, in quotes and with the colon, is given.
func variantMember(r *row, name []byte) piece {
	t := r.text(0)
	if t[0] != '{' {
		r.fail(errNoObject)
		return piece{}
	}
	for at := 1; t[at] != '}'; {
		if t[at] == ',' {
			at++
		}
		value := variantEnd(t, at) + 1
		end := variantEnd(t, value)
		if bytes.Equal(t[at:value], name) {
			return piece{value, end, true}
		}
		at = end
	}
	return piece{}
}

// variantEnd is where the value ends that begins at a place of a canonical text.
func variantEnd(t []byte, at int) int {
	for depth := 0; at < len(t); at++ {
		switch t[at] {
		case '"':
			for at++; t[at] != '"'; at++ {
				if t[at] == '\\' {
					at++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			depth--
		case ',', ':':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}
