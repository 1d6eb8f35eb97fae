package parse_test

import (
	"fmt"
	"reflect"
	"testing"

	"streamsql/planner/syntax"
)

// checkTree fails unless every node's span lies in its parent's and the tree has an end.
func checkTree(t testing.TB, src string, root syntax.Node) {
	t.Helper()
	w := walker{seen: map[uintptr]bool{}}
	w.walk(reflect.ValueOf(root), syntax.Span{End: len(src)}, "")
	if w.fault != "" {
		t.Errorf("%s\n%s", src, w.fault)
	}
}

// walker visits a tree by reflection; seen are the nodes on the way from the root.
type walker struct {
	seen  map[uintptr]bool
	fault string
}

var (
	spanOf = reflect.TypeFor[syntax.Span]()
	keyOf  = reflect.TypeFor[syntax.Option]()

	constraintOf = reflect.TypeFor[syntax.Constraint]()
)

func (w *walker) walk(v reflect.Value, parent syntax.Span, path string) {
	switch v.Kind() {
	case reflect.Interface:
		w.walk(v.Elem(), parent, path)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if w.seen[v.Pointer()] {
			w.fault = path + " leads back to its own parent"
			return
		}
		w.seen[v.Pointer()] = true
		w.walk(v.Elem(), parent, path)
		delete(w.seen, v.Pointer())
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), parent, fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Struct:
		w.fields(v, parent, path)
	}
}

func (w *walker) fields(v reflect.Value, parent syntax.Span, path string) {
	if v.Type() == spanOf || v.Type() == keyOf || v.IsZero() {
		return
	}
	if f := v.FieldByName("Span"); f.IsValid() && f.Type() == spanOf {
		own := f.Interface().(syntax.Span)
		if own.Pos < parent.Pos || own.End > parent.End || own.End <= own.Pos {
			w.fault = fmt.Sprintf("%s %v outside of its parent %v", path, own, parent)
			return
		}
		parent = own
	}
	for i := range v.NumField() {
		if v.Type() == constraintOf && v.Type().Field(i).Name == "Columns" {
			continue // a column's own constraint names the column before it
		}
		w.walk(v.Field(i), parent, path+"."+v.Type().Field(i).Name)
	}
}
