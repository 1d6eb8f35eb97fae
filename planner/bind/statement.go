package bind

import (
	"fmt"

	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// Result is what a statement about the catalog or the session gives: rows of text.
type Result struct {
	// Columns are the names of the result's columns; none when the statement only succeeds.
	Columns []string
	// Types are the SQL types of the columns.
	Types []types.Type
	Rows  [][]string
	// Nulls marks the cells that are NULL, row by row; nil when there are none.
	Nulls    [][]bool
	Warnings []string
}

// Statement carries out a statement that runs no job. text is what the positions in st refer to.
func (b *Binder) Statement(st syntax.Statement, text string) (*Result, error) {
	w := b.work(text)
	r, err := w.statement(st)
	if err != nil {
		return nil, err
	}
	if r == nil {
		r = &Result{}
	}
	return r, nil
}

func (w *work) statement(st syntax.Statement) (*Result, error) {
	switch s := st.(type) {
	case *syntax.CreateTable:
		return w.createTable(s)
	case *syntax.CreateView:
		return w.createView(s)
	case *syntax.CreateFunction:
		return w.createFunction(s)
	case *syntax.CreateDatabase:
		return nil, w.createDatabase(s)
	case *syntax.CreateCatalog:
		return nil, w.createCatalog(s)
	case *syntax.Drop:
		return nil, w.drop(s)
	case *syntax.AlterTable:
		return w.alterTable(s)
	case *syntax.AlterView:
		return nil, w.alterView(s)
	case *syntax.AlterDatabase:
		return nil, w.alterDatabase(s)
	case *syntax.AlterCatalog:
		return nil, w.alterCatalog(s)
	case *syntax.AlterFunction:
		return w.alterFunction(s)
	case *syntax.Describe:
		return w.describe(s)
	case *syntax.Show:
		return w.show(s)
	case *syntax.Set:
		return w.set(s)
	case *syntax.Reset:
		return nil, w.reset(s)
	case *syntax.Use:
		return nil, w.use(s)
	}
	return w.other(st)
}

// other carries out statements about modules, and refuses what is parsed and not built.
func (w *work) other(st syntax.Statement) (*Result, error) {
	switch s := st.(type) {
	case *syntax.LoadModule:
		return nil, w.loadModule(s)
	case *syntax.UnloadModule:
		return nil, w.unloadModule(s)
	case *syntax.Update:
		return nil, w.rowLevel(s, "UPDATE", "update rows", s.Table.Path)
	case *syntax.Delete:
		return nil, w.rowLevel(s, "DELETE", "delete rows", s.Table.Path)
	case *syntax.Truncate:
		return nil, w.rowLevel(s, "TRUNCATE TABLE", "be emptied", s.Table)
	case *syntax.CompilePlan:
		return nil, syntax.NotSupported(s.Span, "COMPILE PLAN", "EXPLAIN shows the plan")
	case *syntax.ExecutePlan:
		return nil, syntax.NotSupported(s.Span, "EXECUTE PLAN", "")
	case *syntax.Shell:
		return nil, syntax.NotSupported(s.Span, "this command outside the shell", "")
	case *syntax.Unsupported:
		if s.Refused != "" && !(s.InBatch && w.batch()) {
			return nil, failf(s, CodeStatement, "%s: %s", s.What, s.Refused).WithHint("%s", s.Hint)
		}
		return nil, syntax.NotSupported(s.Span, s.What, s.Hint)
	}
	panic(fmt.Sprintf("bind: statement %T", st))
}

// rowLevel refuses a statement that changes single rows of a table.
func (w *work) rowLevel(at syntax.Node, name, does string, table syntax.Path) error {
	t, err := w.find(table)
	if err != nil {
		return err
	}
	if !w.batch() {
		return failf(at, CodeStatement, "%s runs in batch mode alone, on tables whose connector can %s", name, does).
			WithHint("INSERT INTO a table with a primary key replaces its rows")
	}
	return failf(at, CodeStatement, "the connector of table '%s' cannot %s", t.Name.Object, does).
		WithHint("INSERT OVERWRITE replaces the files of a table")
}
