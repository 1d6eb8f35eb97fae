package parse

import "streamsql/planner/syntax"

// copy parses COPY (query) TO 'path' [(option [value], ..)] and COPY table TO ..
func (p *parser) copy() syntax.Statement {
	start, c := p.i, &syntax.Copy{}
	p.i++
	if p.sign("(") {
		p.i++
		c.Query = p.parseQuery()
		p.expectSign(")")
	} else {
		at := p.i
		t := &syntax.TableQuery{Table: p.tableName()}
		t.Span = p.since(at)
		c.Query = t
	}
	p.expect("TO")
	c.Path, c.PathSpan = p.stringValue("the path to write to, in quotes")
	if p.sign("(") {
		p.copyOptions(c)
	}
	c.Span = p.since(start)
	p.widen(copyTo, c.Span)
	return c
}

// copyOptions reads the options in parentheses. PARTITION_BY has a list of columns; all others a word, a literal or
// nothing, which is TRUE.
func (p *parser) copyOptions(c *syntax.Copy) {
	p.expectSign("(")
	for {
		if start := p.i; p.accept("PARTITION_BY") {
			if len(c.PartitionBy) > 0 {
				p.fail(syntax.Errorf(syntax.CodeSyntax, p.since(start), "PARTITION_BY stands twice").
					WithHint("PARTITION_BY (column, ..) takes a list"))
			}
			p.acceptSign("=")
			if p.sign("(") {
				c.PartitionBy = p.identList("a column name")
			} else {
				c.PartitionBy = []syntax.Ident{p.ident("a column name")}
			}
		} else {
			c.Options = append(c.Options, p.copyOption())
		}
		if !p.listGoesOn() {
			break
		}
	}
	p.expectSign(")")
}

func (p *parser) copyOption() syntax.CopyOption {
	start := p.i
	o := syntax.CopyOption{Key: p.copyKey(), Value: "true"}
	o.Span = p.since(start)
	if p.sign("(") { // as only PARTITION_BY has it
		p.fail(syntax.Errorf(syntax.CodeSyntax, o.Span, "no option '%s' of COPY has a list", o.Key).
			WithHint("did you mean PARTITION_BY (column, ..)?  it alone has one"))
	}
	p.acceptSign("=")
	if t := p.tok(); t.name() || t.kind == text || t.kind == number {
		o.Value, o.Given = t.val, true
		p.i++
	}
	o.Span = p.since(start)
	return o
}

// copyKey reads the name of an option: a word, or a table option's key in quotes.
func (p *parser) copyKey() string {
	if p.tok().kind == text {
		key, _ := p.stringValue("an option")
		return key
	}
	if !p.tok().name() {
		p.unexpected("an option such as FORMAT, PARTITION_BY or APPEND")
	}
	return p.next().val
}
