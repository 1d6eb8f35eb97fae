package function

import (
	"streamsql/exec/types"
)

// jsonObjectOf declares JSON_OBJECT, whose arguments are keys and values in turn.
func jsonObjectOf(c JSONClauses) Scalar {
	return Scalar{
		Name: "JSON_OBJECT", Nulls: Custom, Fails: true,
		Forms: []string{"[[KEY] <CHARACTER> VALUE <ANY>, ...] [{NULL | ABSENT} ON NULL]"},
		Type: func(args []Arg) (Signature, error) {
			sig, err := jsonParts(args)
			if err != nil || len(args)%2 != 0 {
				return sig, Mismatch()
			}
			for i := range args {
				if i%2 == 0 && !args[i].Type.Kind.IsText() {
					return sig, Mismatch()
				}
			}
			return sig, c.partTypes(args)
		},
		Bind: func(Binding) (Kernel, error) {
			var scratch []byte
			return textKernel(func(dst []byte, r *row) ([]byte, bool) {
				dst = append(dst, '{')
				first := true
				for k := 0; r.has(k); k += 2 {
					if r.null(k) {
						r.fail(failure("JSON_OBJECT: a key is NULL"))
						continue
					}
					if c.AbsentOnNull && c.missing(r, k+1) {
						continue
					}
					if !first {
						dst = append(dst, ',')
					}
					first = false
					dst = append(appendQuoted(dst, r.text(k)), ':')
					dst = c.appendPart(dst, r, k+1, &scratch)
				}
				return append(dst, '}'), true
			}), nil
		},
		Doc: Doc{Group: "json", Text: "A JSON object of keys and values. A NULL value is written null, or left out with ABSENT ON NULL.",
			Example: "JSON_OBJECT(KEY 'a' VALUE 1, KEY 'b' VALUE 'x')", Value: `{"a":1,"b":"x"}`},
	}
}

// jsonArrayOf declares JSON_ARRAY.
func jsonArrayOf(c JSONClauses) Scalar {
	return Scalar{
		Name: "JSON_ARRAY", Nulls: Custom,
		Forms: []string{"[<ANY>, ...] [{NULL | ABSENT} ON NULL]"},
		Type: func(args []Arg) (Signature, error) {
			sig, err := jsonParts(args)
			if err == nil {
				err = c.partTypes(args)
			}
			return sig, err
		},
		Bind: func(Binding) (Kernel, error) {
			var scratch []byte
			return textKernel(func(dst []byte, r *row) ([]byte, bool) {
				dst = append(dst, '[')
				first := true
				for k := 0; r.has(k); k++ {
					if !c.NullOnNull && c.missing(r, k) {
						continue
					}
					if !first {
						dst = append(dst, ',')
					}
					first = false
					dst = c.appendPart(dst, r, k, &scratch)
				}
				return append(dst, ']'), true
			}), nil
		},
		Doc: Doc{Group: "json", Text: "A JSON array of values. A NULL value is left out, or written null with NULL ON NULL.",
			Example: "JSON_ARRAY(1, 'x')", Value: `[1,"x"]`},
	}
}

// jsonParts takes any values; a bare NULL is a text.
func jsonParts(args []Arg) (Signature, error) {
	sig := Signature{Result: types.String().WithNull(false)}
	for _, a := range args {
		t := a.Type
		switch t.Kind {
		case types.Symbol:
			return sig, Mismatch()
		case types.Null:
			t = types.String()
		}
		sig.Args = append(sig.Args, t)
	}
	return sig, nil
}

func jsonPartTypes(args []Arg) error { return JSONClauses{}.partTypes(args) }

func (c JSONClauses) partTypes(args []Arg) error {
	for k, a := range args {
		if c.raw(k) && !a.Type.Kind.IsText() && a.Type.Kind != types.Null {
			return Refuse("JSON takes a text, not %s", a.Type.WithNull(true))
		}
		if err := jsonType(a.Type); err != nil {
			return err
		}
	}
	return nil
}

// raw tells that argument k is JSON already.
func (c JSONClauses) raw(k int) bool { return k < len(c.Raw) && c.Raw[k] }

// missing tells that argument k is NULL; where it is JSON already, the empty text is too.
func (c JSONClauses) missing(r *row, k int) bool { return r.null(k) || c.raw(k) && len(r.text(k)) == 0 }

// appendPart writes argument k.
func (c JSONClauses) appendPart(dst []byte, r *row, k int, scratch *[]byte) []byte {
	switch {
	case c.missing(r, k):
		return append(dst, "null"...)
	case c.raw(k):
		return append(dst, r.text(k)...)
	}
	return appendJSON(dst, r.c.Args[k], r.i, scratch)
}
