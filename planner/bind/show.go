package bind

import (
	"slices"
	"strings"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// list is a result of one column of names.
func list(column string, names []string) *Result {
	r := &Result{Columns: []string{column}, Types: []types.Type{types.String()}}
	for _, n := range names {
		r.Rows = append(r.Rows, []string{n})
	}
	return r
}

// show answers SHOW.
func (w *work) show(s *syntax.Show) (*Result, error) {
	switch s.Kind {
	case syntax.ShowTables, syntax.ShowViews:
		return w.showTables(s)
	case syntax.ShowColumns:
		return w.showColumns(s)
	case syntax.ShowFunctions:
		return w.showFunctions(s)
	case syntax.ShowDatabases:
		c := w.catalog
		if s.From != nil {
			c = s.From.Last()
			if !w.cat.HasCatalog(c) {
				return nil, failf(s.From, CodeTable, "catalog '%s' not found", c).
					WithHint("%s", suggest(c, "catalogs", w.cat.Catalogs()))
			}
		}
		return w.matching(s, list("database name", w.cat.Databases(c)))
	case syntax.ShowCatalogs:
		return w.matching(s, list("catalog name", w.cat.Catalogs()))
	case syntax.ShowCurrentCatalog:
		return list("current catalog name", []string{w.catalog}), nil
	case syntax.ShowCurrentDatabase:
		return list("current database name", []string{w.database}), nil
	case syntax.ShowCreateTable, syntax.ShowCreateView:
		return w.showCreate(s)
	case syntax.ShowCreateCatalog:
		return w.showCreateCatalog(s)
	case syntax.ShowModules:
		return w.showModules(s), nil
	case syntax.ShowMaterializedTables:
		return list("materialized table", nil), nil
	case syntax.ShowModels:
		return list("model name", nil), nil
	case syntax.ShowPartitions:
		return w.showPartitions(s)
	}
	if s.Kind == syntax.ShowProcedures {
		return nil, failf(s, CodeStatement, "catalog '%s' has no procedures", w.catalog).
			WithHint("SHOW FUNCTIONS lists what a query can call")
	}
	return nil, syntax.NotSupported(s.Span, "SHOW "+string(s.Kind), "")
}

// matching keeps the rows whose first cell fits LIKE.
func (w *work) matching(s *syntax.Show, r *Result) (*Result, error) {
	if s.Like == nil {
		return r, nil
	}
	pattern := *s.Like
	if s.ILike {
		pattern = strings.ToLower(pattern)
	}
	m, err := kernel.CompileLike(pattern, 0)
	if err != nil {
		return nil, position(err, s, CodeLiteral)
	}
	r.Rows = slices.DeleteFunc(r.Rows, func(row []string) bool {
		name := row[0]
		if s.ILike {
			name = strings.ToLower(name)
		}
		return m.Match([]byte(name)) == s.NotLike
	})
	return r, nil
}

func (w *work) showTables(s *syntax.Show) (*Result, error) {
	c, d := w.catalog, w.database
	if s.From != nil {
		var err error
		if c, d, err = w.findDatabase(*s.From); err != nil {
			return nil, err
		}
	}
	views := s.Kind == syntax.ShowViews
	var names []string
	for _, t := range w.cat.Tables(c, d) {
		if !views || t.IsView() {
			names = append(names, t.Name.Object)
		}
	}
	column := "table name"
	if views {
		column = "view name"
	}
	return w.matching(s, list(column, names))
}

func (w *work) showColumns(s *syntax.Show) (*Result, error) {
	t, err := w.find(*s.From)
	if err != nil {
		return nil, err
	}
	r, err := w.columnsResult(t)
	if err != nil {
		return nil, err
	}
	return w.matching(s, r)
}

func (w *work) showFunctions(s *syntax.Show) (*Result, error) {
	names := w.cat.Functions(w.catalog, w.database)
	if !s.User && w.cat.UsesModule(catalog.CoreModule) {
		for _, n := range allFunctions() {
			names = append(names, strings.ToLower(n))
		}
		slices.Sort(names)
		names = slices.Compact(names)
	}
	return w.matching(s, list("function name", names))
}

func (w *work) showPartitions(s *syntax.Show) (*Result, error) {
	t, err := w.find(*s.Name)
	if err != nil {
		return nil, err
	}
	if len(t.PartitionKeys) == 0 {
		return nil, notPartitioned(s.Name, t)
	}
	return list("partition name", nil), nil
}

// showCreate gives the statement that would make a table or a view again.
func (w *work) showCreate(s *syntax.Show) (*Result, error) {
	t, err := w.find(*s.Name)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Kind == syntax.ShowCreateTable && t.IsView():
		return nil, failf(s.Name, CodeDefinition, "%s is a view", t.Name.Object).WithHint("SHOW CREATE VIEW %s", t.Name.Object)
	case s.Kind == syntax.ShowCreateView && !t.IsView():
		return nil, failf(s.Name, CodeDefinition, "%s is a table", t.Name.Object).WithHint("SHOW CREATE TABLE %s", t.Name.Object)
	}
	text := createTableText(t)
	if t.IsView() {
		text = createViewText(t)
	}
	return list("result", []string{text}), nil
}

