package bind

import (
	"errors"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// Binder binds statements of one session.
type Binder struct {
	cat *catalog.Catalog
	env *function.Env
	// record takes what Flink has for pieces of statements; nil: nobody asks.
	record *[]syntax.Rewrite
	// made are the names of temporary tables that stand for files, by their declarations; kept are those of them whose
	// declarations are written.
	made, kept map[string]string
	// idle are the hints of the statements bound since Idle was asked that change nothing here.
	idle []string
}

// New makes a binder over a session's catalog. env is what constant expressions are computed with.
func New(cat *catalog.Catalog, env *function.Env) *Binder { return &Binder{cat: cat, env: env} }

// Query binds a query of the statement text. The plan has no sink: its rows are the result.
func (b *Binder) Query(q syntax.Query, text string) (logical.Plan, error) {
	w := b.work(text)
	r, err := w.query(q, nil)
	if err != nil {
		return nil, err
	}
	if err := w.final(q, r.schema); err != nil {
		return nil, err
	}
	if w.missing != nil {
		return nil, w.missing
	}
	if err := w.bounded(q, r.plan); err != nil {
		return nil, err
	}
	return rename(r), nil
}

// maxNodes is the largest plan, counted as a tree: tables that refer to others twice double it each time.
const maxNodes = 20000

// bounded refuses plans that unfold to more nodes than any real query has, and those that a stream cannot run.
func (w *work) bounded(at syntax.Node, p logical.Plan) error {
	if count(p, maxNodes) <= 0 {
		return failf(at, syntax.CodeLimit, "the query unfolds to more than the limit of %d plan nodes", maxNodes)
	}
	err := w.streamed(p)
	var e *syntax.Error
	if errors.As(err, &e) && e.Span.End == 0 { // the text of a view is not this statement's
		e.Span = at.At()
	}
	return err
}

// count subtracts the nodes of p from left and stops at zero.
func count(p logical.Plan, left int) int {
	left--
	for _, in := range p.Inputs() {
		if left <= 0 {
			break
		}
		left = count(in, left)
	}
	return left
}

// work is the binding of one statement, or of the body of a view.
type work struct {
	*Binder
	// missing is the first thing that is valid and not built. Binding goes on behind it, so that wrong
	// names and types are told first; whoever asked for a plan gets it instead of one.
	missing *syntax.Error
	// outers collects the columns of queries around a subquery that may be taken out of it; nil: none may.
	outers *outers
	// ctes are the common tables in sight, inner ones last.
	ctes []commonTable
	// catalog and database are where names of fewer than three parts are looked up.
	catalog, database string
	// apart is set where positions belong to another text than the statement: in views and tables.
	apart bool
	// aliased is set while a function is called by a name that the user gave it.
	aliased bool
	// text is the text of the statement, for definitions that are kept as written.
	text string
	// pushed are options for the tables inside the built-in view being expanded.
	pushed []catalog.Option
	// expanded are the views bound so far in this statement.
	expanded map[*catalog.Table]expansion
	// views are those being expanded, outermost first.
	views []catalog.Name
}

// commonTable is a bound WITH item.
type commonTable struct {
	name string
	rel  result
}

func (b *Binder) work(text string) *work {
	c, d := b.cat.Current()
	return &work{Binder: b, catalog: c, database: d, text: text, expanded: map[*catalog.Table]expansion{}}
}

// batch tells that a statement sees its inputs whole, to their ends.
func (w *work) batch() bool { return w.cat.Settings().Mode == "BATCH" }

// lack records something that is not built.
func (w *work) lack(at syntax.Node, what, hint string) {
	if w.missing == nil {
		w.missing = syntax.NotSupported(at.At(), what, hint)
	}
}

// lackKey records keys of a type by whose values rows are not grouped or ordered; those of VARIANT cannot be.
func (w *work) lackKey(at syntax.Node, what string, t types.Type, hint string) {
	if t.HasVariant() && w.missing == nil {
		w.missing = failf(at, CodeType, "%s %s: values of VARIANT are neither compared nor ordered", what, t.WithNull(true)).
			WithHint("CAST what is in them, as in CAST(v['name'] AS STRING)")
		return
	}
	w.lack(at, what+" "+t.WithNull(true).String(), hint)
}

// failf makes an error about a node.
func failf(at syntax.Node, code syntax.Code, format string, args ...any) *syntax.Error {
	return syntax.Errorf(code, at.At(), format, args...)
}

// suggest is the hint for an unknown name: the nearest of the valid ones, then all of them.
func suggest(word, kind string, valid []string) string {
	if len(valid) == 0 {
		return "there are no " + kind + noneMade[kind]
	}
	var parts []string
	if near := option.Nearest(word, valid); near != "" {
		parts = append(parts, "did you mean '"+near+"'?")
	}
	list := valid
	const most = 40
	tail := ""
	if len(list) > most {
		list, tail = list[:most], ", …"
	}
	parts = append(parts, kind+": "+strings.Join(list, ", ")+tail)
	return strings.Join(parts, "  ")
}

// noneMade says, where there are no objects of a kind, what makes one.
var noneMade = map[string]string{
	"tables": ": CREATE TABLE makes one", "views": ": CREATE VIEW makes one",
	"created functions": ": CREATE FUNCTION makes one, and DROP FUNCTION IF EXISTS passes over what is missing",
}

// position puts an error without a place of its own at a node; errors that have one pass.
func position(err error, at syntax.Node, code syntax.Code) error {
	var e *syntax.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	var apart *apartError
	if errors.As(err, &apart) {
		return failf(at, apart.Code, "%s", apart.Msg).WithHint("%s", apart.Hint)
	}
	var o *option.Error
	if errors.As(err, &o) {
		return failf(at, code, "%s", o.Msg).WithHint("%s", o.Hint)
	}
	var c *connector.Error
	if errors.As(err, &c) {
		return failf(at, code, "%s", err.Error()).WithHint("%s", c.Hint)
	}
	return failf(at, code, "%s", err.Error())
}
