package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// Key is a text that two expressions share exactly when they compute the same: names play no part.
func Key(e Expr) string {
	var b strings.Builder
	writeKey(&b, e, func(a Expr) { writeWhole(&b, a) })
	return b.String()
}

func writeWhole(b *strings.Builder, e Expr) {
	writeKey(b, e, func(a Expr) { writeWhole(b, a) })
}

// writeKey writes what e itself adds to a key, and lets arg write its arguments.
func writeKey(b *strings.Builder, e Expr, arg func(Expr)) {
	switch x := e.(type) {
	case *Column:
		fmt.Fprintf(b, "#%d", x.Index)
		return
	case *Const:
		fmt.Fprintf(b, "%q:%s", x.Text, x.T)
		return
	case *Field:
		arg(x.Row)
		fmt.Fprintf(b, ".%d", x.Index)
		return
	case *Call:
		b.WriteString(x.Fn.Name)
	case *Case:
		b.WriteString("CASE")
	case *Logic:
		b.WriteString(map[bool]string{true: "OR", false: "AND"}[x.Or])
	default: // a node of the binder's own
		b.WriteString(e.String())
	}
	b.WriteByte('(')
	for i, a := range e.Args() {
		if i > 0 {
			b.WriteByte(',')
		}
		arg(a)
	}
	b.WriteString("):" + e.Type().String())
}

// keyring numbers expressions: two have the same number exactly when they have the same key. A node's own
// key holds its arguments' numbers, so that deep trees cost no more than their nodes.
type keyring struct {
	known   map[Expr]int
	numbers map[string]int
}

func newKeyring() keyring { return keyring{map[Expr]int{}, map[string]int{}} }

func (r keyring) number(e Expr) int {
	if n, ok := r.known[e]; ok {
		return n
	}
	var b strings.Builder
	writeKey(&b, e, func(a Expr) { b.WriteString("@" + strconv.Itoa(r.number(a))) })
	n, ok := r.numbers[b.String()]
	if !ok {
		n = len(r.numbers)
		r.numbers[b.String()] = n
	}
	r.known[e] = n
	return n
}
