package parse

import (
	"slices"

	"streamsql/planner/syntax"
)

// topics are the statements that are explained under other words than the one that begins them.
var topics = map[string]string{
	"WITH": "SELECT", "FROM": "SELECT", "TABLE": "SELECT", "DESC": "DESCRIBE", "BEGIN": "BEGIN STATEMENT SET",
	"EXECUTE": "EXECUTE STATEMENT SET", "STOP": "STOP JOB",
	"SELECT": "SELECT", "VALUES": "VALUES", "INSERT": "INSERT", "EXPLAIN": "EXPLAIN", "DESCRIBE": "DESCRIBE", "SHOW": "SHOW",
	"SET": "SET", "RESET": "RESET", "USE": "USE", "DROP": "DROP", "COPY": "COPY",
}

// things are what CREATE and ALTER are explained for.
var things = []string{"TABLE", "VIEW", "FUNCTION", "CATALOG", "DATABASE"}

// Topics are the statements that errors point to.
func Topics() []string {
	var out []string
	for _, t := range topics {
		out = append(out, t)
	}
	for _, t := range things {
		out = append(out, "CREATE "+t)
		out = append(out, "ALTER "+t)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fail gives up. An error without a hint of its own says where the form of the statement is shown.
func (p *parser) fail(err *syntax.Error) {
	if err.Hint == "" && err.Code != syntax.CodeNotSupported {
		if err.Hint = `\h lists the statements`; p.topic() != "" {
			err.Hint = `\h ` + p.topic() + " shows how it is written"
		}
	}
	panic(err)
}

// topic is the statement that is read; empty if it is none that is known.
func (p *parser) topic() string {
	from := 0
	for i := range p.i {
		if p.toks[i].sign(";") {
			from = i + 1
		}
	}
	const far = 5 // CREATE OR REPLACE TEMPORARY TABLE
	words := p.toks[from:min(from+far, len(p.toks))]
	for len(words) > 1 && words[0].sign("(") {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	if first := &words[0]; first.is("CREATE", "ALTER") {
		for i := range words {
			if k := slices.IndexFunc(things, func(w string) bool { return words[i].is(w) }); k >= 0 {
				return first.up + " " + things[k]
			}
		}
	}
	return topics[words[0].up]
}
