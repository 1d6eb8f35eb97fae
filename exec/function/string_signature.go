package function

import (
	"strings"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// textForm checks arguments against a form: one letter per argument, t for a text, i for an integer, b for
// binary, x for text or binary, a for anything. Capital letters are optional, a star repeats the letter
// before it any number of times. Texts keep their types and integers become BIGINT.
func textForm(form string, result func(args []Arg) types.Type) func([]Arg) (Signature, error) {
	repeats := strings.HasSuffix(form, "*")
	form = strings.TrimSuffix(form, "*")
	least := len(form) - strings.Count(form, "T") - strings.Count(form, "I")
	if repeats {
		least--
	}
	letters := strings.ToLower(form)
	return func(args []Arg) (Signature, error) {
		if len(args) < least || len(args) > len(letters) && !repeats {
			return Signature{}, Mismatch()
		}
		sig := Signature{Args: make([]types.Type, len(args))}
		for i, a := range args {
			want, ok := formType(letters[min(i, len(letters)-1)], a.Type)
			if !ok {
				return Signature{}, Mismatch()
			}
			sig.Args[i] = want
		}
		sig.Result = result(args)
		return sig, nil
	}
}

func formType(letter byte, t types.Type) (types.Type, bool) {
	null := t.Kind == types.Null
	switch letter {
	case 't':
		if null {
			return types.String(), true
		}
		return t, t.Kind.IsText()
	case 'i':
		return types.Of(types.BigInt).WithNull(t.Nullable()), null || t.Kind.IsInteger()
	case 'b':
		if null {
			return types.Bytes(), true
		}
		return t, t.Kind.IsBinary()
	case 'x':
		if null {
			return types.String(), true
		}
		return t, t.Kind.IsText() || t.Kind.IsBinary()
	}
	return t, t.Kind != types.Symbol
}

// strictly is t, NULL where an argument may be.
func strictly(t types.Type) func([]Arg) types.Type {
	return func(args []Arg) types.Type { return t.WithNull(anyNullable(args)) }
}

func anyNullable(args []Arg) bool {
	for _, a := range args {
		if a.Type.Nullable() && a.Type.Kind != types.Symbol {
			return true
		}
	}
	return false
}

// always is t whatever the arguments: nullable unless t says otherwise.
func always(t types.Type) func([]Arg) types.Type {
	return func([]Arg) types.Type { return t }
}

// textLike is the text type of the first argument.
func textLike(args []Arg) types.Type {
	t := args[0].Type
	if !t.Kind.IsText() {
		t = types.String()
	}
	return t.WithNull(anyNullable(args))
}

// varying is VARCHAR of the length of argument k.
func varying(k int, nullable bool) func([]Arg) types.Type {
	return func(args []Arg) types.Type {
		t := args[k].Type
		if !t.Kind.IsText() {
			t = types.String()
		}
		return types.VarcharOf(t.Precision).WithNull(nullable || anyNullable(args))
	}
}

// literalText is the value of argument k when it is known at planning and not NULL.
func literalText(args []Arg, k int) (string, bool) {
	if k >= len(args) || args[k].Const == nil || args[k].IsNull() || !args[k].Type.Kind.IsText() {
		return "", false
	}
	return textsOf(args[k].Const).str(0), true
}

// literalInteger is the value of an integer known at planning and not NULL.
func literalInteger(a Arg) int64 { return integerAt(a.Const, 0) }

// integerAt reads row i of a flat or constant column of any integer type.
func integerAt(c *vector.Column, i int) int64 {
	switch c.Type.Kind {
	case types.TinyInt:
		return int64(vector.Value[int8](c, i))
	case types.SmallInt:
		return int64(vector.Value[int16](c, i))
	case types.Int:
		return int64(vector.Value[int32](c, i))
	}
	return vector.Value[int64](c, i)
}
