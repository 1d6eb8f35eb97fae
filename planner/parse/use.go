package parse

import "streamsql/planner/syntax"

// use parses USE CATALOG c, USE MODULES a, b and USE [catalog.]database.
func (p *parser) use() syntax.Statement {
	start, u := p.i, &syntax.Use{Kind: syntax.DatabaseObject}
	p.i++
	switch {
	case p.is("CATALOG") && p.peek(1).name():
		p.i++
		u.Kind = syntax.CatalogObject
		u.Name = pathOf(p.ident("the catalog"))
	case p.accept("MODULES"):
		u.Kind = ""
		u.Modules = append(u.Modules, p.ident("a module"))
		for p.acceptSign(",") {
			u.Modules = append(u.Modules, p.ident("a module"))
		}
	default:
		u.Name = p.path("CATALOG, MODULES or a database")
	}
	u.Span = p.since(start)
	return u
}

// module parses LOAD MODULE m [WITH (..)] and UNLOAD MODULE m.
func (p *parser) module() syntax.Statement {
	start := p.i
	load := p.next().is("LOAD")
	p.expect("MODULE")
	name := p.ident("a module")
	if !load {
		return &syntax.UnloadModule{Span: p.since(start), Name: name}
	}
	options, _ := p.withOptions()
	return &syntax.LoadModule{Span: p.since(start), Name: name, Options: options}
}

// stopJob parses STOP JOB 'id' [WITH SAVEPOINT] [WITH DRAIN].
func (p *parser) stopJob() syntax.Statement {
	start, s := p.i, &syntax.StopJob{}
	p.expect("STOP", "JOB")
	s.Job, _ = p.stringValue("the job's id in quotes")
	s.Savepoint = p.accept("WITH", "SAVEPOINT")
	drain := p.i
	s.Drain = p.accept("WITH", "DRAIN")
	s.Span = p.since(start)
	if s.Drain && !s.Savepoint {
		p.fail(syntax.Errorf(syntax.CodeDefinition, p.since(drain), "WITH DRAIN goes with WITH SAVEPOINT"))
	}
	return s
}

var shellCommands = map[string]syntax.ShellCommand{
	"QUIT": syntax.Quit, "EXIT": syntax.Quit, "CLEAR": syntax.Clear, "HELP": syntax.Help,
}

// shell parses the commands of the SQL client.
func (p *parser) shell() syntax.Statement {
	t := p.next()
	return &syntax.Shell{Span: t.span(), Command: shellCommands[t.up]}
}
