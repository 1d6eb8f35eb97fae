package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

// The catalog and database that every session starts with.
const (
	DefaultCatalog  = "default_catalog"
	DefaultDatabase = "default_database"
)

// Catalog is all that one session has declared. It belongs to one goroutine.
type Catalog struct {
	connectors []connector.Definition
	catalogs   map[string]*store
	temporary  map[Name]*Table

	catalog, database string

	functions map[functionKey]Function
	modules   modules
	settings  *Settings
}

// store is one catalog in the SQL sense: databases by name.
type store struct {
	databases map[string]*Database
	comment   string
	options   []Option
}

// Database is a set of tables and views.
type Database struct {
	Name    string
	Comment string
	Options []Option
	// Hidden keeps the built-in tables' database out of listings.
	Hidden bool
	tables map[string]*Table
}

// New makes the catalog of a session that can use the given connectors.
func New(connectors []connector.Definition) *Catalog {
	c := &Catalog{
		connectors: connectors,
		catalogs:   map[string]*store{},
		temporary:  map[Name]*Table{},
		catalog:    DefaultCatalog,
		database:   DefaultDatabase,
		functions:  map[functionKey]Function{},
		settings:   NewSettings(),
	}
	c.LoadModule(CoreModule)
	c.catalogs[DefaultCatalog] = newStore(DefaultDatabase)
	return c
}

func newStore(database string) *store {
	return &store{databases: map[string]*Database{database: newDatabase(database)}}
}

func newDatabase(name string) *Database { return &Database{Name: name, tables: map[string]*Table{}} }

// Settings are the session's options.
func (c *Catalog) Settings() *Settings { return c.settings }

// Connector finds a connector by its name, or nil.
func (c *Catalog) Connector(name string) *connector.Definition {
	for i := range c.connectors {
		if c.connectors[i].Name == name {
			return &c.connectors[i]
		}
	}
	return nil
}

// Files finds the connector that opens files without a declaration, or nil.
func (c *Catalog) Files() *connector.Definition {
	for i := range c.connectors {
		if c.connectors[i].Files != nil {
			return &c.connectors[i]
		}
	}
	return nil
}

// Connectors lists the names of the connectors, sorted.
func (c *Catalog) Connectors() []string {
	var out []string
	for _, d := range c.connectors {
		out = append(out, d.Name)
	}
	slices.Sort(out)
	return out
}

// Current is where names of fewer than three parts are looked up.
func (c *Catalog) Current() (catalog, database string) { return c.catalog, c.database }

// UseCatalog makes a catalog current, and its first database with it.
func (c *Catalog) UseCatalog(name string) error {
	s := c.catalogs[name]
	if s == nil {
		return fmt.Errorf("catalog '%s' does not exist", name)
	}
	c.catalog, c.database = name, slices.Sorted(maps.Keys(s.databases))[0]
	if d, ok := optionOf(s.options, "default-database"); ok {
		c.database = d
	}
	return nil
}

// UseDatabase makes a database current.
func (c *Catalog) UseDatabase(catalog, database string) error {
	if c.Database(catalog, database) == nil {
		return fmt.Errorf("database '%s' does not exist in catalog '%s'", database, catalog)
	}
	c.catalog, c.database = catalog, database
	return nil
}

// CreateCatalog adds an in-memory catalog.
func (c *Catalog) CreateCatalog(name, comment string, options []Option) {
	first := "default"
	if d, ok := optionOf(options, "default-database"); ok {
		first = d
	}
	s := newStore(first)
	s.comment, s.options = comment, options
	c.catalogs[name] = s
}

// HasCatalog tells whether a catalog exists.
func (c *Catalog) HasCatalog(name string) bool { return c.catalogs[name] != nil }

// CatalogOptions are the options and the comment of a catalog.
func (c *Catalog) CatalogOptions(name string) (options []Option, comment string) {
	return c.catalogs[name].options, c.catalogs[name].comment
}

// SetCatalogOptions replaces the options and the comment of a catalog.
func (c *Catalog) SetCatalogOptions(name string, options []Option, comment string) {
	c.catalogs[name].options, c.catalogs[name].comment = options, comment
}

