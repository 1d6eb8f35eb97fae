package parse

import "streamsql/planner/syntax"

// alterTable parses ALTER TABLE behind these words.
func (p *parser) alterTable(start int) syntax.Statement {
	a := &syntax.AlterTable{IfExists: p.ifExists(), Name: p.path("the table")}
	a.Action = p.alterAction()
	a.Span = p.since(start)
	return a
}

func (p *parser) alterAction() syntax.AlterAction {
	start := p.i
	switch {
	case p.accept("RENAME"):
		return p.alterRename(start)
	case p.accept("SET"):
		options := p.options()
		return &syntax.AlterSetOptions{Span: p.since(start), Options: options}
	case p.accept("RESET"):
		keys := p.keys()
		return &syntax.AlterResetOptions{Span: p.since(start), Keys: keys}
	case p.accept("DROP"):
		return p.alterDrop(start)
	case p.accept("MODIFY"):
		m := syntax.AlterModify(*p.alterElements(start))
		return &m
	case p.accept("ADD"):
		if p.is("IF", "PARTITION") {
			return p.addPartitions(start)
		}
		return p.alterElements(start)
	}
	p.unexpected("ADD, MODIFY, DROP, RENAME, SET or RESET")
	return nil
}

func (p *parser) alterRename(start int) syntax.AlterAction {
	if p.accept("TO") {
		to := p.path("the table's new name")
		return &syntax.AlterRename{Span: p.since(start), To: to}
	}
	p.noColumnWord("RENAME a TO b")
	r := &syntax.AlterRenameColumn{From: p.parts("a column, or TO and the table's new name")}
	p.expect("TO")
	r.To = p.ident("the column's new name")
	r.Span = p.since(start)
	return r
}

// noColumnWord refuses the word COLUMN, which other databases write here.
func (p *parser) noColumnWord(instead string) {
	if t := p.tok(); t.is("COLUMN") {
		p.fail(syntax.Errorf(syntax.CodeSyntax, t.span(), "unexpected 'COLUMN'").
			WithHint("leave the word out: %s", instead))
	}
}

func (p *parser) alterDrop(start int) syntax.AlterAction {
	switch {
	case p.accept("PRIMARY", "KEY"):
		return &syntax.AlterDropConstraint{Span: p.since(start)}
	case p.accept("CONSTRAINT"):
		name := p.ident("the constraint's name")
		return &syntax.AlterDropConstraint{Span: p.since(start), Name: &name}
	case p.accept("WATERMARK"):
		return &syntax.AlterDropWatermark{Span: p.since(start)}
	case p.accept("DISTRIBUTION"):
		return &syntax.AlterDropDistribution{Span: p.since(start)}
	case p.is("IF", "PARTITION"):
		return p.dropPartitions(start)
	}
	p.noColumnWord("DROP c")
	d := &syntax.AlterDropColumns{}
	if p.acceptSign("(") {
		d.Columns = append(d.Columns, p.parts("a column name"))
		for p.acceptSign(",") {
			d.Columns = append(d.Columns, p.parts("a column name"))
		}
		p.expectSign(")")
	} else {
		d.Columns = append(d.Columns, p.parts("a column name"))
	}
	d.Span = p.since(start)
	return d
}

// alterElements reads what ADD and MODIFY take: one element, or several in parentheses.
func (p *parser) alterElements(start int) *syntax.AlterAdd {
	a := &syntax.AlterAdd{}
	switch {
	case p.acceptSign("("):
		p.alterElement(a)
		for p.acceptSign(",") {
			p.alterElement(a)
		}
		p.expectSign(")")
	case p.is("DISTRIBUTION", "DISTRIBUTED"):
		a.Distributed = p.distribution()
	default:
		p.alterElement(a)
	}
	a.Span = p.since(start)
	return a
}

func (p *parser) alterElement(a *syntax.AlterAdd) {
	switch {
	case p.is("WATERMARK") && p.peek(1).is("FOR"):
		a.Watermarks = append(a.Watermarks, p.watermark())
	case p.startsConstraint():
		a.Constraints = append(a.Constraints, p.constraint())
	default:
		p.noColumnWord("ADD c INT")
		a.Columns = append(a.Columns, p.placedColumn(&a.Constraints))
	}
}

// placedColumn reads a column with FIRST or AFTER c behind it.
func (p *parser) placedColumn(constraints *[]syntax.Constraint) syntax.ColumnDef {
	start := p.i
	col, constraint := p.column()
	if col.Kind == syntax.Reference {
		p.unexpected("the column's type")
	}
	if constraint != nil {
		*constraints = append(*constraints, *constraint)
	}
	switch {
	case p.accept("FIRST"):
		col.Place.First = true
	case p.accept("AFTER"):
		after := p.ident("a column name")
		col.Place.After = &after
	}
	col.Span = p.since(start)
	return col
}

// addPartitions parses ADD [IF NOT EXISTS] PARTITION (..) [WITH (..)] ..
func (p *parser) addPartitions(start int) syntax.AlterAction {
	a := &syntax.AlterAddPartitions{IfNotExists: p.ifNotExists()}
	for {
		at := p.i
		spec := syntax.PartitionSpec{Values: p.partition()}
		spec.Options, _ = p.withOptions()
		spec.Span = p.since(at)
		a.Partitions = append(a.Partitions, spec)
		if !p.is("PARTITION") {
			break
		}
	}
	a.Span = p.since(start)
	return a
}

// dropPartitions parses DROP [IF EXISTS] PARTITION (..), ..
func (p *parser) dropPartitions(start int) syntax.AlterAction {
	a := &syntax.AlterDropPartitions{IfExists: p.ifExists()}
	for {
		at := p.i
		spec := syntax.PartitionSpec{Values: p.partition()}
		spec.Span = p.since(at)
		a.Partitions = append(a.Partitions, spec)
		if !p.acceptSign(",") {
			break
		}
	}
	a.Span = p.since(start)
	return a
}
