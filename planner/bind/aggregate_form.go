package bind

import (
	"strings"

	"streamsql/exec/function"
	"streamsql/planner/syntax"
)

// overForms are the argument lists of the functions over rows that exec/function does not declare.
var overForms = map[string]string{
	"ROW_NUMBER":   "ROW_NUMBER() OVER (PARTITION BY … ORDER BY …)",
	"RANK":         "RANK() OVER (PARTITION BY … ORDER BY …)",
	"DENSE_RANK":   "DENSE_RANK() OVER (PARTITION BY … ORDER BY …)",
	"PERCENT_RANK": "PERCENT_RANK() OVER (PARTITION BY … ORDER BY …)",
	"CUME_DIST":    "CUME_DIST() OVER (PARTITION BY … ORDER BY …)",
	"NTILE":        "NTILE(4) OVER (PARTITION BY … ORDER BY …): the number of parts",
	"LAG":          "LAG(x), LAG(x, 1) or LAG(x, 1, 0) OVER (PARTITION BY … ORDER BY …): the value, rows back, what stands for none",
	"LEAD":         "LEAD(x), LEAD(x, 1) or LEAD(x, 1, 0) OVER (PARTITION BY … ORDER BY …): the value, rows ahead, what stands for none",
	"GROUPING":     "GROUPING(k), where k is a key of GROUP BY",
	"GROUPING_ID":  "GROUPING_ID(k, …), where k is a key of GROUP BY",
	"GROUP_ID":     "GROUP_ID()",
}

// aggregateForm is the hint that says which arguments a function over many rows takes.
func aggregateForm(name string) string {
	if form := overForms[name]; form != "" {
		return "it takes " + form
	}
	if fn := function.LookupAggregate(name); fn != nil && len(fn.Forms) > 0 {
		return "it takes " + strings.Join(fn.Forms, ", or ")
	}
	return "it takes " + name + "(x)"
}

// starForm is the hint for a star in a call that takes none.
func starForm(name string) string {
	return aggregateForm(name) + "; COUNT(*) counts rows"
}

// callText is a call without its arguments, for hints.
func callText(e *syntax.Call, name string) string {
	switch {
	case e.Star:
		return name + "(*)"
	case len(e.Args) == 0:
		return name + "()"
	}
	return name + "(…)"
}
