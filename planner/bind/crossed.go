package bind

import (
	"fmt"

	"streamsql/planner/syntax"
)

// Crossed tells of an INSERT by position whose query has a column under the name of another column of the target.
func (b *Binder) Crossed(i *syntax.Insert, text string) []string {
	w := b.work(text)
	t, err := w.find(i.Target)
	if err != nil || len(i.Columns) > 0 || len(i.Partition) > 0 || i.ByName != (syntax.Span{}) {
		return nil
	}
	r, err := w.query(i.Query, nil)
	if err != nil {
		return nil
	}
	var out []string
	target := t.Persisted()
	for k, c := range r.schema {
		if k < len(target) && c.Name != target[k].Name && t.Column(c.Name) >= 0 {
			out = append(out, fmt.Sprintf("column '%s' of the query goes to column '%s' of %s, which has a '%s' too: columns go by their "+
				"places, unless BY NAME or a list of columns says otherwise", c.Name, target[k].Name, t.Name.Object, c.Name))
		}
	}
	return out
}
