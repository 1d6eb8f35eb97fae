package physical

import (
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/option"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// Tables opens tables through their connectors.
type Tables struct {
	Catalog *catalog.Catalog
	Env     *function.Env
}

// Source opens a scan's table for reading.
func (t *Tables) Source(s *logical.Scan) (connector.Source, error) {
	source, _, err := t.source(s)
	return source, err
}

// source opens a scan's table, and gives the text of the options that its rows depend on.
func (t *Tables) source(s *logical.Scan) (connector.Source, string, error) {
	d, table, err := t.open(s.Table, t.columns(s))
	if err != nil {
		return nil, "", err
	}
	if d.Source == nil {
		return nil, "", fmt.Errorf("table '%s': the connector '%s' can only be written to", s.Table.Name.Object, d.Name)
	}
	if err := readsMetadata(d, table); err != nil {
		return nil, "", err
	}
	source, err := d.Source(table)
	if err != nil {
		return nil, "", fmt.Errorf("table '%s': %w", s.Table.Name.Object, err)
	}
	return source, option.Text(table.Options), nil
}

// Sink opens a sink's table for writing.
func (t *Tables) Sink(s *logical.Sink) (connector.Sink, error) {
	d, table, err := t.open(s.Table, columnsOf(s.Columns))
	if err != nil {
		return nil, err
	}
	if d.Sink == nil {
		return nil, fmt.Errorf("table '%s': the connector '%s' can only be read from", s.Table.Name.Object, d.Name)
	}
	if err := writesMetadata(d, s.Table); err != nil {
		return nil, err
	}
	sink, err := d.Sink(table)
	if err != nil {
		return nil, fmt.Errorf("table '%s': %w", s.Table.Name.Object, err)
	}
	if s.Overwrite {
		o, ok := sink.(connector.Overwriter)
		if !ok {
			return nil, fmt.Errorf("table '%s': %w", s.Table.Name.Object, &option.Error{
				Msg: fmt.Sprintf("the connector '%s' does not support INSERT OVERWRITE", d.Name), Hint: "write INSERT INTO"})
		}
		if err := o.Overwrite(s.Partition(positions(table.Columns, s.Table.PartitionKeys))); err != nil {
			return nil, fmt.Errorf("table '%s': %w", s.Table.Name.Object, err)
		}
	}
	return sink, nil
}

// columns are a scan's columns as its connector knows them.
func (t *Tables) columns(s *logical.Scan) []connector.Column {
	out := columnsOf(s.Columns)
	for i, c := range s.Table.Stored() {
		if c.Kind == syntax.Metadata {
			out[i].Metadata = c.Key
		}
	}
	return out
}

// open connects a table that is seen as cols.
func (t *Tables) open(c *catalog.Table, cols []connector.Column) (*connector.Definition, *connector.Table, error) {
	d, options, err := t.Catalog.Connect(c)
	if err != nil {
		return nil, nil, fmt.Errorf("table '%s': %w", c.Name.Object, err)
	}
	return d, &connector.Table{Name: c.Name.Object, Columns: cols, Options: options, Env: t.Env,
		PartitionKeys: positions(cols, c.PartitionKeys), PrimaryKey: positions(cols, c.PrimaryKey),
		Watermark: c.Watermark != nil && t.Catalog.Settings().Mode != "BATCH"}, nil
}

func positions(cols []connector.Column, names []string) []int {
	var out []int
	for _, n := range names {
		for i, c := range cols {
			if c.Name == n {
				out = append(out, i)
			}
		}
	}
	return out
}
