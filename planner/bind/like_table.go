package bind

import (
	"slices"

	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// merging is what CREATE TABLE .. LIKE does with each feature of the source: INCLUDING, EXCLUDING or
// OVERWRITING.
type merging map[string]string

var features = []string{"CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS", "WATERMARKS"}

func mergingOf(list []syntax.LikeOption) (merging, error) {
	m := merging{}
	for _, f := range features {
		m[f] = "INCLUDING"
	}
	m["OPTIONS"] = "OVERWRITING"
	seen := map[string]bool{}
	for _, o := range list {
		if seen[o.Feature] {
			return nil, failf(o, CodeDuplicate, "%s stands twice", o.Feature).
				WithHint("leave one of them out")
		}
		seen[o.Feature] = true
		if o.Feature == "ALL" {
			if o.Strategy == "OVERWRITING" {
				return nil, failf(o, CodeDefinition, "OVERWRITING ALL does not exist").
					WithHint("INCLUDING ALL or EXCLUDING ALL")
			}
			for _, f := range features {
				m[f] = o.Strategy
			}
		}
	}
	for _, o := range list {
		if o.Feature == "ALL" {
			continue
		}
		if o.Strategy == "OVERWRITING" && !slices.Contains([]string{"GENERATED", "METADATA", "OPTIONS", "WATERMARKS"}, o.Feature) {
			return nil, failf(o, CodeDefinition, "OVERWRITING %s does not exist", o.Feature).WithHint("INCLUDING or EXCLUDING")
		}
		m[o.Feature] = o.Strategy
	}
	return m, nil
}

// likeTable starts a table from another one, then adds the statement's own columns.
func (w *work) likeTable(s *syntax.CreateTable, t *catalog.Table) error {
	base, err := w.find(s.Like.Source)
	if err != nil {
		return err
	}
	if base.IsView() {
		return failf(s.Like.Source, CodeDefinition, "%s is a view; LIKE takes a table", base.Name.Object).
			WithHint("CREATE TABLE … AS SELECT * FROM %s makes a table of its columns and rows", base.Name.Object)
	}
	m, err := mergingOf(s.Like.Options)
	if err != nil {
		return err
	}
	for _, c := range base.Columns {
		switch c.Kind {
		case syntax.Computed:
			if m["GENERATED"] == "EXCLUDING" {
				continue
			}
		case syntax.Metadata:
			if m["METADATA"] == "EXCLUDING" {
				continue
			}
		}
		t.Columns = append(t.Columns, c)
	}
	if err := w.likeColumns(s, t, m); err != nil {
		return err
	}
	if err := w.likeOptions(s, t, base, m["OPTIONS"]); err != nil {
		return err
	}
	return w.likeClauses(s, t, base, m)
}

// likeColumns adds the statement's columns to those of the source.
func (w *work) likeColumns(s *syntax.CreateTable, t *catalog.Table, m merging) error {
	inherited := len(t.Columns)
	for _, d := range s.Columns {
		c, err := w.column(d)
		if err != nil {
			return err
		}
		at := t.Column(c.Name)
		if at < 0 {
			t.Columns = append(t.Columns, c)
			continue
		}
		kind := map[syntax.ColumnKind]string{syntax.Computed: "GENERATED", syntax.Metadata: "METADATA"}[t.Columns[at].Kind]
		if at >= inherited || kind == "" || m[kind] != "OVERWRITING" || c.Kind != t.Columns[at].Kind {
			e := failf(d.Name, CodeDuplicate, "column '%s' is defined twice", c.Name).
				WithHint("leave one of them out, or give it another name")
			if at < inherited {
				e = failf(d.Name, CodeDuplicate, "column '%s' exists in %s already", c.Name, s.Like.Source.String()).
					WithHint("leave it out, since LIKE takes it over, or give it another name")
				if kind != "" {
					e.Hint = "EXCLUDING " + kind + " or OVERWRITING " + kind
				}
			}
			return e
		}
		t.Columns[at] = c
	}
	return nil
}

func (w *work) likeOptions(s *syntax.CreateTable, t, base *catalog.Table, strategy string) error {
	switch strategy {
	case "EXCLUDING":
		return nil
	case "INCLUDING":
		for _, o := range s.Options {
			if _, ok := base.Option(o.Key); ok {
				return failf(o.KeySpan, CodeDuplicate, "option '%s' is set in %s already", o.Key, base.Name.Object).
					WithHint("OVERWRITING OPTIONS")
			}
		}
	}
	t.Options = base.WithOptions(t.Options).Options
	return nil
}

func (w *work) likeClauses(s *syntax.CreateTable, t, base *catalog.Table, m merging) error {
	if base.Watermark != nil && m["WATERMARKS"] != "EXCLUDING" {
		if len(s.Watermarks) > 0 && m["WATERMARKS"] == "INCLUDING" {
			return failf(s.Watermarks[0], CodeDuplicate, "%s has a WATERMARK already", base.Name.Object).
				WithHint("OVERWRITING WATERMARKS")
		}
		t.Watermark = base.Watermark
	}
	if len(base.PrimaryKey) > 0 && m["CONSTRAINTS"] == "INCLUDING" {
		if len(s.Constraints) > 0 {
			return failf(s.Constraints[0], CodeDuplicate, "%s has a primary key already", base.Name.Object).
				WithHint("EXCLUDING CONSTRAINTS")
		}
		t.PrimaryKey, t.KeyName = base.PrimaryKey, base.KeyName
	}
	if len(base.PartitionKeys) > 0 && m["PARTITIONS"] == "INCLUDING" {
		if len(s.PartitionBy) > 0 {
			return failf(s.PartitionBy[0], CodeDuplicate, "%s is partitioned already", base.Name.Object).
				WithHint("EXCLUDING PARTITIONS")
		}
		t.PartitionKeys = base.PartitionKeys
	}
	if base.Distribution != nil && m["DISTRIBUTION"] == "INCLUDING" {
		if s.Distributed != nil {
			return failf(s.Distributed, CodeDuplicate, "%s is distributed already", base.Name.Object).
				WithHint("EXCLUDING DISTRIBUTION")
		}
		t.Distribution = base.Distribution
	}
	return nil
}
