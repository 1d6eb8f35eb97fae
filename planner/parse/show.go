package parse

import "streamsql/planner/syntax"

// show parses the SHOW statements.
func (p *parser) show() syntax.Statement {
	start, s := p.i, &syntax.Show{}
	p.i++
	switch {
	case p.accept("CREATE"):
		p.showCreate(s)
	case p.accept("CURRENT"):
		p.showCurrent(s)
	case p.accept("USER"):
		s.User = true
		p.expect("FUNCTIONS")
		s.Kind = syntax.ShowFunctions
		p.showFrom(s)
		p.showLike(s)
	case p.accept("FULL"):
		s.Full = true
		p.expect("MODULES")
		s.Kind = syntax.ShowModules
	case p.accept("PARTITIONS"):
		s.Kind = syntax.ShowPartitions
		name := p.path("the table")
		s.Name = &name
		if p.is("PARTITION") {
			s.Partition = p.partition()
		}
	case p.accept("COLUMNS"):
		s.Kind = syntax.ShowColumns
		if !p.is("FROM", "IN") {
			p.unexpected("FROM and the table")
		}
		p.showFrom(s)
		p.showLike(s)
	default:
		p.showList(s)
	}
	s.Span = p.since(start)
	return s
}

// showLists are the lists that SHOW names by one word, and whether they take FROM.
var showLists = map[string]bool{
	"TABLES": true, "VIEWS": true, "FUNCTIONS": true, "PROCEDURES": true, "MODELS": true, "DATABASES": true,
	"CATALOGS": false, "MODULES": false, "JOBS": false, "JARS": false,
}

func (p *parser) showList(s *syntax.Show) {
	materialized := p.accept("MATERIALIZED")
	t := p.tok()
	from, ok := showLists[t.up]
	if t.kind != word || !ok || materialized && !t.is("TABLES") {
		p.unexpected("TABLES, VIEWS, COLUMNS, FUNCTIONS, DATABASES, CATALOGS, CREATE TABLE or another list")
	}
	p.i++
	s.Kind = syntax.ShowKind(t.up)
	if materialized {
		s.Kind = syntax.ShowMaterializedTables
	}
	if from {
		p.showFrom(s)
	}
	if from || s.Kind == syntax.ShowCatalogs {
		p.showLike(s)
	}
}

var showCreates = map[string]syntax.ShowKind{
	"TABLE": syntax.ShowCreateTable, "VIEW": syntax.ShowCreateView,
	"CATALOG": syntax.ShowCreateCatalog, "MODEL": syntax.ShowCreateModel,
}

func (p *parser) showCreate(s *syntax.Show) {
	p.accept("MATERIALIZED")
	kind, ok := showCreates[p.tok().up]
	if !ok {
		p.unexpected("TABLE, VIEW or CATALOG")
	}
	p.i++
	s.Kind = kind
	name := p.path("the name of the object")
	s.Name = &name
}

func (p *parser) showCurrent(s *syntax.Show) {
	switch {
	case p.accept("CATALOG"):
		s.Kind = syntax.ShowCurrentCatalog
	case p.accept("DATABASE"):
		s.Kind = syntax.ShowCurrentDatabase
	default:
		p.unexpected("CATALOG or DATABASE")
	}
}

func (p *parser) showFrom(s *syntax.Show) {
	if p.is("FROM", "IN") {
		p.i++
		from := p.path("a database or table")
		s.From = &from
	}
}

func (p *parser) showLike(s *syntax.Show) {
	s.NotLike = p.accept("NOT")
	switch {
	case p.accept("LIKE"):
	case p.accept("ILIKE"):
		s.ILike = true
	case s.NotLike:
		p.unexpected("LIKE")
	default:
		return
	}
	like, _ := p.stringValue("a pattern in quotes")
	s.Like = &like
}
