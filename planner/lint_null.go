package planner

import (
	"fmt"
	"reflect"

	"streamsql/planner/syntax"
)

// neverTrue remarks comparisons with NULL, which hold for no row.
func neverTrue(st syntax.Statement, remark func(at syntax.Node, what string)) {
	expressions(reflect.ValueOf(st), func(n any) {
		switch x := n.(type) {
		case *syntax.Binary:
			if comparison(x.Op) && (isNull(x.Left) || isNull(x.Right)) {
				remark(x, fmt.Sprintf("%s NULL is true of no row: %s", x.Op, instead(x.Op)))
			}
		case *syntax.In:
			for _, e := range x.List {
				if !isNull(e) {
					continue
				}
				if x.Not {
					remark(x, "NOT IN over a list with NULL is true of no row: leave NULL out, or write AND x IS NOT NULL beside it")
				} else {
					remark(x, "IN finds no NULL, also where its list has one: write OR x IS NULL beside it")
				}
				break
			}
		}
	})
}

func isNull(e syntax.Expr) bool {
	l, ok := e.(*syntax.Literal)
	return ok && l.Kind == syntax.NullLiteral
}

func comparison(op syntax.BinaryOp) bool {
	return op >= syntax.Eq && op <= syntax.Ge
}

// instead is what was probably meant by a comparison with NULL.
func instead(op syntax.BinaryOp) string {
	switch op {
	case syntax.Eq:
		return "write IS NULL"
	case syntax.Ne:
		return "write IS NOT NULL"
	}
	return "NULL is in no order"
}

// expressions visits the nodes below one, by its fields: a statement has many kinds of them.
func expressions(v reflect.Value, visit func(n any)) {
	switch v.Kind() {
	case reflect.Interface:
		expressions(v.Elem(), visit)
	case reflect.Pointer:
		if !v.IsNil() && v.CanInterface() {
			visit(v.Interface())
			expressions(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			expressions(v.Index(i), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				expressions(v.Field(i), visit)
			}
		}
	}
}
