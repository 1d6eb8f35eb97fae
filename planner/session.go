// Package planner is the compiler's front door: a Session takes one SQL statement and gives one result,
// which is text, rows of text, or a graph to run.
//
// It does not know how graphs are run, nor flags, files or terminals.
//
// Invariants:
//
//	S1 an error about a statement is a *syntax.Error with a position in the text that was given.
//	S2 a statement that fails leaves the session as it was.
package planner

import (
	"errors"
	"strings"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/planner/bind"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/parse"
	"streamsql/planner/physical"
	"streamsql/planner/rules"
	"streamsql/planner/syntax"
)

// Options make a session.
type Options struct {
	// Connectors are what tables can be connected to.
	Connectors []connector.Definition
	// Now is the clock.
	Now func() time.Time
}

// Session is what one user has declared and set. It belongs to one goroutine.
type Session struct {
	catalog *catalog.Catalog
	env     *function.Env
	binder  *bind.Binder
	tables  *physical.Tables

	updateBefore bool
	byKey        bool
	every        time.Duration // how often its owner looks at them
	set          *openSet      // or nil
}

// Result is what a statement gave: rows of text, a message, or a job to run.
type Result struct {
	// Graph is the job of a query or an INSERT; nil for everything else.
	Graph *graph.Graph
	// Query says that the job's rows are the result; their columns stand in the graph's sink.
	Query bool
	// Apart says that places in the job's failures are in the texts of earlier statements.
	Apart bool
	// Columns and Rows are the result of SHOW, DESCRIBE and their like. Rows may be empty.
	Columns []string
	Types   []types.Type
	Rows    [][]string
	// Nulls marks the cells of Rows that are NULL; nil when there are none.
	Nulls [][]bool
	// Jobs is a statement about running jobs, which whoever runs them carries out.
	Jobs *JobStatement
	// Text is a result that is prose, as EXPLAIN's.
	Text string
	// Explained is the job that an EXPLAIN is about, which does not run, and Advice what it says about it.
	Explained *graph.Graph
	Advice    []string
	Warnings  []string
	// Notes are what else there is to know of a result.
	Notes []string
}

// New starts a session.
func New(o Options) *Session {
	s := &Session{catalog: catalog.New(o.Connectors), env: &function.Env{Zone: time.UTC, Now: o.Now}}
	s.binder = bind.New(s.catalog, s.env)
	s.tables = &physical.Tables{Catalog: s.catalog, Env: s.env}
	s.Settings().Admit("streamsql.rules.off", first(rules.Docs()))
	s.Settings().Admit("streamsql.optimizations.off", first(physical.Optimizations))
	s.apply()
	return s
}

// first are the names of what has a meaning beside it.
func first(list [][2]string) []string {
	var out []string
	for _, d := range list {
		out = append(out, d[0])
	}
	return out
}

// KeepUpdateBefore gives all sinks -U rows, those too that do not ask for them: whoever folds a result needs
// them.
func (s *Session) KeepUpdateBefore() { s.updateBefore = true }

// ResultByKey says whether queries are for an owner that takes rows by an upsert key (graph.Sink.Key), where they have one.
// It looks at them as often as every says: changes are folded meanwhile (op.MiniBatch), unless the session has set whether
// they are.
func (s *Session) ResultByKey(on bool, every time.Duration) { s.byKey, s.every = on, every }

// Settings are the session's settings, to be read.
func (s *Session) Settings() *catalog.Settings { return s.catalog.Settings() }

// Env is what kernels of a job started now may know of the session.
func (s *Session) Env() *function.Env {
	e := *s.env
	return &e
}

// Set changes a setting, as SET does. A warning says that the key is accepted and has no effect.
func (s *Session) Set(key, value string) (warning string, err error) {
	warning, err = s.Settings().Set(key, value)
	s.apply()
	return warning, err
}

// apply lets the settings take effect on what was made from them.
func (s *Session) apply() {
	set := s.Settings()
	s.env.Zone = set.Location()
	s.env.LegacyCast = set.LegacyCast == "ENABLED"
}

// Dialect is what the parser accepts now.
func (s *Session) Dialect() parse.Options {
	if s.Settings().Flink() {
		return parse.Options{Dialect: parse.Flink}
	}
	return parse.Options{}
}

// Prepare takes one statement, with or without the semicolon behind it.
func (s *Session) Prepare(text string) (*Result, error) {
	st, err := s.Dialect().Statement(text)
	if err != nil {
		return nil, err
	}
	r, err := s.statement(st, text)
	s.apply()
	return r, placed(err, st)
}

// Explain takes one statement: it shows the plan of what would run as a job, and carries out the others.
func (s *Session) Explain(text string) (*Result, error) {
	st, err := s.Dialect().Statement(text)
	if err != nil {
		return nil, err
	}
	switch st.(type) {
	case *syntax.QueryStatement, *syntax.Insert, *syntax.Copy, *syntax.StatementSet:
		r, err := s.explain(&syntax.Explain{Span: st.At(), Statement: st}, text)
		return r, placed(err, st)
	}
	return s.Prepare(text)
}

