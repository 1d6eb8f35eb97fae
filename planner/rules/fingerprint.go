package rules

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
)

// fingerprint is a text that two nodes share exactly when they are equal, whatever their names are inside.
// Inputs stand in it by number. volatile says that the node does not give the same twice.
func (s *sharing) fingerprint(p logical.Plan) (text string, volatile bool) {
	w := fingerprint{inputs: s.number}
	v := reflect.ValueOf(p)
	fmt.Fprintf(&w, "%s %s ", v.Type(), p.Schema())
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	w.value(v)
	return w.String(), w.volatile
}

type fingerprint struct {
	strings.Builder
	inputs   map[logical.Plan]int
	volatile bool
}

// value writes a node, or a part of one.
func (w *fingerprint) value(v reflect.Value) {
	if v.CanInterface() && w.known(v.Interface()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.WriteString("nil")
			return
		}
		w.value(v.Elem())
	case reflect.Slice:
		fmt.Fprintf(w, "%v[", v.IsNil())
		w.list(v.Len(), v.Index)
	case reflect.Array:
		w.WriteByte('[')
		w.list(v.Len(), v.Index)
	case reflect.Struct:
		w.WriteByte('{')
		w.list(v.NumField(), v.Field)
	case reflect.String:
		fmt.Fprintf(w, "%q", v.String())
	default:
		fmt.Fprintf(w, "%v", v)
	}
}

func (w *fingerprint) list(n int, at func(int) reflect.Value) {
	for i := range n {
		w.value(at(i))
		w.WriteByte(' ')
	}
	w.WriteByte('.')
}

// known writes what stands for itself.
func (w *fingerprint) known(x any) bool {
	switch x := x.(type) {
	case logical.Plan:
		n, ok := w.inputs[x]
		if !ok {
			return false
		}
		fmt.Fprintf(w, "plan %d", n)
	case expr.Expr:
		w.volatile = w.volatile || !expr.Pure(x)
		w.WriteString(expr.Key(x))
	case *catalog.Table:
		if x == nil {
			return false
		}
		fmt.Fprintf(w, "%s %q", x.Name, x.Options)
	case *function.Aggregate, *function.Scalar, *time.Location:
		fmt.Fprintf(w, "%p", x)
	default:
		return false
	}
	return true
}
