package filesystem

import (
	"github.com/parquet-go/parquet-go"
	pf "github.com/parquet-go/parquet-go/format"

	"streamsql/exec/types"
)

// shape is what a group of a file is: a ROW, or an ARRAY or a MAP with the repeated group in it.
type shape struct {
	kind types.Kind
	// repeated is the group, or the leaf, that comes once per element, and kids the element, or key and value.
	repeated *parquet.Column
	kids     []*parquet.Column
}

// shapeOf reads the forms of lists and maps that writers use: a group of one repeated column. A list whose repeated group has a
// single field not called `array` or after the list has that as its element; else the group is the element.
func shapeOf(c *parquet.Column) shape {
	row := shape{kind: types.Row, kids: c.Columns()}
	if len(row.kids) != 1 || !row.kids[0].Repeated() {
		return row
	}
	r := row.kids[0]
	isList, isMap := false, false
	if t := c.Type(); t != nil && t.LogicalType() != nil {
		switch t.LogicalType().Value.(type) {
		case *pf.ListType:
			isList = true
		case *pf.MapType:
			isMap = true
		}
	}
	parts := r.Columns()
	switch {
	case isMap && len(parts) == 2:
		return shape{types.Map, r, parts}
	case isList && len(parts) == 1 && r.Name() != "array" && r.Name() != c.Name()+"_tuple":
		return shape{types.Array, r, parts}
	case isList:
		return shape{types.Array, r, []*parquet.Column{r}}
	}
	return row
}
