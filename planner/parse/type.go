package parse

import "streamsql/planner/syntax"

// typeNames maps the spellings of simple types to their names.
var typeNames = map[string]string{
	"BOOLEAN": "BOOLEAN", "TINYINT": "TINYINT", "SMALLINT": "SMALLINT", "INT": "INT", "INTEGER": "INT", "BIGINT": "BIGINT",
	"FLOAT": "FLOAT", "DOUBLE": "DOUBLE", "DECIMAL": "DECIMAL", "DEC": "DECIMAL", "NUMERIC": "DECIMAL",
	"CHAR": "CHAR", "CHARACTER": "CHAR", "VARCHAR": "VARCHAR", "STRING": "STRING",
	"BINARY": "BINARY", "VARBINARY": "VARBINARY", "BYTES": "BYTES", "DATE": "DATE", "TIME": "TIME",
	"TIMESTAMP": "TIMESTAMP", "TIMESTAMP_LTZ": "TIMESTAMP", "VARIANT": "VARIANT", "BITMAP": "BITMAP",
}

// precise are the types with a length, a precision or digits of fractions; DECIMAL has two numbers.
var precise = wordSet("DECIMAL CHAR VARCHAR BINARY VARBINARY TIME TIMESTAMP FLOAT")

// typ reads a data type with its [NOT] NULL.
func (p *parser) typ() *syntax.Type {
	p.enter()
	defer p.leave()
	start := p.i
	t := p.typeName()
	p.nulls(t)
	for p.is("ARRAY", "MULTISET") {
		t.Span = p.since(start)
		p.enter()
		defer p.leave()
		t = &syntax.Type{Name: p.next().up, Elems: []*syntax.Type{t}, Precision: syntax.Unset, Scale: syntax.Unset}
		p.nulls(t)
	}
	t.Span = p.since(start)
	return t
}

func (p *parser) nulls(t *syntax.Type) {
	if p.accept("NOT", "NULL") {
		t.Nulls = syntax.NotNull
	} else if p.accept("NULL") {
		t.Nulls = syntax.NullAllowed
	}
}

func (p *parser) typeName() *syntax.Type {
	t := &syntax.Type{Precision: syntax.Unset, Scale: syntax.Unset}
	tok := p.tok()
	simple, ok := typeNames[tok.up]
	switch {
	case tok.kind == quoted:
		t.User = p.parts("a data type")
	case tok.kind != word || structural[tok.up] && !tok.is("NULL"):
		p.unexpected("a data type")
	case tok.is("ROW"):
		p.rowType(t)
	case tok.is("ARRAY", "MULTISET", "MAP"):
		p.collectionType(t)
	case tok.is("INTERVAL"):
		p.i++
		units := p.intervalUnits()
		t.Name, t.Interval = "INTERVAL", &units
	case tok.is("RAW"):
		p.rawType(t)
	case tok.is("STRUCTURED") && p.peek(1).sign("<"):
		p.structuredType(t)
	case ok:
		p.simpleType(t, simple)
	case tok.is("NULL"):
		p.i++
		t.Name = "NULL"
	case reserved[tok.up]:
		p.unexpected("a data type")
	default:
		t.User = p.parts("a data type")
	}
	return t
}

func (p *parser) simpleType(t *syntax.Type, name string) {
	spelling := p.next().up
	t.Name = name
	switch spelling {
	case "DOUBLE":
		p.accept("PRECISION")
	case "CHAR", "CHARACTER":
		if p.accept("VARYING") {
			t.Name = "VARCHAR"
		}
	case "BINARY":
		if p.accept("VARYING") {
			t.Name = "VARBINARY"
		}
	case "TIMESTAMP_LTZ":
		t.Zone = syntax.LocalTimeZone
	}
	if precise[t.Name] && p.acceptSign("(") {
		t.Precision = p.integer("a length or precision")
		if t.Name == "DECIMAL" && p.acceptSign(",") {
			t.Scale = p.integer("a scale")
		}
		p.expectSign(")")
	}
	switch {
	case spelling == "TIMESTAMP" || spelling == "TIME":
		t.Zone = p.zone()
	case p.is("CHARACTER") && p.peek(1).is("SET"):
		p.fail(syntax.Errorf(syntax.CodeSyntax, p.tok().span(), "a type takes no CHARACTER SET").
			WithHint("text is always Unicode; leave the clause out"))
	}
}

// zone reads WITH [LOCAL] TIME ZONE or WITHOUT TIME ZONE if it stands here.
func (p *parser) zone() syntax.Zone {
	switch {
	case p.accept("WITH", "LOCAL", "TIME", "ZONE"):
		return syntax.LocalTimeZone
	case p.accept("WITH", "TIME", "ZONE"):
		return syntax.WithTimeZone
	default:
		p.accept("WITHOUT", "TIME", "ZONE")
		return syntax.NoZone
	}
}

func (p *parser) collectionType(t *syntax.Type) {
	t.Name = p.next().up
	p.expectSign("<")
	t.Elems = append(t.Elems, p.typ())
	if t.Name == "MAP" {
		p.expectSign(",")
		t.Elems = append(t.Elems, p.typ())
	}
	p.expectAngle()
}

// expectAngle reads one >. The lexer may have glued it to a = behind it.
func (p *parser) expectAngle() {
	if t := p.tok(); t.sign(">=") {
		t.up, t.pos = "=", t.pos+1
		return
	}
	p.expectSign(">")
}

// rowType reads ROW<a INT, ..> or ROW(a INT, ..); a field may have a comment.
func (p *parser) rowType(t *syntax.Type) {
	t.Name = p.next().up
	switch {
	case p.acceptSign("<>"):
	case p.acceptSign("<"):
		if !p.sign(">") {
			p.fields(t)
		}
		p.expectAngle()
	case p.acceptSign("("):
		if !p.sign(")") {
			p.fields(t)
		}
		p.expectSign(")")
	default:
		p.unexpected("'<' and the fields of the row")
	}
}

func (p *parser) fields(t *syntax.Type) {
	for {
		start := p.i
		f := syntax.TypeField{Name: p.ident("a field name"), Type: p.typ()}
		if p.tok().kind == text {
			f.Comment, _ = p.stringValue("a comment")
		}
		f.Span = p.since(start)
		t.Fields = append(t.Fields, f)
		if !p.acceptSign(",") {
			return
		}
	}
}

// rawType reads RAW('class', 'serializer').
func (p *parser) rawType(t *syntax.Type) {
	t.Name = p.next().up
	p.expectSign("(")
	class, _ := p.stringValue("a class name in quotes")
	p.expectSign(",")
	serializer, _ := p.stringValue("a serializer in quotes")
	p.expectSign(")")
	t.Raw = []string{class, serializer}
}

// structuredType reads STRUCTURED<'class', a INT, ..>.
func (p *parser) structuredType(t *syntax.Type) {
	t.Name = p.next().up
	p.expectSign("<")
	class, _ := p.stringValue("a class name in quotes")
	t.Raw = []string{class}
	if p.acceptSign(",") {
		p.fields(t)
	}
	p.expectAngle()
}
