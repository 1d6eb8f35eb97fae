package bind

import (
	"errors"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// call applies a function that SQL has a syntax for, by the name of its declaration.
func (w *work) call(at syntax.Node, name string, args ...expr.Expr) (expr.Expr, error) {
	fn := function.Lookup(name)
	if fn == nil {
		return nil, syntax.NotSupported(at.At(), "the operator or constructor "+name, "")
	}
	return w.apply(at, fn, args)
}

// apply types a call and casts its arguments to what the signature asks for.
func (w *work) apply(at syntax.Node, fn *function.Scalar, args []expr.Expr) (expr.Expr, error) {
	if fn.Extension && !w.aliased {
		if err := w.beyond(functionBeyond("function", fn.Name), at); err != nil {
			return nil, err
		}
	}
	sig, err := fn.Type(argsOf(args))
	if err != nil {
		return nil, mismatch(at, fn, args, err)
	}
	list := make([]expr.Expr, len(args))
	for i, a := range args {
		if list[i], err = w.coerce(a, sig.Args[i], at); err != nil {
			return nil, err
		}
	}
	return &expr.Call{Fn: fn, List: list, T: sig.Result, Pos: w.posOf(at)}, nil
}

// posOf is where a node begins in the statement, -1 where it belongs to another text.
func (w *work) posOf(at syntax.Node) int {
	if w.apart {
		return -1
	}
	return at.At().Pos
}

// argsOf are expressions as signatures see them.
func argsOf(args []expr.Expr) []function.Arg {
	given := make([]function.Arg, len(args))
	for i, a := range args {
		given[i] = function.Arg{Type: a.Type()}
		if c, ok := a.(*expr.Const); ok {
			given[i].Const = c.Value
		}
	}
	return given
}

// mismatch words the refusal of a function's signature.
func mismatch(at syntax.Node, fn *function.Scalar, args []expr.Expr, err error) error {
	return refused(at, fn.Name, fn.Forms, args, err)
}

// refused words the refusal of a signature.
func refused(at syntax.Node, name string, takes []string, args []expr.Expr, err error) error {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = typeText(a)
	}
	what := "operator " + name
	if isWord(name) {
		what = "function " + name
	}
	e := failf(at, CodeType, "%s does not take (%s)", what, strings.Join(list, ", "))
	var t *function.TypeError
	if errors.As(err, &t) && t.Msg != "" {
		e.Msg = t.Msg
		if !strings.Contains(t.Msg, name) {
			e.Msg = name + ": " + t.Msg
		}
	}
	if len(takes) > 0 {
		forms := make([]string, len(takes))
		for i, f := range takes {
			forms[i] = f
			if isWord(name) && !strings.Contains(f, name) {
				forms[i] = name + "(" + f + ")"
			}
		}
		e.Hint = "it takes " + strings.Join(forms, ", or ")
	}
	return e
}

