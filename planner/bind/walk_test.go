package bind

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"testing"

	"streamsql/planner/syntax"
)

// nodes has one of each kind of expression; TestChildren compares the list with the declarations.
var nodes = []syntax.Expr{
	&syntax.Name{}, &syntax.Star{}, &syntax.Literal{}, &syntax.Interval{}, &syntax.UnitArg{}, &syntax.Keyword{}, &syntax.Unary{},
	&syntax.Binary{}, &syntax.Between{}, &syntax.In{}, &syntax.Like{}, &syntax.Is{}, &syntax.Case{}, &syntax.Cast{},
	&syntax.Call{}, &syntax.Row{}, &syntax.Collection{}, &syntax.Index{}, &syntax.Field{}, &syntax.Subquery{},
	&syntax.Exists{}, &syntax.Quantified{}, &syntax.IntervalOf{}, &syntax.TableArg{}, &syntax.Descriptor{}, &syntax.Default{},
}

var exprType = reflect.TypeFor[syntax.Expr]()

// TestChildren: walking an expression misses none of those that stand in it.
func TestChildren(t *testing.T) {
	declared := declaredExprs(t)
	for _, n := range nodes {
		name := reflect.TypeOf(n).Elem().Name()
		if !declared[name] {
			t.Errorf("%s is no expression any more", name)
		}
		delete(declared, name)
		var marks []syntax.Expr
		mark(reflect.ValueOf(n).Elem(), &marks, 4)
		seen := map[syntax.Expr]bool{}
		for _, c := range children(n) {
			seen[c] = true
		}
		for _, m := range marks {
			if !seen[m] {
				t.Errorf("an expression in %s.%s is not walked", name, m.(*syntax.Literal).Text)
			}
		}
	}
	for name := range declared {
		t.Errorf("%s is missing in the list of this test", name)
	}
}

// mark puts an expression of its own into each place for one.
func mark(v reflect.Value, marks *[]syntax.Expr, depth int) {
	if depth == 0 {
		return // types hold types
	}
	for i := range v.NumField() {
		f, at := v.Type().Field(i), v.Field(i)
		switch {
		case f.Type == reflect.TypeFor[*syntax.TableName](): // as a query, it is not entered
		case f.Type == exprType:
			m := &syntax.Literal{Text: f.Name}
			*marks = append(*marks, m)
			at.Set(reflect.ValueOf(m))
		case f.Type.Kind() == reflect.Slice && f.Type.Elem() == exprType:
			m := &syntax.Literal{Text: f.Name}
			*marks = append(*marks, m)
			at.Set(reflect.Append(at, reflect.ValueOf(m)))
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			at.Set(reflect.MakeSlice(f.Type, 1, 1))
			mark(at.Index(0), marks, depth-1)
		case f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct:
			at.Set(reflect.New(f.Type.Elem()))
			mark(at.Elem(), marks, depth-1)
		case f.Type.Kind() == reflect.Struct:
			mark(at, marks, depth-1)
		}
	}
}

// declaredExprs are the names of the types that the syntax declares as expressions.
func declaredExprs(t *testing.T) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob("../syntax/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil && d.Name.Name == "expr" {
				out[d.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name] = true
			}
		}
	}
	return out
}
