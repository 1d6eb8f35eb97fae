package parse

import "streamsql/planner/syntax"

// createTable parses CREATE TABLE behind its first words: plain, LIKE and AS.
func (p *parser) createTable(c creation) syntax.Statement {
	p.expect("TABLE")
	t := &syntax.CreateTable{Replace: c.replace, Temporary: c.temporary, IfNotExists: p.ifNotExists()}
	t.Name = p.path("the table")
	if p.sign("(") {
		p.tableElements(t)
	}
	t.Comment = p.comment()
	if p.is("DISTRIBUTED") {
		t.Distributed = p.distribution()
	}
	if p.accept("PARTITIONED", "BY") {
		t.PartitionBy = p.identList("a column name")
	}
	t.Options, t.HasOptions = p.withOptions()
	switch {
	case p.is("LIKE"):
		t.Like = p.likeClause()
	case p.accept("AS"):
		t.As = p.parseQuery()
	}
	if t.As == nil {
		p.noReferences(t)
	}
	t.Span = p.since(c.start)
	return t
}

// noReferences refuses columns without a type where no query gives them one.
func (p *parser) noReferences(t *syntax.CreateTable) {
	for _, col := range t.Columns {
		if col.Kind == syntax.Reference {
			p.fail(syntax.Errorf(syntax.CodeDefinition, col.Span, "column '%s' has no type", col.Name.Name).
				WithHint("only CREATE TABLE (..) AS query takes bare column names"))
		}
	}
}

// tableElements reads the columns, constraints and watermarks in parentheses.
func (p *parser) tableElements(t *syntax.CreateTable) {
	p.expectSign("(")
	for {
		switch {
		case p.is("WATERMARK") && p.peek(1).is("FOR"):
			t.Watermarks = append(t.Watermarks, p.watermark())
		case p.startsConstraint():
			t.Constraints = append(t.Constraints, p.constraint())
		default:
			col, constraint := p.column()
			t.Columns = append(t.Columns, col)
			if constraint != nil {
				t.Constraints = append(t.Constraints, *constraint)
			}
		}
		if !p.listGoesOn() {
			break
		}
	}
	p.expectSign(")")
}

// column reads one column, with the constraint written at it.
func (p *parser) column() (syntax.ColumnDef, *syntax.Constraint) {
	start := p.i
	col := syntax.ColumnDef{Name: p.ident("a column name")}
	var constraint *syntax.Constraint
	switch {
	case p.accept("AS"):
		col.Kind = syntax.Computed
		col.Expr = p.computed()
	case p.sign(",") || p.sign(")"):
		col.Kind = syntax.Reference
	default:
		col.Type = p.columnType()
		constraint = p.columnConstraint(col.Name)
		if p.accept("METADATA") {
			col.Kind = syntax.Metadata
			if p.accept("FROM") {
				key, _ := p.stringValue("the metadata's key in quotes")
				col.MetadataKey = &key
			}
			col.Virtual = p.accept("VIRTUAL")
		}
	}
	col.Comment = p.comment()
	col.Span = p.since(start)
	return col, constraint
}

// computed reads the expression of a computed column, which is no query.
func (p *parser) computed() syntax.Expr {
	at := p.tok()
	e := p.expression()
	if _, ok := e.(*syntax.Subquery); ok {
		p.fail(syntax.Errorf(syntax.CodeDefinition, at.span().To(e.At()), "a computed column cannot hold a query"))
	}
	return e
}

// columnType reads a type that a column can have.
func (p *parser) columnType() *syntax.Type {
	if p.is("INTERVAL", "NULL") {
		p.unexpected("a data type that a column can have")
	}
	return p.typ()
}

// columnConstraint reads [CONSTRAINT name] PRIMARY KEY or UNIQUE behind a column's type.
func (p *parser) columnConstraint(column syntax.Ident) *syntax.Constraint {
	if !p.startsConstraint() {
		return nil
	}
	start := p.i
	c := p.constraintHead()
	c.Columns = []syntax.Ident{column}
	c.Enforced = p.enforcement()
	c.Span = p.since(start)
	return &c
}

func (p *parser) startsConstraint() bool {
	return p.is("CONSTRAINT") || p.words("PRIMARY", "KEY") || p.is("UNIQUE")
}

// constraint reads a table constraint.
func (p *parser) constraint() syntax.Constraint {
	start := p.i
	c := p.constraintHead()
	c.Columns = p.identList("a column name")
	c.Enforced = p.enforcement()
	c.Span = p.since(start)
	return c
}

func (p *parser) constraintHead() syntax.Constraint {
	var c syntax.Constraint
	if p.accept("CONSTRAINT") {
		name := p.ident("the constraint's name")
		c.Name = &name
	}
	switch {
	case p.accept("PRIMARY", "KEY"):
	case p.accept("UNIQUE"):
		c.Kind = syntax.Unique
	default:
		p.unexpected("PRIMARY KEY or UNIQUE")
	}
	return c
}

func (p *parser) enforcement() syntax.Enforcement {
	switch {
	case p.accept("NOT", "ENFORCED"):
		return syntax.NotEnforced
	case p.accept("ENFORCED"):
		return syntax.Enforced
	}
	return syntax.EnforcedUnsaid
}

// watermark reads WATERMARK FOR column AS expression.
func (p *parser) watermark() syntax.WatermarkDef {
	start := p.i
	p.expect("WATERMARK", "FOR")
	w := syntax.WatermarkDef{Column: p.parts("a column name")}
	p.expect("AS")
	w.Expr = p.expression()
	w.Span = p.since(start)
	return w
}

// distribution reads DISTRIBUTED BY [HASH|RANGE] (columns) [INTO n BUCKETS] and DISTRIBUTED
// INTO n BUCKETS.
func (p *parser) distribution() *syntax.Distribution {
	start, d := p.i, &syntax.Distribution{Buckets: syntax.Unset}
	p.i++
	if p.accept("BY") {
		if p.is("HASH", "RANGE") {
			d.Method = p.next().up
		}
		d.Columns = p.identList("a column name")
	} else if !p.is("INTO") {
		p.unexpected("BY or INTO")
	}
	if p.accept("INTO") {
		d.Buckets = p.integer("the number of buckets")
		p.expect("BUCKETS")
	}
	d.Span = p.since(start)
	return d
}

// likeClause reads LIKE source [(INCLUDING .. EXCLUDING ..)].
func (p *parser) likeClause() *syntax.LikeClause {
	start := p.i
	p.expect("LIKE")
	l := &syntax.LikeClause{Source: p.path("the table to copy from")}
	if p.acceptSign("(") {
		for !p.sign(")") {
			l.Options = append(l.Options, p.likeOption())
		}
		p.expectSign(")")
	}
	l.Span = p.since(start)
	return l
}

func (p *parser) likeOption() syntax.LikeOption {
	start := p.i
	if !p.is("INCLUDING", "EXCLUDING", "OVERWRITING") {
		p.unexpected("INCLUDING, EXCLUDING or OVERWRITING")
	}
	o := syntax.LikeOption{Strategy: p.next().up}
	if !p.is("ALL", "CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS", "WATERMARKS") {
		p.unexpected("ALL, CONSTRAINTS, DISTRIBUTION, GENERATED, METADATA, OPTIONS, PARTITIONS or WATERMARKS")
	}
	o.Feature = p.next().up
	o.Span = p.since(start)
	return o
}
