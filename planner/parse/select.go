package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// selectBlock shapes SELECT .. FROM .. WHERE .. GROUP BY .. HAVING .. WINDOW .. QUALIFY as a
// MySQL block whose first item is the placeholder of the block itself.
//
// FROM may stand in front: its items are shaped behind the select list all the same, or behind a star.
func (s *shaper) selectBlock() {
	if s.is("FROM") {
		s.fromFirst()
		return
	}
	start, sel := s.i, &syntax.Select{}
	s.selectList(sel)
	if s.is("FROM") {
		s.emit("FROM")
		s.i++
		s.tableRefs()
		s.filters(sel)
	}
	sel.Span = s.since(start)
}

// selectList shapes SELECT with its items.
func (s *shaper) selectList(sel *syntax.Select) {
	s.i++
	s.emit("SELECT")
	s.place(sel)
	sel.Hints = s.hints()
	if s.accept("DISTINCT") {
		sel.Distinct = true
	} else {
		s.accept("ALL")
	}
	for {
		s.emit(",")
		s.selectItem()
		if !s.listGoesOn() {
			return
		}
	}
}

// filters shapes the clauses behind FROM.
func (s *shaper) filters(sel *syntax.Select) {
	if s.accept("WHERE") {
		s.emit("WHERE")
		s.expr()
	}
	if s.is("GROUP") {
		s.groupBy()
	}
	if !s.is("HAVING", "WINDOW", "QUALIFY") {
		return
	}
	s.emit("HAVING")
	b := s.open()
	if s.accept("HAVING") {
		s.arg(b, &sel.Having)
	}
	if s.is("WINDOW") && s.peekName(1) && s.peek(2).is("AS") {
		s.windows(b, sel)
	}
	if s.accept("QUALIFY") {
		s.arg(b, &sel.Qualify)
	}
	s.close(b, func() syntax.Expr { return clause{} })
}

// windows shapes WINDOW name AS (..), ..
func (s *shaper) windows(b *bracket, sel *syntax.Select) {
	s.i++
	for {
		start := s.i
		w := syntax.NamedWindow{Name: s.ident("a window's name")}
		s.expect("AS")
		w.Window = s.windowSpec(b)
		w.Span = s.since(start)
		sel.Windows = append(sel.Windows, w)
		if !s.acceptSign(",") {
			return
		}
	}
}

// selectItem shapes *, t.*, each with its changes, or an expression with its alias.
func (s *shaper) selectItem() {
	if star := s.star(); star != nil {
		if s.exclude(star); s.replaces() {
			s.replace(star)
			return
		}
		s.place(star)
		s.emit(".*")
		return
	}
	s.expr()
	switch {
	case s.accept("AS"):
	case s.startsImplicitAlias():
	default:
		return
	}
	alias := s.ident("an alias")
	s.emit("AS")
	s.place(&alias)
}

// star reads * or name.* if it stands here.
func (s *shaper) star() *syntax.Star {
	start := s.i
	if s.acceptSign("*") {
		return &syntax.Star{Span: s.since(start)}
	}
	for s.tok().name() && s.peek(1).sign(".") {
		s.i += 2
	}
	if s.i == start || !s.sign("*") {
		s.i = start
		return nil
	}
	s.i = start
	star := &syntax.Star{Qualifier: s.parts("a table")}
	s.i += 2
	star.Span = s.since(start)
	return star
}

// block lowers one SELECT of the normalised text.
func (l *lowering) block(x *ast.SelectStmt) syntax.Query {
	switch first := l.first(x).(type) {
	case *syntax.TableQuery:
		return first
	case *syntax.Select:
		l.fillSelect(first, x)
		return first
	case through:
		return l.query(x.From.TableRefs.Left.(*ast.TableSource).Source)
	case *bracket:
		return l.expr(x.Fields.Fields[0].Expr).(clause).of.(syntax.Query)
	}
	panic("parse: no block in the tree of the normalised text")
}

// first returns the entry of a block's first item.
func (l *lowering) first(x *ast.SelectStmt) entry {
	switch e := x.Fields.Fields[0].Expr.(type) {
	case *ast.ColumnNameExpr:
		return l.entry(e.Name.Name.O)
	case *ast.FuncCallExpr:
		return l.entry(e.FnName.O)
	}
	return nil
}

func (l *lowering) fillSelect(sel *syntax.Select, x *ast.SelectStmt) {
	for _, f := range x.Fields.Fields[1:] {
		sel.Items = append(sel.Items, l.selectItem(f))
	}
	if x.From != nil {
		sel.From = l.tableRef(x.From.TableRefs)
	}
	if x.Where != nil {
		sel.Where = l.expr(x.Where)
	}
	if x.GroupBy != nil {
		sel.GroupBy = l.expr(x.GroupBy.Items[0].Expr).(clause).of.(*syntax.GroupBy)
	}
	if x.Having != nil {
		l.expr(x.Having.Expr)
	}
}

func (l *lowering) selectItem(f *ast.SelectField) syntax.SelectItem {
	if f.WildCard != nil {
		star := l.entry(f.WildCard.Table.O).(*syntax.Star)
		return syntax.SelectItem{Span: star.Span, Expr: star}
	}
	item := syntax.SelectItem{Expr: l.expr(f.Expr)}
	item.Span = item.Expr.At()
	if f.AsName.O != "" {
		item.Alias = l.entry(f.AsName.O).(*syntax.Ident)
		item.Span = item.Span.To(item.Alias.Span)
	}
	return item
}