func isWord(name string) bool {
	for _, r := range name {
		if (r < 'A' || r > 'Z') && r != '_' && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}

// typeText is the type of an expression as errors name it.
func typeText(e expr.Expr) string {
	t := e.Type()
	if t.Kind == types.Symbol {
		return e.String()
	}
	return t.WithNull(true).String()
}

// shortText is the text of an expression, cut where it would fill the line.
func shortText(e expr.Expr) string {
	if s := []rune(e.String()); len(s) > 40 {
		return string(s[:40]) + "…"
	}
	return e.String()
}

// callOf binds a function call as written.
func (w *work) callOf(e *syntax.Call, s *scope) (expr.Expr, error) {
	name := strings.ToUpper(e.Name.Last())
	if len(e.Name.Parts) == 1 {
		if e.Over != nil {
			return w.over(e, name, s)
		}
		if s.match != nil {
			if out, ok, err := w.matchCall(e, name, s); ok {
				return out, err
			}
		}
		if isAggregate(name) {
			return w.aggregate(e, name, s)
		}
		if out, ok, err := w.groupWindow(e, name, s); ok || err != nil {
			return out, err
		}
	}
	fn, err := w.function(e)
	if err != nil {
		// What is wrong inside the arguments is told first.
		if _, inner := w.exprs(valueArgs(e.Args), s); inner != nil {
			return nil, inner
		}
		return nil, err
	}
	if err := plainCall(e, name); err != nil {
		return nil, err
	}
	if fn == nil {
		return w.special(e, name, s)
	}
	if takesJSONClauses(fn.Name) {
		return w.jsonCall(e, fn.Name, s)
	}
	args, err := w.exprs(e.Args, s)
	if err != nil {
		return nil, err
	}
	if err := w.watermarkCall(e, fn, args, s); err != nil {
		return nil, err
	}
	if fn.Name == "TRIM" && len(args) == 1 {
		blank, _ := literal(&syntax.Literal{Kind: syntax.StringLiteral, Text: " "})
		args = []expr.Expr{symbol("BOTH"), blank, args[0]}
	}
	inner := *w
	_, inner.aliased = w.cat.Function(w.fullName(e.Name))
	out, err := inner.apply(e, fn, args)
	w.missing = inner.missing
	return out, err
}

// valueArgs leaves out the arguments that are no values.
func valueArgs(list []syntax.Expr) []syntax.Expr {
	var out []syntax.Expr
	for _, a := range list {
		switch a.(type) {
		case *syntax.TableArg, *syntax.Descriptor, *syntax.Default, *syntax.Star:
		default:
			out = append(out, a)
		}
	}
	return out
}

// function finds the declaration that a call means. It is nil for the calls that are bound to something
// else than a function: COALESCE and its like.
func (w *work) function(e *syntax.Call) (*function.Scalar, error) {
	n := w.fullName(e.Name)
	if f, ok := w.cat.Function(n); ok {
		return w.created(e, f)
	}
	name := strings.ToUpper(n.Object)
	if len(e.Name.Parts) > 1 {
		return nil, failf(e.Name, CodeFunction, "function '%s' not found", e.Name.String()).
			WithHint("%s", suggest(n.Object, "functions created there", w.cat.Functions(n.Catalog, n.Database)))
	}
	if isSpecialForm(name) {
		return nil, nil
	}
	switch {
	case (name == "FLOOR" || name == "CEIL" || name == "CEILING") && len(e.Args) == 2 && isUnit(e.Args[1]):
		name = strings.TrimSuffix(name, "ING") + " TO"
	}
	if fn := function.Lookup(name); fn != nil && !hiddenName(name) {
		return fn, nil
	}
	if name == "JSON" {
		return nil, failf(e, CodeType, "JSON(…) stands for a value of JSON_OBJECT or JSON_ARRAY alone").
			WithHint("PARSE_JSON(x) makes a VARIANT of a JSON text")
	}
	if isFlinkFunction(name) {
		return nil, syntax.NotSupported(e.Name.Span, "the function "+name, "")
	}
	names := append(allFunctions(), w.cat.Functions(w.catalog, w.database)...)
	near := suggest(name, "", names)
	if i := strings.Index(near, ": "); i >= 0 {
		near = strings.TrimSpace(near[:max(strings.LastIndex(near[:i], "?")+1, 0)])
	}
	return nil, failf(e.Name, CodeFunction, "function '%s' not found", e.Name.String()).
		WithHint("%s", strings.TrimSpace(near+"  SHOW FUNCTIONS lists them all"))
}

// allFunctions are the names of everything that is called: scalar functions, special forms and aggregates.
func allFunctions() []string {
	out := append(function.Names(), formNames()...)
	for _, a := range function.AllAggregates() {
		out = append(append(out, a.Name), a.Aliases...)
	}
	return out
}

// created resolves a function made by CREATE FUNCTION.
func (w *work) created(e *syntax.Call, f catalog.Function) (*function.Scalar, error) {
	if f.Builtin == "" {
		return nil, failf(e.Name, CodeFunction, "function '%s' is made of class '%s', which is not known here",
			f.Name.Object, f.Class).WithHint("user functions cannot be loaded; only classes with a built-in twin work: …CountChar")
	}
	return function.Must(f.Builtin), nil
}

func isUnit(e syntax.Expr) bool {
	_, ok := e.(*syntax.UnitArg)
	return ok
}

// hiddenName tells the declarations that have no call syntax under their own name.
func hiddenName(name string) bool {
	switch name {
	case "NOT", "NEGATE", "ITEM", "ROW", "ARRAY", "MAP", "MULTISET", "IN", "LIKE", "CAST", "TRY_CAST":
		return true
	}
	return !isWord(name) && name != "FLOOR TO" && name != "CEIL TO"
}

// plainCall refuses what only aggregates have.
func plainCall(e *syntax.Call, name string) error {
	switch {
	case e.Distinct:
		return failf(e, CodeAggregate, "DISTINCT is for aggregates, and %s is none", name).
			WithHint("SELECT DISTINCT %s gives each value once", callText(e, name))
	case e.Filter != nil:
		return failf(e, CodeAggregate, "FILTER is for aggregates, and %s is none", name).
			WithHint("filter the rows with WHERE, or write CASE WHEN condition THEN %s END", callText(e, name))
	case len(e.WithinGroup) > 0 || len(e.OrderBy) > 0:
		return failf(e, CodeAggregate, "ORDER BY is for aggregates, and %s is none", name).
			WithHint("order the rows by an ORDER BY behind the query")
	case e.Nulls != syntax.DefaultNulls:
		return failf(e, CodeAggregate, "IGNORE NULLS is for aggregates, and %s is none", name).
			WithHint("leave IGNORE NULLS and RESPECT NULLS out; WHERE … IS NOT NULL drops rows")
	case e.Star:
		return failf(e, CodeType, "%s(*) does not exist", name).
			WithHint("write its arguments; COUNT(*) counts rows")
	case len(e.ArgNames) > 0:
		return syntax.NotSupported(e.Span, "arguments by name in "+name, "write them in order")
	case e.JSON != nil && hasClauses(e.JSON) && !takesJSONClauses(name):
		return syntax.NotSupported(e.Span, "the clauses of "+name, "")
	}
	return nil
}

// hasClauses tells JSON functions with clauses behind their arguments.
func hasClauses(j *syntax.JSONClauses) bool {
	for _, f := range j.Format {
		if f {
			return true
		}
	}
	return j.Returning != nil || j.OnEmpty != nil || j.OnError != nil || j.Wrapper != syntax.DefaultWrapper ||
		j.OnNull != syntax.DefaultOnNull
}