// placed gives an error of a table's use the statement as its place.
func placed(err error, st syntax.Statement) error {
	var e *syntax.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	if o, ok := err.(*option.Error); ok { // of the session itself, not of a table
		return syntax.Errorf(bind.CodeSetting, st.At(), "%s", o.Msg).WithHint("%s", o.Hint)
	}
	var c *physical.ChangelogError
	if errors.As(err, &c) {
		return syntax.Errorf(bind.CodeInsert, st.At(), "%v", c).
			WithHint("group by the bounds of a window, or write to a sink that takes changes, such as 'print' or 'blackhole'")
	}
	var o *option.Error
	if errors.As(err, &o) && o.Hint != "" {
		return syntax.Errorf(bind.CodeConnector, st.At(), "%s", strings.TrimSuffix(err.Error(), "; "+o.Hint)).WithHint("%s", o.Hint)
	}
	return syntax.Errorf(bind.CodeConnector, st.At(), "%v", err)
}

func (s *Session) statement(st syntax.Statement, text string) (*Result, error) {
	if x, ok := st.(*syntax.Explain); ok {
		return s.explain(x, text)
	}
	if r, ok, err := s.inSet(st, text); ok {
		return r, err
	}
	if x := aboutJobs(st); x != nil {
		return &Result{Jobs: x}, nil
	}
	sinks, query, err := s.sinks(st, text, false)
	if err != nil {
		return nil, err
	}
	if sinks == nil {
		r, err := s.binder.Statement(st, text)
		if err != nil {
			return nil, err
		}
		return &Result{Columns: r.Columns, Types: r.Types, Rows: r.Rows, Nulls: r.Nulls, Warnings: r.Warnings,
			Notes: s.notes(st, text)}, nil
	}
	r, err := s.job(sinks)
	if err != nil {
		return nil, err
	}
	r.Query = query
	return r, nil
}

// sinks binds what runs as a job: a query, an INSERT, a CREATE TABLE .. AS or a statement set. Nil stands for
// the others. For explain nothing is created.
func (s *Session) sinks(st syntax.Statement, text string, explain bool) (list []logical.Plan, query bool, err error) {
	s.binder.Idle() // of statements that came to nothing
	switch x := st.(type) {
	case *syntax.QueryStatement:
		p, err := s.binder.Query(x.Query, text)
		if err != nil {
			return nil, false, err
		}
		return []logical.Plan{logical.Result(p)}, true, nil
	case *syntax.Insert:
		p, err := s.binder.Insert(x, text)
		if err != nil {
			return nil, false, err
		}
		return []logical.Plan{p}, false, nil
	case *syntax.Copy:
		p, err := s.binder.Copy(x, text, explain)
		if err != nil {
			return nil, false, err
		}
		return []logical.Plan{p}, false, nil
	case *syntax.CreateTable:
		if x.As == nil {
			break
		}
		p, err := s.binder.CreateTableAs(x, text, explain)
		if err != nil || p == nil {
			return nil, false, err
		}
		return []logical.Plan{p}, false, nil
	case *syntax.StatementSet:
		for _, i := range x.Inserts {
			p, err := s.binder.Insert(i, text)
			if err != nil {
				return nil, false, err
			}
			list = append(list, p)
		}
	}
	return list, false, nil
}

func (s *Session) optimize(list []logical.Plan) []logical.Plan {
	c := &rules.Context{Env: s.env, Off: s.Settings().RulesOff(), Forgets: s.Settings().StateTTL > 0, Table: s.tables.Source}
	if s.Settings().PushDown {
		c.Open = s.tables.Source
	}
	return rules.OptimizeJob(c, list)
}

// physical makes the planner of a job, which is for a query or not.
func (s *Session) physical(query bool) (*physical.Planner, error) {
	set := s.Settings()
	fold, given, err := set.MiniBatches()
	if err != nil {
		return nil, err
	}
	if query && s.byKey && !given {
		fold = op.MiniBatch{Latency: s.every, Pause: lookingPause}
	}
	return &physical.Planner{Tables: s.tables, Parallelism: set.Parallelism, PushDown: set.PushDown, DropNull: set.NotNull == "DROP",
		Zone: set.Location(), Drain: set.Drain, TTL: set.StateTTL, UpdateBefore: s.updateBefore,
		Materialize: set.Materialize, Share: !set.RulesOff()[rules.ShareSubplans],
		MaxParallelism: max(set.MaxParallelism, 0), Exchange: set.Exchange(), DistinctBuckets: set.DistinctBuckets(),
		Off: set.OptimizationsOff(), MiniBatch: fold}, nil
}

// lookingPause is the share of its time that a job may spend on rows for somebody who looks at them: one part in so many.
const lookingPause = 100

// isQuery tells the job of a query from one that fills tables.
func isQuery(sinks []logical.Plan) bool { return sinks[0].(*logical.Sink).Table == nil }
