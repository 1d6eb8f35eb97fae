package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// Statement parses one statement in the default dialect; a semicolon may end it.
func Statement(src string) (syntax.Statement, error) { return Options{}.Statement(src) }

// Statement parses one statement; a semicolon may end it.
func (o Options) Statement(src string) (syntax.Statement, error) {
	return o.statement(src, syntax.Span{End: len(src)})
}

func (o Options) statement(src string, span syntax.Span) (stmt syntax.Statement, err error) {
	defer catch(&err)
	p := newParser(src, span, o)
	stmt = p.statement()
	if !p.acceptSign(";") && p.tok().kind != eof {
		p.unexpected("the end of the statement")
	}
	if p.tok().kind != eof {
		p.unexpected("nothing behind the semicolon, for only one statement is taken")
	}
	return stmt, nil
}

// Expr parses an expression on its own in the default dialect.
func Expr(src string) (syntax.Expr, error) { return Options{}.Expr(src) }

// Expr parses an expression on its own.
func (o Options) Expr(src string) (e syntax.Expr, err error) {
	defer catch(&err)
	p := newParser(src, syntax.Span{End: len(src)}, o)
	e = p.expression()
	if p.tok().kind != eof {
		p.unexpected("the end of the expression")
	}
	return e, nil
}

func newParser(src string, span syntax.Span, o Options) *parser {
	p := &parser{src: src, opts: o}
	if size := span.End - span.Pos; size > MaxBytes {
		p.fail(syntax.Errorf(syntax.CodeLimit, syntax.Span{Pos: span.Pos, End: span.Pos},
			"the statement has %d bytes, more than the limit of %d", size, MaxBytes))
	}
	p.toks = lex(src, span.Pos, span.End)
	return p
}

// expression parses an expression inside a statement.
func (p *parser) expression() (e syntax.Expr) {
	s := newShaper(p)
	s.emit("SELECT")
	s.expr()
	s.lower(func(l *lowering, n ast.StmtNode) {
		e = l.expr(n.(*ast.SelectStmt).Fields.Fields[0].Expr)
	})
	return e
}

// parseQuery parses a query inside a statement. Its span covers all that was read.
func (p *parser) parseQuery() (q syntax.Query) {
	if !p.startsQuery(p.i) {
		p.unexpected("a query: SELECT, VALUES, TABLE or WITH")
	}
	start, s := p.i, newShaper(p)
	s.query()
	s.lower(func(l *lowering, n ast.StmtNode) { q = l.query(n) })
	if w, ok := q.(interface{ Widen(syntax.Span) }); ok {
		w.Widen(p.since(start))
	}
	return q
}

// someStatement is what stands where a statement begins.
const someStatement = "a statement such as SELECT, INSERT, CREATE or SHOW"

// statementWords are those that most statements begin with.
var statementWords = []string{"SELECT", "WITH", "VALUES", "INSERT", "CREATE", "DROP", "ALTER", "COPY", "EXPLAIN", "DESCRIBE", "SHOW", "SET",
	"RESET", "USE", "EXECUTE", "BEGIN", "STOP", "QUIT", "HELP"}

// statement parses the statement at the cursor.
func (p *parser) statement() syntax.Statement {
	if p.startsQuery(p.i) {
		start := p.i
		q := p.parseQuery()
		return &syntax.QueryStatement{Span: p.since(start), Query: q}
	}
	t := p.tok()
	if t.kind == eof || t.sign(";") {
		p.fail(syntax.Errorf(syntax.CodeSyntax, t.span(), "there is no statement"))
	}
	if t.kind != word {
		p.unexpected("a statement")
	}
	switch t.up {
	case "CREATE", "REPLACE":
		return p.create()
	case "DROP":
		return p.drop()
	case "ALTER":
		return p.alter()
	case "INSERT", "UPSERT":
		return p.insert()
	case "COPY":
		return p.copy()
	case "UPDATE":
		return p.update()
	case "DELETE":
		return p.delete()
	case "TRUNCATE":
		return p.truncate()
	case "EXECUTE", "STATEMENT", "BEGIN", "END":
		return p.execute()
	}
	return p.utility(t)
}

// utility parses the statements that neither define nor change data.
func (p *parser) utility(t *token) syntax.Statement {
	switch t.up {
	case "EXPLAIN":
		return p.explain()
	case "DESCRIBE", "DESC":
		return p.describe()
	case "SHOW":
		return p.show()
	case "SET":
		return p.set()
	case "RESET":
		return p.reset()
	case "USE":
		return p.use()
	case "LOAD", "UNLOAD":
		return p.module()
	case "STOP":
		return p.stopJob()
	case "COMPILE":
		return p.compilePlan()
	case "QUIT", "EXIT", "CLEAR", "HELP":
		return p.shell()
	}
	if s := p.unsupported(); s != nil {
		return s
	}
	p.unexpected(someStatement)
	return nil
}
