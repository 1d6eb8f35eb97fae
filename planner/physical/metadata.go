package physical

import (
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// readsMetadata checks that a connector has the metadata columns of a table that it reads.
func readsMetadata(d *connector.Definition, t *connector.Table) error {
	for _, c := range t.Columns {
		if c.Metadata != "" && !d.Metadata {
			return noMetadata(t.Name, fmt.Sprintf("the column '%s' is metadata '%s', and the connector '%s' has none", c.Name, c.Metadata, d.Name),
				"leave METADATA out, or compute the column: c AS expression")
		}
	}
	return nil
}

// writesMetadata checks that a table which is written to has no metadata columns but VIRTUAL ones: no connector takes them.
func writesMetadata(d *connector.Definition, t *catalog.Table) error {
	for _, c := range t.Persisted() {
		if c.Kind == syntax.Metadata {
			return noMetadata(t.Name.Object, fmt.Sprintf("the column '%s' is metadata, which the connector '%s' does not write", c.Name, d.Name),
				"declare it METADATA VIRTUAL: it is then read and not written")
		}
	}
	return nil
}

func noMetadata(table, msg, hint string) error {
	e := &option.Error{}
	e.Msg, e.Hint = msg, hint
	return fmt.Errorf("table '%s': %w", table, e)
}