// DropCatalog removes a catalog and all in it. The current one cannot go.
func (c *Catalog) DropCatalog(name string) error {
	if name == c.catalog {
		return &option.Error{Msg: fmt.Sprintf("catalog '%s' is in use", name), Hint: another("CATALOG ", name, c.Catalogs())}
	}
	delete(c.catalogs, name)
	maps.DeleteFunc(c.temporary, func(n Name, _ *Table) bool { return n.Catalog == name })
	return nil
}

// another says how to leave name for one of list.
func another(kind, name string, list []string) string {
	for _, n := range list {
		if n != name {
			return "USE " + kind + n + " first, or another one"
		}
	}
	return "there is no other: CREATE one first, and USE it"
}

// Catalogs lists the catalogs.
func (c *Catalog) Catalogs() []string { return slices.Sorted(maps.Keys(c.catalogs)) }

// Database finds a database, or nil.
func (c *Catalog) Database(catalog, name string) *Database {
	if s := c.catalogs[catalog]; s != nil {
		return s.databases[name]
	}
	return nil
}

// Databases lists the databases of a catalog that are not hidden.
func (c *Catalog) Databases(catalog string) []string {
	var out []string
	if s := c.catalogs[catalog]; s != nil {
		for n, d := range s.databases {
			if !d.Hidden {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out
}

// CreateDatabase adds a database, in the place of a hidden one of its name.
func (c *Catalog) CreateDatabase(catalog string, d Database) {
	d.tables = map[string]*Table{}
	c.catalogs[catalog].databases[d.Name] = &d
}

// AlterDatabase replaces options of a database.
func (c *Catalog) AlterDatabase(catalog, name string, set []Option) {
	d := c.Database(catalog, name)
	d.Options = (&Table{Options: d.Options}).WithOptions(set).Options
}

// DropDatabase removes a database. One that is current, or holds tables and cascade is false, stays.
func (c *Catalog) DropDatabase(catalog, name string, cascade bool) error {
	d := c.Database(catalog, name)
	switch {
	case catalog == c.catalog && name == c.database:
		return &option.Error{Msg: fmt.Sprintf("database '%s' is in use", name),
			Hint: another("", name, c.Databases(catalog))}
	case len(d.tables) > 0 && !cascade:
		return &option.Error{Msg: fmt.Sprintf("database '%s' is not empty", name),
			Hint: fmt.Sprintf("DROP DATABASE %s CASCADE drops what is in it too", name)}
	}
	delete(c.catalogs[catalog].databases, name)
	return nil
}

// Table finds what a full name means: a temporary table or view before a permanent one, or nil.
func (c *Catalog) Table(n Name) *Table {
	if t := c.temporary[n]; t != nil {
		return t
	}
	return c.Permanent(n)
}

// Temporary finds a temporary table or view, or nil.
func (c *Catalog) Temporary(n Name) *Table { return c.temporary[n] }

// Permanent finds a permanent table or view, or nil.
func (c *Catalog) Permanent(n Name) *Table {
	if d := c.Database(n.Catalog, n.Database); d != nil {
		return d.tables[n.Object]
	}
	return nil
}

// Put adds or replaces a table or view under its name. The database must exist unless it is temporary.
func (c *Catalog) Put(t *Table) {
	if t.Temporary {
		c.temporary[t.Name] = t
		return
	}
	c.Database(t.Name.Catalog, t.Name.Database).tables[t.Name.Object] = t
}

// Drop removes a table or view.
func (c *Catalog) Drop(t *Table) {
	if t.Temporary {
		delete(c.temporary, t.Name)
		return
	}
	delete(c.Database(t.Name.Catalog, t.Name.Database).tables, t.Name.Object)
}

// Tables lists tables and views of a database, temporary ones in the place of permanent ones.
func (c *Catalog) Tables(catalog, database string) []*Table {
	byName := map[string]*Table{}
	if d := c.Database(catalog, database); d != nil {
		maps.Copy(byName, d.tables)
	}
	for n, t := range c.temporary {
		if n.Catalog == catalog && n.Database == database {
			byName[n.Object] = t
		}
	}
	out := slices.Collect(maps.Values(byName))
	slices.SortFunc(out, func(a, b *Table) int { return strings.Compare(a.Name.Object, b.Name.Object) })
	return out
}

func optionOf(list []Option, key string) (string, bool) {
	return (&Table{Options: list}).Option(key)
}
