package parse

import "streamsql/planner/syntax"

// insert parses INSERT INTO, INSERT OVERWRITE and UPSERT INTO.
func (p *parser) insert() *syntax.Insert {
	start, ins := p.i, &syntax.Insert{}
	ins.Upsert = p.next().is("UPSERT")
	if !ins.Upsert && p.accept("OVERWRITE") {
		ins.Overwrite = true
	} else if !p.accept("INTO") {
		p.unexpected("INTO or OVERWRITE")
	}
	if t := p.tok(); t.is("TABLE") {
		p.widen(insertIntoTable, syntax.Span{Pos: t.pos, End: p.peek(1).pos}, nothing)
		p.i++
	}
	ins.Target = p.path("the table to insert into")
	ins.Hints = p.hints()
	if p.is("PARTITION") {
		ins.Partition = p.partition()
	}
	if p.sign("(") && !p.startsParenQuery() {
		p.targetColumns(ins)
	}
	if at := p.i; len(ins.Columns) == 0 && p.accept("BY", "NAME") {
		ins.ByName = p.since(at)
		p.widen(insertByName, ins.ByName)
	}
	ins.Query = p.parseQuery()
	ins.Span = p.since(start)
	return ins
}

func (p *parser) targetColumns(ins *syntax.Insert) {
	p.expectSign("(")
	for {
		parts := p.parts("a column name")
		ins.Columns = append(ins.Columns, syntax.TargetColumn{Span: spanOf(parts), Parts: parts})
		if !p.listGoesOn() {
			break
		}
	}
	p.expectSign(")")
}

// partition reads PARTITION (k = literal, ..); a key may stand alone.
func (p *parser) partition() []syntax.PartitionValue {
	p.expect("PARTITION")
	p.expectSign("(")
	var values []syntax.PartitionValue
	for {
		start := p.i
		v := syntax.PartitionValue{Name: p.ident("a partition column")}
		if p.acceptSign("=") {
			v.Value = p.partitionLiteral()
		}
		v.Span = p.since(start)
		values = append(values, v)
		if !p.acceptSign(",") {
			break
		}
	}
	p.expectSign(")")
	return values
}

// partitionLiteral reads a literal, which may have a sign.
func (p *parser) partitionLiteral() syntax.Expr {
	start := p.i
	if p.sign("-") && p.peek(1).kind == number {
		p.i++
		value := p.numberLiteral()
		return &syntax.Unary{Span: p.since(start), Op: syntax.Neg, Expr: value}
	}
	if !p.startsLiteral() {
		p.unexpected("a literal")
	}
	return p.literal()
}

// update parses UPDATE t SET c = x, .. [WHERE ..].
func (p *parser) update() syntax.Statement {
	start, u := p.i, &syntax.Update{}
	p.i++
	u.Table = p.changedTable()
	p.expect("SET")
	for {
		at := p.i
		a := syntax.Assignment{Column: p.parts("a column name")}
		p.expectSign("=")
		a.Value = p.expression()
		a.Span = p.since(at)
		u.Set = append(u.Set, a)
		if !p.acceptSign(",") {
			break
		}
	}
	if p.accept("WHERE") {
		u.Where = p.expression()
	}
	u.Span = p.since(start)
	return u
}

// changedTable reads the table of an UPDATE or DELETE with its alias.
func (p *parser) changedTable() syntax.TableName {
	start := p.i
	t := p.tableName()
	if p.accept("AS") || p.startsImplicitAlias() && !p.is("SET") {
		at := p.i
		t.Alias = &syntax.Alias{Name: p.ident("an alias for the table")}
		t.Alias.Span = p.since(at)
	}
	t.Span = p.since(start)
	return *t
}

// delete parses DELETE FROM t [WHERE ..].
func (p *parser) delete() syntax.Statement {
	start, d := p.i, &syntax.Delete{}
	p.expect("DELETE", "FROM")
	d.Table = p.changedTable()
	if p.accept("WHERE") {
		d.Where = p.expression()
	}
	d.Span = p.since(start)
	return d
}

// truncate parses TRUNCATE TABLE t.
func (p *parser) truncate() syntax.Statement {
	start := p.i
	p.expect("TRUNCATE", "TABLE")
	t := &syntax.Truncate{Table: p.path("the table")}
	t.Span = p.since(start)
	return t
}
