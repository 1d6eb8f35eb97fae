package bind

import (
	"fmt"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// query binds a query whose names may also mean columns of outer, when it is a subquery.
func (w *work) query(q syntax.Query, outer *scope) (result, error) {
	switch q := q.(type) {
	case *syntax.Select:
		r, _, err := w.selectBlock(q, outer, nil)
		return r, err
	case *syntax.SetOp:
		return w.setOp(q, outer)
	case *syntax.Values:
		return w.values(q, outer)
	case *syntax.TableQuery:
		s := &scope{outer: outer}
		plan, err := w.table(q.Table, s)
		return result{plan, s.schema()}, err
	case *syntax.Ordered:
		return w.ordered(q, outer)
	case *syntax.With:
		return w.with(q, outer)
	}
	panic(fmt.Sprintf("bind: query %T", q))
}

// rename gives the plan's result the names of the text, made unique as Flink does: a, a0.
func rename(r result) logical.Plan {
	names := unique(r.schema.Names())
	same := true
	have := r.plan.Schema()
	for i, n := range names {
		same = same && have[i].Name == n
	}
	if same {
		return r.plan
	}
	if p, ok := r.plan.(*logical.Project); ok {
		return logical.NewProject(p.Input, p.Exprs, names)
	}
	return logical.NewProject(r.plan, columnsOf(r.plan.Schema()), names)
}

// columnsOf reads every column of a schema as it is.
func columnsOf(s logical.Schema) []expr.Expr { return s.Exprs() }

// unique appends numbers to names that occurred before.
func unique(names []string) []string {
	used := map[string]bool{}
	out := make([]string, len(names))
	for i, n := range names {
		name := n
		for k := 0; used[name]; k++ {
			name = n + strconv.Itoa(k)
		}
		used[name], out[i] = true, name
	}
	return out
}

// final checks what may be the result of a whole query.
func (w *work) final(q syntax.Node, s logical.Schema) error {
	for _, c := range s {
		if c.Type.Kind == types.Null {
			return illegalNull(q)
		}
	}
	return nil
}

func illegalNull(at syntax.Node) error {
	return failf(at, CodeType, "illegal use of NULL: its type is not known here").
		WithHint("write CAST(NULL AS type)")
}

// with binds common tables and the query behind them.
func (w *work) with(q *syntax.With, outer *scope) (result, error) {
	before := w.ctes
	defer func() { w.ctes = before }()
	if q.Recursive {
		return result{}, failf(q, CodeStatement, "WITH RECURSIVE does not run, in Flink either").
			WithHint("join the table with itself once for each level")
	}
	for _, t := range q.Tables {
		r, err := w.query(t.Query, outer)
		if err != nil {
			return result{}, err
		}
		if len(t.Columns) > 0 {
			if len(t.Columns) != len(r.schema) {
				return result{}, failf(t.Name, CodeShape, "%s lists %d columns, but its query has %d",
					t.Name.Name, len(t.Columns), len(r.schema)).
					WithHint("%s", nameEach(r.schema.Names()))
			}
			r.schema = renamed(r.schema, t.Columns)
		}
		w.ctes = append(w.ctes[:len(w.ctes):len(w.ctes)], commonTable{t.Name.Name, r})
	}
	return w.query(q.Body, outer)
}

func renamed(s logical.Schema, names []syntax.Ident) logical.Schema {
	out := append(logical.Schema(nil), s...)
	for i, n := range names {
		out[i].Name = n.Name
	}
	return out
}
