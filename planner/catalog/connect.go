package catalog

import (
	"fmt"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/option"
)

// Connect finds the connector of a table and decodes the table's options for it. An error is an
// *option.Error; the definition is nil when there is no such connector.
func (c *Catalog) Connect(t *Table, env *function.Env) (*connector.Definition, *connector.Table, error) {
	name := t.Connector()
	d := c.Connector(name)
	if d == nil {
		e := &option.Error{Key: "connector", Msg: fmt.Sprintf("unknown connector '%s'", name)}
		if name == "" {
			e.Msg = "the option 'connector' is missing"
		}
		if near := option.Nearest(name, c.Connectors()); near != "" {
			e.Hint = fmt.Sprintf("did you mean '%s'?  ", near)
		}
		e.Hint += "connectors: " + strings.Join(c.Connectors(), ", ")
		return nil, nil, e
	}
	values := map[string]string{}
	for _, o := range t.Options {
		if o.Key != "connector" {
			values[o.Key] = o.Value
		}
	}
	out := &connector.Table{Name: t.Name.String(), Env: env}
	if d.Options != nil {
		out.Options = d.Options()
		if err := option.Decode(out.Options, values); err != nil {
			return d, nil, err
		}
	}
	at := map[string]int{}
	for i, col := range t.Stored() {
		at[col.Name] = i
		out.Columns = append(out.Columns, connector.Column{Name: col.Name, Type: col.Type, Metadata: col.Key})
	}
	for _, k := range t.PartitionKeys {
		out.PartitionKeys = append(out.PartitionKeys, at[k])
	}
	for _, k := range t.PrimaryKey {
		out.PrimaryKey = append(out.PrimaryKey, at[k])
	}
	return d, out, nil
}
