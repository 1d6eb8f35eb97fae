package function

import (
	"fmt"

	"streamsql/exec/types"
)

// JSONAnswer is what a JSON function gives instead of a value.
type JSONAnswer uint8

// The answers of ON EMPTY and ON ERROR. JSONUnset is the function's own: NULL, or FALSE of JSON_EXISTS.
const (
	JSONUnset JSONAnswer = iota
	JSONNull
	JSONError
	JSONDefault
	JSONEmptyArray
	JSONEmptyObject
	JSONTrue
	JSONFalse
	JSONUnknown
)

// JSONWrapper says whether JSON_QUERY wraps what it finds in an array.
type JSONWrapper uint8

// The wrappers of JSON_QUERY.
const (
	JSONUnwrapped JSONWrapper = iota
	JSONWrapped
	JSONWrappedIfScalar // what is no array already
)

// JSONClauses are what stands behind the arguments of a JSON function.
type JSONClauses struct {
	Returning *types.Type
	// OnEmpty and OnError of JSON_VALUE may be JSONDefault: then the value follows as an argument behind
	// the path, the one for ON EMPTY first.
	OnEmpty, OnError JSONAnswer
	Wrapper          JSONWrapper
	// NullOnNull and AbsentOnNull overrule what JSON_OBJECT and JSON_ARRAY do with NULLs.
	NullOnNull, AbsentOnNull bool
	// Raw marks arguments of JSON_OBJECT and JSON_ARRAY that are JSON already.
	Raw []bool
}

// JSON declares a JSON function with clauses: JSON_VALUE, JSON_QUERY, JSON_EXISTS, JSON_OBJECT or JSON_ARRAY.
// The declaration is not in the registry.
func JSON(name string, c JSONClauses) (*Scalar, error) {
	var s Scalar
	switch name {
	case "JSON_VALUE":
		s = jsonValueOf(c)
	case "JSON_QUERY":
		s = jsonQueryOf(c)
	case "JSON_EXISTS":
		s = jsonExistsOf(c)
	case "JSON_OBJECT":
		s = jsonObjectOf(c)
	case "JSON_ARRAY":
		s = jsonArrayOf(c)
	default:
		return nil, fmt.Errorf("%s takes no JSON clauses", name)
	}
	return &s, nil
}

var (
	_ = scalar(jsonValueOf(JSONClauses{}))
	_ = scalar(jsonQueryOf(JSONClauses{}))
	_ = scalar(jsonExistsOf(JSONClauses{}))
	_ = scalar(jsonObjectOf(JSONClauses{}))
	_ = scalar(jsonArrayOf(JSONClauses{}))
)

func jsonTest(name, example, value string, test func(k jsonKind) bool) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{"<CHARACTER> " + name}, Nulls: Custom, Special: true,
		Type: textForm("t", always(types.Of(types.Boolean).WithNull(false))),
		Bind: func(Binding) (Kernel, error) {
			d := &jsonDocument{}
			return testKernel(func(r *row) bool {
				return !r.null(0) && d.parse(r.text(0)) && test(d.nodes[0].kind)
			}), nil
		},
		Doc: Doc{Group: "json", Text: "Whether the text is valid JSON, of the given kind if one is named. FALSE for NULL.",
			Example: example, Value: value},
	})
}

var (
	_ = jsonTest("IS JSON", `'{"a": 1}' IS JSON`, "TRUE", func(jsonKind) bool { return true })
	_ = jsonTest("IS JSON OBJECT", `'[1]' IS JSON OBJECT`, "FALSE", func(k jsonKind) bool { return k == jsonObject })
	_ = jsonTest("IS JSON ARRAY", `'[1]' IS JSON ARRAY`, "TRUE", func(k jsonKind) bool { return k == jsonArray })
	_ = jsonTest("IS JSON SCALAR", `'12' IS JSON SCALAR`, "TRUE", jsonKind.scalar)
)

var _ = scalar(Scalar{
	Name: "JSON_QUOTE", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) { return appendASCIIQuoted(dst, r.text(0)), true }),
	Doc: Doc{Group: "json", Text: "The text as a JSON string in ASCII.",
		Example: `JSON_QUOTE('say "hi"')`, Value: `"say \"hi\""`},
})

var _ = scalar(Scalar{
	Name: "JSON_UNQUOTE", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", strictly(types.String())),
	Bind: func(Binding) (Kernel, error) {
		d := &jsonDocument{}
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			s := r.text(0)
			if len(s) > 1 && s[0] == '"' && d.parse(s) && d.at == len(s) {
				s = d.nodes[0].text
			}
			return append(dst, s...), true
		}), nil
	},
	Doc: Doc{Group: "json", Text: "What a JSON string stands for; any other text unchanged.",
		Example: `JSON_UNQUOTE('"a\"b"')`, Value: `a"b`},
})

var _ = scalar(Scalar{
	Name: "JSON_STRING", Forms: []string{"<ANY>"},
	Type: func(args []Arg) (Signature, error) {
		sig, err := textForm("a", strictly(types.String()))(args)
		if err == nil {
			err = jsonType(args[0].Type)
		}
		return sig, err
	},
	Bind: func(Binding) (Kernel, error) {
		var scratch []byte
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			return appendJSON(dst, r.c.Args[0], r.i, &scratch), true
		}), nil
	},
	Doc: Doc{Group: "json", Text: "The value as JSON.", Example: "JSON_STRING(ARRAY[1, 2])", Value: "[1,2]"},
})
