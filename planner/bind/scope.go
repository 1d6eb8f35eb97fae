package bind

import (
	"slices"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// result is a bound query or table reference: the plan, and the columns by the names they have in the
// text around it, which may differ from the plan's own.
type result struct {
	plan   logical.Plan
	schema logical.Schema
}

// relation is one table in a FROM clause.
type relation struct {
	// name is the alias, or the last part of the table's name; empty for a derived table without alias.
	name string
	// path is the table's full name when it was written without an alias.
	path   []string
	start  int // position of its first column in the row
	schema logical.Schema
	// hidden are columns that USING and NATURAL have merged: only the table's name shows them.
	hidden map[string]bool
}

// scope is what names mean at a place: the tables of the FROM clause around it.
type scope struct {
	relations []relation
	// merged are the columns of USING and NATURAL, the outermost join's first.
	merged []mergedColumn
	// ttl is how long the rows of tables live in joins, by the names that STATE_TTL gives; -1 is for ever.
	ttl map[string]time.Duration
	// outer is the scope of the query around a subquery.
	outer *scope
	// clause names the place in errors where an aggregate may not stand; empty where it may.
	clause string
	// inAggregate is set while the argument of an aggregate is bound.
	inAggregate bool
	// inWindow is set inside a call with OVER.
	inWindow bool
	// aliases are the names of result columns where they can be seen: in ORDER BY and QUALIFY.
	aliases map[string]expr.Expr
	// windows are what the WINDOW clause defines, by name.
	windows map[string]*syntax.WindowSpec
	// overs collects the calls with OVER of this SELECT, where there may be any.
	overs *overs
	// values are the queries that stand as values, where they may.
	values *valueQueries
	// reads collects the columns that queries in a condition read, where nothing is asked for but these.
	reads *readColumns
	// match is the MATCH_RECOGNIZE whose conditions and measures are bound, or nil.
	match *matching
	// group collects the aggregates of this SELECT, where there may be any.
	group *grouping
}

// found is a resolved name.
type found struct {
	e expr.Expr
	// outer is the scope of the query around this one that it belongs to, or nil.
	outer *scope
}

// columns lists the names that can be seen, for hints.
func (s *scope) columns() []string {
	var out []string
	for _, r := range s.relations {
		for _, c := range r.schema {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// where names the tables in sight, for errors: "bid", or "any table".
func (s *scope) where() string {
	if len(s.relations) == 1 && s.relations[0].name != "" {
		return s.relations[0].name
	}
	return "any table"
}

// resolve finds what a dotted name means. A table's name or alias in front wins over a column's.
func (s *scope) resolve(n *syntax.Name) (found, error) {
	for at := s; at != nil; at = at.outer {
		e, err := at.resolveHere(n.Parts)
		if err != nil {
			return found{}, err
		}
		if e != nil {
			if at == s {
				at = nil
			}
			return found{e, at}, nil
		}
	}
	return found{}, s.unknown(n)
}

// resolveHere looks only at the tables of this scope; nil means that nothing fits.
func (s *scope) resolveHere(parts []syntax.Ident) (expr.Expr, error) {
	for k := min(len(parts)-1, 3); k >= 1; k-- {
		r := s.relation(parts[:k])
		if r == nil {
			continue
		}
		e, err := r.column(parts[k])
		if err != nil {
			return nil, err
		}
		if e == nil {
			return nil, failf(parts[k], CodeColumn, "column '%s' not found in %s", parts[k].Name, joined(parts[:k])).
				WithHint("%s", suggest(parts[k].Name, "columns", r.schema.Names()))
		}
		return fields(e, parts[k+1:])
	}
	var hits []expr.Expr
	for _, m := range s.merged {
		if m.name == parts[0].Name {
			hits = append(hits, m.e)
		}
	}
	for i := range s.relations {
		if e := s.relations[i].plain(parts[0].Name); e != nil {
			hits = append(hits, e)
			if s.relations[i].repeated(parts[0].Name) {
				hits = append(hits, e)
			}
		}
	}
	if len(hits) == 0 {
		for i := range s.relations {
			hits = append(hits, s.relations[i].nested(parts[0].Name)...)
		}
	}
	switch len(hits) {
	case 0:
		return nil, nil
	case 1:
		return fields(hits[0], parts[1:])
	}
	err := failf(parts[0], CodeAmbiguous, "column '%s' is ambiguous", parts[0].Name)
	if ways := s.qualified(parts[0].Name); len(ways) > 1 {
		err.Hint = "say which: " + strings.Join(ways, ", ")
	} else {
		err.Hint = s.told(parts[0].Name)
	}
	return nil, err
}

// qualified lists the ways in which a name can be told apart.
func (s *scope) qualified(name string) []string {
	var out []string
	for _, r := range s.relations {
		if r.name != "" && r.schemaIndex(name) >= 0 {
			out = append(out, r.name+"."+name)
		}
	}
	if len(out) == 0 {
		for _, r := range s.relations {
			for _, e := range r.nested(name) {
				out = append(out, e.String())
			}
		}
	}
	return out
}

// told is the hint for a column that no name tells apart.
func (s *scope) told(name string) string {
	for i := range s.relations {
		if s.relations[i].repeated(name) {
			return renameOne(name)
		}
	}
	return "give the queries in FROM an alias and say which: (SELECT …) AS a and a." + name
}

// renameOne is the hint for a name that several columns of a query have.
func renameOne(name string) string {
	return "give each of them a name of its own in the query they come from: … AS " + name + "2"
}

func joined(parts []syntax.Ident) string { return (&syntax.Name{Parts: parts}).String() }

// relation finds the table that a prefix names, or nil.
func (s *scope) relation(parts []syntax.Ident) *relation {
	for i := range s.relations {
		r := &s.relations[i]
		if len(parts) == 1 && parts[0].Name == r.name {
			return r
		}
		if len(parts) > 1 && len(parts) <= len(r.path) {
			tail := r.path[len(r.path)-len(parts):]
			if slices.EqualFunc(tail, parts, func(a string, b syntax.Ident) bool { return a == b.Name }) {
				return r
			}
		}
	}
	return nil
}

func (r *relation) schemaIndex(name string) int {
	return slices.IndexFunc(r.schema, func(c logical.Column) bool { return c.Name == name })
}

// at is the expression that reads column i.
func (r *relation) at(i int) expr.Expr {
	c := r.schema[i]
	return &expr.Column{Index: r.start + i, Name: c.Name, T: c.Type}
}

// plain finds a column by its own name.
func (r *relation) plain(name string) expr.Expr {
	i := r.schemaIndex(name)
	if i < 0 || r.hidden[name] {
		return nil
	}
	return r.at(i)
}

// repeated tells a column name that a derived table has more than once.
func (r *relation) repeated(name string) bool {
	n := 0
	for _, c := range r.schema {
		if c.Name == name {
			n++
		}
	}
	return n > 1
}

// column finds a column, or a field of a ROW column, of this table.
func (r *relation) column(name syntax.Ident) (expr.Expr, error) {
	if r.repeated(name.Name) {
		return nil, failf(name, CodeAmbiguous, "column '%s' is ambiguous in %s", name.Name, r.name).
			WithHint("%s", renameOne(name.Name))
	}
	if i := r.schemaIndex(name.Name); i >= 0 {
		return r.at(i), nil
	}
	hits := r.nested(name.Name)
	switch len(hits) {
	case 0:
		return nil, nil
	case 1:
		return hits[0], nil
	}
	var ways []string
	for _, e := range hits {
		ways = append(ways, r.name+"."+e.String())
	}
	return nil, failf(name, CodeAmbiguous, "field '%s' is ambiguous in %s", name.Name, r.name).
		WithHint("say which: %s", strings.Join(ways, ", "))
}

// nested finds the fields of ROW columns, at the least depth at which there are any.
func (r *relation) nested(name string) []expr.Expr {
	var level []expr.Expr
	for i, c := range r.schema {
		if c.Type.Kind == types.Row {
			level = append(level, r.at(i))
		}
	}
	for len(level) > 0 {
		var hits, next []expr.Expr
		for _, row := range level {
			for i, f := range row.Type().Fields {
				e := expr.NewField(row, i)
				if f.Name == name {
					hits = append(hits, e)
				}
				if f.Type.Kind == types.Row {
					next = append(next, e)
				}
			}
		}
		if len(hits) > 0 {
			return hits
		}
		level = next
	}
	return nil
}

// fields follows a path into ROW values.
func fields(e expr.Expr, path []syntax.Ident) (expr.Expr, error) {
	for _, p := range path {
		t := e.Type()
		i := t.Field(p.Name)
		if t.Kind != types.Row {
			return nil, failf(p, CodeColumn, "field '%s' not found: %s is %s, not a ROW", p.Name, e, t.WithNull(true)).
				WithHint("%s", notRow(e, p.Name))
		}
		if i < 0 {
			names := make([]string, len(t.Fields))
			for k, f := range t.Fields {
				names[k] = f.Name
			}
			return nil, failf(p, CodeColumn, "field '%s' not found in %s", p.Name, e).
				WithHint("%s", suggest(p.Name, "fields", names))
		}
		e = expr.NewField(e, i)
	}
	return e, nil
}

// boundOfWindow tells the columns that window functions add.
func boundOfWindow(name string) bool {
	return slices.Contains([]string{"window_start", "window_end", "window_time"}, name)
}

// unknown words the error for a name that means nothing.
func (s *scope) unknown(n *syntax.Name) error {
	first := n.Parts[0]
	if len(n.Parts) == 1 {
		columns := s.columns()
		hint := "name its table in FROM, or write '" + first.Name + "' for a text"
		if len(columns) > 0 {
			hint = suggest(first.Name, "columns", columns)
		}
		if boundOfWindow(first.Name) && !slices.ContainsFunc(columns, boundOfWindow) {
			hint = first.Name + " is a column of windows: read FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)), HOP, CUMULATE or SESSION"
		}
		return failf(first, CodeColumn, "column '%s' not found in %s", first.Name, s.where()).WithHint("%s", hint)
	}
	hint := "name its table in FROM"
	if tables := s.tables(); len(tables) > 0 {
		hint = suggest(first.Name, "tables", tables)
	} else if columns := s.columns(); len(columns) > 0 {
		hint = suggest(first.Name, "columns", columns)
	}
	return failf(first, CodeColumn, "table or column '%s' not found here", first.Name).WithHint("%s", hint)
}

// tables lists the names of the tables in sight.
func (s *scope) tables() []string {
	var out []string
	for _, r := range s.relations {
		if r.name != "" {
			out = append(out, r.name)
		}
	}
	return out
}
