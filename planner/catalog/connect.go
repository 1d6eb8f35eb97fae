package catalog

import (
	"fmt"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

// Connect finds the connector of a table and decodes the table's options for it. An error is an
// *option.Error; the definition is nil when there is no such connector.
func (c *Catalog) Connect(t *Table) (d *connector.Definition, options any, err error) {
	name := t.Connector()
	d = c.Connector(name)
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
	options = d.Options()
	if err := option.Decode(options, values); err != nil {
		return d, nil, err
	}
	return d, options, nil
}
