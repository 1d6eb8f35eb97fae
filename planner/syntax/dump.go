package syntax

import (
	"fmt"
	"reflect"
	"strings"
)

// Dump writes a tree as indented text, one node a line: the field it stands in, its type,
// its span if spans is set, and its plain fields that are not zero. Tests compare it.
func Dump(n Node, spans bool) string {
	d := dumper{spans: spans}
	d.node("", reflect.ValueOf(n), 0)
	return d.b.String()
}

type dumper struct {
	b     strings.Builder
	spans bool
}

var (
	spanType  = reflect.TypeFor[Span]()
	identType = reflect.TypeFor[Ident]()
	pathType  = reflect.TypeFor[Path]()
	nodeType  = reflect.TypeFor[Node]()
	textType  = reflect.TypeFor[fmt.Stringer]()
)

// node writes one struct and, below it, the nodes it holds.
func (d *dumper) node(field string, v reflect.Value, depth int) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	d.b.WriteString(strings.Repeat("  ", depth))
	if field != "" {
		d.b.WriteString(field + ": ")
	}
	d.b.WriteString(v.Type().Name())
	var below []int
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case f.Type() == spanType && v.Type().Field(i).Anonymous:
			if s := f.Interface().(Span); d.spans {
				fmt.Fprintf(&d.b, " @%d-%d", s.Pos, s.End)
			}
		case f.Type() == spanType || absent(f):
		case plain(f.Type()):
			fmt.Fprintf(&d.b, " %s=%s", v.Type().Field(i).Name, plainText(f))
		default:
			below = append(below, i)
		}
	}
	d.b.WriteByte('\n')
	for _, i := range below {
		d.field(v.Type().Field(i).Name, v.Field(i), depth+1)
	}
}

// field writes the nodes of one field: one, or each of a list.
func (d *dumper) field(name string, f reflect.Value, depth int) {
	if f.Kind() != reflect.Slice {
		d.node(name, f, depth)
		return
	}
	for i := range f.Len() {
		if e := f.Index(i); e.Kind() == reflect.Slice {
			fmt.Fprintf(&d.b, "%s%s[%d]: %s\n", strings.Repeat("  ", depth), name, i, plainText(e))
		} else {
			d.node(fmt.Sprintf("%s[%d]", name, i), e, depth)
		}
	}
}

// absent reports whether a field says nothing: it is zero and no enumeration with names; an
// integer is absent when it is Unset.
func absent(f reflect.Value) bool {
	if f.Kind() == reflect.Int {
		return f.Int() == Unset
	}
	return f.IsZero() && !(f.Kind() == reflect.Uint8 && f.Type().Implements(textType))
}

// plain reports whether values of a type are written inside their node's line.
func plain(t reflect.Type) bool {
	switch {
	case t == identType, t == pathType, t == reflect.PointerTo(identType), t == reflect.PointerTo(pathType):
		return true
	case t.Kind() == reflect.Slice:
		return t.Elem() == identType || !t.Elem().Implements(nodeType) && plain(t.Elem())
	case t.Kind() == reflect.Pointer:
		return t.Elem().Kind() == reflect.String
	case t == reflect.TypeFor[ColumnPlace]():
		return true
	}
	return t.Kind() != reflect.Struct && t.Kind() != reflect.Interface
}

func plainText(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case Ident:
		return identText(x)
	case *Ident:
		return identText(*x)
	case []Ident:
		texts := make([]string, len(x))
		for i, id := range x {
			texts[i] = identText(id)
		}
		return strings.Join(texts, ".")
	case Path:
		return plainText(reflect.ValueOf(x.Parts))
	case *Path:
		return plainText(reflect.ValueOf(x.Parts))
	case *string:
		return fmt.Sprintf("%q", *x)
	case ColumnPlace:
		if x.After != nil {
			return "AFTER " + identText(*x.After)
		}
		return "FIRST"
	}
	if v.Kind() == reflect.String {
		return fmt.Sprintf("%q", v.String())
	}
	if v.Type().Implements(textType) {
		return v.Interface().(fmt.Stringer).String()
	}
	return fmt.Sprint(v.Interface())
}

func identText(id Ident) string {
	if id.Quoted {
		return "`" + id.Name + "`"
	}
	return id.Name
}
