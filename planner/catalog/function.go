package catalog

import (
	"slices"
	"strings"
)

// Function is a CREATE FUNCTION: a name for a function that is built in.
type Function struct {
	Name Name
	// Class is what stood in AS '..'; Builtin is the function that it means, empty when the class is
	// not known: using it is the error.
	Class, Builtin string
	Language       string
	Temporary      bool
	System         bool
}

// functionKey is a name without case. Temporary system functions have no catalog and no database.
type functionKey struct {
	name      Name
	temporary bool
}

func keyOf(n Name, temporary bool) functionKey {
	return functionKey{Name{n.Catalog, n.Database, strings.ToLower(n.Object)}, temporary}
}

// classes are the last segments of the class names of user functions that this engine has built in.
var classes = map[string]string{
	"COUNTCHAR": "COUNT_CHAR",
}

// BuiltinOf is the built-in function that a class stands for, or "".
func BuiltinOf(class string) string {
	last := class[strings.LastIndexAny(class, ".$")+1:]
	return classes[strings.ToUpper(last)]
}

// PutFunction adds or replaces a function.
func (c *Catalog) PutFunction(f Function) { c.functions[keyOf(f.Name, f.Temporary)] = f }

// DropFunction removes a function and tells whether it was there.
func (c *Catalog) DropFunction(n Name, temporary bool) bool {
	k := keyOf(n, temporary)
	_, ok := c.functions[k]
	delete(c.functions, k)
	return ok
}

// HasFunction tells whether exactly this function was created.
func (c *Catalog) HasFunction(n Name, temporary bool) bool {
	_, ok := c.functions[keyOf(n, temporary)]
	return ok
}

// Function finds a created function: a temporary system function, then a temporary one, then a permanent
// one.
func (c *Catalog) Function(n Name) (Function, bool) {
	for _, k := range []functionKey{keyOf(Name{Object: n.Object}, true), keyOf(n, true), keyOf(n, false)} {
		if f, ok := c.functions[k]; ok {
			return f, true
		}
	}
	return Function{}, false
}

// Functions lists the names of the functions that were created in a database, and of temporary system
// functions.
func (c *Catalog) Functions(catalog, database string) []string {
	var out []string
	for k, f := range c.functions {
		if f.System || (k.name.Catalog == catalog && k.name.Database == database) {
			out = append(out, f.Name.Object)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
