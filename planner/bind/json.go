package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/planner/syntax"
)

// takesJSONClauses tells the functions whose declaration depends on what stands behind their arguments.
func takesJSONClauses(name string) bool {
	switch name {
	case "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS", "JSON_OBJECT", "JSON_ARRAY":
		return true
	}
	return false
}

// jsonCall binds a JSON function with its clauses. DEFAULT values become arguments.
func (w *work) jsonCall(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	given := e.JSON
	if given == nil {
		given = &syntax.JSONClauses{}
	}
	c := function.JSONClauses{
		Wrapper:      jsonWrappers[given.Wrapper],
		NullOnNull:   given.OnNull == syntax.NullOnNull,
		AbsentOnNull: given.OnNull == syntax.AbsentOnNull,
	}
	if given.Returning != nil {
		t, err := resolveType(given.Returning)
		if err != nil {
			return nil, err
		}
		c.Returning = &t
	}
	list := append([]syntax.Expr(nil), e.Args...)
	for i, b := range []*syntax.JSONBehavior{given.OnEmpty, given.OnError} {
		if b == nil {
			continue
		}
		answer := jsonAnswers[b.Answer]
		if i == 0 {
			c.OnEmpty = answer
		} else {
			c.OnError = answer
		}
		if b.Default != nil {
			list = append(list, b.Default)
		}
	}
	if name == "JSON_OBJECT" || name == "JSON_ARRAY" {
		c.Raw = rawJSON(list, given.Format)
	}
	fn, err := function.JSON(name, c)
	if err != nil {
		return nil, failf(e, CodeFunction, "%v", err).
			WithHint("leave the clauses behind its arguments out")
	}
	args, err := w.exprs(list, s)
	if err != nil {
		return nil, err
	}
	return w.apply(e, fn, args)
}

var jsonAnswers = map[syntax.JSONAnswer]function.JSONAnswer{
	syntax.JSONNull: function.JSONNull, syntax.JSONError: function.JSONError, syntax.JSONDefault: function.JSONDefault,
	syntax.JSONEmptyArray: function.JSONEmptyArray, syntax.JSONEmptyObject: function.JSONEmptyObject,
	syntax.JSONTrue: function.JSONTrue, syntax.JSONFalse: function.JSONFalse, syntax.JSONUnknown: function.JSONUnknown,
}

var jsonWrappers = map[syntax.JSONWrapper]function.JSONWrapper{
	syntax.WithWrapper: function.JSONWrapped, syntax.WithConditionalWrapper: function.JSONWrappedIfScalar,
}

// rawJSON marks the arguments that are JSON already: constructors inside constructors, FORMAT JSON, and
// JSON(x), which it replaces by its text.
func rawJSON(args []syntax.Expr, format []bool) []bool {
	raw := make([]bool, len(args))
	for i, a := range args {
		if call, ok := a.(*syntax.Call); ok {
			n := strings.ToUpper(call.Name.Last())
			raw[i] = n == "JSON_OBJECT" || n == "JSON_ARRAY"
			if n == "JSON" && len(call.Args) == 1 {
				args[i], raw[i] = call.Args[0], true
			}
		}
		raw[i] = raw[i] || i < len(format) && format[i]
	}
	return raw
}