func createWords(t *catalog.Table) string {
	word := "CREATE "
	if t.Temporary {
		word += "TEMPORARY "
	}
	if t.IsView() {
		return word + "VIEW " + t.Name.Quoted()
	}
	return word + "TABLE " + t.Name.Quoted()
}

func createViewText(t *catalog.Table) string {
	var b strings.Builder
	b.WriteString(createWords(t) + " (\n")
	for i, c := range t.Columns {
		b.WriteString("  " + catalog.Quote(c.Name))
		if i < len(t.Columns)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n")
	if t.HasComment {
		b.WriteString("COMMENT " + quoted(t.Comment) + "\n")
	}
	b.WriteString("AS " + t.View.Text + "\n")
	return b.String()
}

func createTableText(t *catalog.Table) string {
	var lines []string
	for _, c := range t.Columns {
		line := catalog.Quote(c.Name) + " "
		switch c.Kind {
		case syntax.Computed:
			line += "AS " + c.Text
		case syntax.Metadata:
			line += serial(c.Type) + " " + metadataText(c)
		default:
			line += serial(c.Type)
		}
		if c.Comment != "" {
			line += " COMMENT " + quoted(c.Comment)
		}
		lines = append(lines, line)
	}
	if m := t.Watermark; m != nil {
		lines = append(lines, "WATERMARK FOR "+catalog.Quote(m.Column)+" AS "+m.Text)
	}
	if len(t.PrimaryKey) > 0 {
		name := t.KeyName
		if name == "" {
			name = defaultKeyName(t)
		}
		lines = append(lines, "CONSTRAINT "+catalog.Quote(name)+" PRIMARY KEY ("+quotedNames(t.PrimaryKey)+") NOT ENFORCED")
	}
	var b strings.Builder
	b.WriteString(createWords(t) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)\n")
	if t.HasComment {
		b.WriteString("COMMENT " + quoted(t.Comment) + "\n")
	}
	if len(t.PartitionKeys) > 0 {
		b.WriteString("PARTITIONED BY (" + quotedNames(t.PartitionKeys) + ")\n")
	}
	b.WriteString(optionsText(t.Options))
	return b.String()
}

// optionsText is the WITH clause, keys sorted.
func optionsText(options []catalog.Option) string {
	if len(options) == 0 {
		return ""
	}
	sorted := slices.Clone(options)
	slices.SortFunc(sorted, func(a, b catalog.Option) int { return strings.Compare(a.Key, b.Key) })
	parts := make([]string, len(sorted))
	for i, o := range sorted {
		parts[i] = "  " + quoted(o.Key) + " = " + quoted(o.Value)
	}
	return "WITH (\n" + strings.Join(parts, ",\n") + "\n)\n"
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func quotedNames(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = catalog.Quote(n)
	}
	return strings.Join(out, ", ")
}

func metadataText(c catalog.Column) string {
	text := "METADATA"
	if c.Key != c.Name {
		text += " FROM " + quoted(c.Key)
	}
	if c.Virtual {
		text += " VIRTUAL"
	}
	return text
}

// serial is a type with STRING and BYTES written out, as Flink's SHOW CREATE has it.
func serial(t types.Type) string {
	suffix := ""
	if t.NotNull {
		suffix = " NOT NULL"
	}
	switch {
	case t.Kind == types.Varchar && t.Precision == types.MaxLength:
		return "VARCHAR(2147483647)" + suffix
	case t.Kind == types.Varbinary && t.Precision == types.MaxLength:
		return "VARBINARY(2147483647)" + suffix
	case t.Kind.IsComposite():
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = serial(f.Type)
			if t.Kind == types.Row {
				parts[i] = catalog.Quote(f.Name) + " " + parts[i]
			}
		}
		return t.Kind.String() + "<" + strings.Join(parts, ", ") + ">" + suffix
	}
	return t.String()
}

// catalogOptions are those of a catalog that a statement made; there is one of them at least.
func (w *work) catalogOptions(at syntax.Path) (options []catalog.Option, comment string, err error) {
	name := at.Last()
	if !w.cat.HasCatalog(name) {
		return nil, "", failf(at, CodeTable, "catalog '%s' not found", name).
			WithHint("%s", suggest(name, "catalogs", w.cat.Catalogs()))
	}
	if options, comment = w.cat.CatalogOptions(name); len(options) == 0 {
		return nil, "", failf(at, CodeDefinition, "catalog '%s' was not made by a statement", name).
			WithHint("only CREATE CATALOG gives one options to show; SHOW DATABASES FROM %s lists what is in it", name)
	}
	return options, comment, nil
}

func (w *work) showCreateCatalog(s *syntax.Show) (*Result, error) {
	name := s.Name.Last()
	options, comment, err := w.catalogOptions(*s.Name)
	if err != nil {
		return nil, err
	}
	text := "CREATE CATALOG " + catalog.Quote(name) + "\n"
	if comment != "" {
		text += "COMMENT " + quoted(comment) + "\n"
	}
	return list("result", []string{text + optionsText(options)}), nil
}
