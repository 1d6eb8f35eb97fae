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

// other refuses what is parsed and not built.
func (w *work) other(st syntax.Statement) (*Result, error) {
	switch s := st.(type) {
	case *syntax.LoadModule:
		if s.Name.Name == "core" {
			return nil, failf(s.Name, CodeExists, "module 'core' is loaded already")
		}
		return nil, syntax.NotSupported(s.Span, "LOAD MODULE", "the functions are all built in")
	case *syntax.UnloadModule:
		return nil, syntax.NotSupported(s.Span, "UNLOAD MODULE", "the functions are all built in")
	case *syntax.Update:
		if _, err := w.find(s.Table.Path); err != nil {
			return nil, err
		}
		return nil, syntax.NotSupported(s.Span, "UPDATE", "INSERT INTO a table with a primary key updates it")
	case *syntax.Delete:
		if _, err := w.find(s.Table.Path); err != nil {
			return nil, err
		}
		return nil, syntax.NotSupported(s.Span, "DELETE", "")
	case *syntax.Truncate:
		if _, err := w.find(s.Table); err != nil {
			return nil, err
		}
		return nil, syntax.NotSupported(s.Span, "TRUNCATE", "")
	case *syntax.CompilePlan:
		return nil, syntax.NotSupported(s.Span, "COMPILE PLAN", "EXPLAIN shows the plan")
	case *syntax.ExecutePlan:
		return nil, syntax.NotSupported(s.Span, "EXECUTE PLAN", "")
	case *syntax.Shell:
		return nil, syntax.NotSupported(s.Span, "this command outside the shell", "")
	case *syntax.Unsupported:
		return nil, syntax.NotSupported(s.Span, s.What, s.Hint)
	}
	panic(fmt.Sprintf("bind: statement %T", st))
}
