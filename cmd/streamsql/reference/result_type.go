package reference

import (
	"regexp"
	"strings"

	"streamsql/exec/function"
	"streamsql/exec/types"
)

// samples are types that stand for the families of arguments in the forms of functions. The n-th ones of a form's
// families are tried together.
var samples = map[string][]types.Type{
	"ANY":                         {types.Of(types.Int), types.String()},
	"ARRAY":                       {types.ArrayOf(types.Of(types.Int)), types.ArrayOf(types.String())},
	"BINARY":                      {types.Bytes()},
	"BOOLEAN":                     {types.Of(types.Boolean)},
	"CHARACTER":                   {types.String()},
	"COMPARABLE":                  {types.Of(types.Int), types.String()},
	"DATETIME":                    {types.TimestampOf(3), types.TimestampLTZOf(3), types.Of(types.Date)},
	"DATETIME_INTERVAL":           {types.TimestampOf(3), types.TimestampLTZOf(3), types.Of(types.Date)},
	"ELEMENT":                     {types.Of(types.Int), types.String()},
	"EXACT_NUMERIC":               numbers[:3],
	"INTEGER":                     {types.Of(types.Int)},
	"INTERVAL":                    {types.Of(types.IntervalDay), types.Of(types.IntervalMonth)},
	"KEY":                         {types.String()},
	"MAP":                         {types.MapOf(types.String(), types.Of(types.Int))},
	"MULTISET":                    {types.MultisetOf(types.String())},
	"NUMERIC":                     numbers,
	"NUMERIC or ARRAY of NUMERIC": {types.Of(types.Double), types.ArrayOf(types.Of(types.Double))},
	"ROWTIME":                     {types.TimestampOf(3), types.TimestampLTZOf(3)},
	"ROW":                         {types.RowOf(types.Field{Name: "a", Type: types.Of(types.Int)})},
	"STRING":                      {types.String()},
	"TEMPORAL":                    {types.TimestampOf(3), types.Of(types.Date)},
	"TIMESTAMP":                   {types.TimestampOf(3)},
	"VALUE":                       {types.Of(types.Int)},
	"VARIANT":                     {types.Of(types.Variant)},
}

var numbers = []types.Type{types.Of(types.Int), types.Of(types.BigInt), types.DecimalOf(10, 2), types.Of(types.Float),
	types.Of(types.Double)}

var family = regexp.MustCompile(`<([A-Z][^<>]*)>`)

// resultTypes are the types of a function's results: one for all arguments, or a line for each list of them.
// It is empty where no sample stands for the arguments, such as words, or where they have to be constants.
func resultTypes(list []string, of func([]function.Arg) (function.Signature, error)) string {
	var lines []string
	same, one := true, ""
	seen := map[string]bool{}
	for _, form := range list {
		families := family.FindAllStringSubmatch(required(form), -1)
		n := 1
		for _, m := range families {
			n = max(n, len(samples[m[1]]))
		}
		for i := range n {
			arguments, result := tried(families, i, of)
			if result == "" || seen[arguments] {
				continue
			}
			seen[arguments] = true
			same = same && (one == "" || one == result)
			one = result
			lines = append(lines, arguments+" -> "+result)
		}
	}
	if same {
		return one
	}
	return strings.Join(lines, "\n")
}

// tried is the type of the result for the i-th samples of families, empty where they are refused or there are none.
func tried(families [][]string, i int, of func([]function.Arg) (function.Signature, error)) (arguments, result string) {
	var args []function.Arg
	var names []string
	for _, m := range families {
		list := samples[m[1]]
		if len(list) == 0 {
			return "", ""
		}
		t := list[min(i, len(list)-1)]
		args = append(args, function.Arg{Type: t})
		names = append(names, t.String())
	}
	s, err := of(args)
	if err != nil {
		return "", ""
	}
	return strings.Join(names, ", "), s.Result.String()
}

// required is a form without what may be left out of it. Brackets right behind a word or an argument belong to the form,
// but where they hold a comma's continuation.
func required(form string) string {
	var b strings.Builder
	depth := 0
	for i, c := range form {
		switch {
		case c == '[' && (depth > 0 || optional(form, i)):
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func optional(form string, i int) bool {
	if i == 0 || strings.HasPrefix(form[i:], "[,") {
		return true
	}
	before := form[i-1]
	return before != '>' && (before < 'A' || before > 'Z')
}
