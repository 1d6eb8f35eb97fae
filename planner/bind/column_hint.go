package bind

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// nameEach is the hint for a list of names that is not as long as the columns it names.
func nameEach(names []string) string {
	return fmt.Sprintf("name each of its columns (%s), or leave the list out", strings.Join(names, ", "))
}

// giveNames is the same for an alias whose message tells the columns.
func giveNames(n int) string {
	if n == 1 {
		return "give one name, or none"
	}
	return fmt.Sprintf("give %d names, or none", n)
}

// selectFor is the hint for a query that is compared with a number of values and has another number of columns.
func selectFor(values int, columns logical.Schema) string {
	names := strings.Join(columns.Names(), ", ")
	if values == 1 {
		return "the query gives " + names + ": select the one that is compared"
	}
	return fmt.Sprintf("the query gives %s: select %d, as stand on the left", names, values)
}

// oneType is the hint for two values that should have a type in common.
func oneType(a, b expr.Expr) string {
	switch x, y := a.Type().Kind.IsText(), b.Type().Kind.IsText(); {
	case x && !y:
		return fmt.Sprintf("write a CAST: CAST(%s AS STRING)", shortText(b))
	case y && !x:
		return fmt.Sprintf("write a CAST: CAST(%s AS STRING)", shortText(a))
	}
	return "write a CAST"
}

// notRow is the hint for a field of what is no ROW.
func notRow(e expr.Expr, name string) string {
	switch e.Type().Kind {
	case types.Map, types.Variant:
		return fmt.Sprintf("write %s['%s']", e, name)
	case types.Array:
		return fmt.Sprintf("write %s[1] for its first element, or CROSS JOIN UNNEST(%[1]s) for them all", e)
	}
	return fmt.Sprintf("write %s alone", e)
}
