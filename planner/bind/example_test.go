package bind

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/text"
	"streamsql/exec/vector"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// TestExamples evaluates the example of every function's documentation: its text must be the value given.
func TestExamples(t *testing.T) {
	b := New(catalog.New(nil), &function.Env{Zone: time.UTC, Now: time.Now})
	for _, fn := range function.All() {
		if fn.Doc.Example == "" {
			t.Errorf("%s has no example", fn.Name)
			continue
		}
		if fn.Volatile && fn.Doc.Value == "" {
			continue
		}
		got, err := evaluate(b, fn.Doc.Example)
		if err != nil {
			t.Errorf("%s: %s: %v", fn.Name, fn.Doc.Example, err)
			continue
		}
		// Collections and intervals are documented as CAST prints them, without quotes.
		cast, _ := evaluate(b, "CAST("+fn.Doc.Example+" AS STRING)")
		plain := strings.ReplaceAll(got, `"`, "")
		if want := fn.Doc.Value; !strings.EqualFold(got, want) && plain != want && cast != want {
			t.Errorf("%s: %s is %q, documented as %q", fn.Name, fn.Doc.Example, got, want)
		}
	}
}

// evaluate gives an expression's value: a text as it is, all else as a cell of a result.
func evaluate(b *Binder, example string) (string, error) {
	sql := "SELECT " + example
	st, err := parse.Statement(sql)
	if err != nil {
		return "", err
	}
	p, err := b.Query(st.(*syntax.QueryStatement).Query, sql)
	if err != nil {
		return "", err
	}
	e := p.(*logical.Project).Exprs[0]
	v, err := expr.New([]expr.Expr{e}, b.env)
	if err != nil {
		return "", err
	}
	cols, err := v.Eval(nil, 1)
	if err != nil {
		return "", err
	}
	if cols[0].Null(0) {
		return "NULL", nil
	}
	switch k := e.Type().Kind; {
	case k.IsText():
		return string(vector.Text(cols[0], 0)), nil
	case k.IsBinary():
		return fmt.Sprintf("x'%x'", vector.Text(cols[0], 0)), nil
	}
	return string(text.AppendCell(nil, cols[0], 0)), nil
}
