// Package rules rewrites logical plans into cheaper ones that give the same rows: one file per rule, one
// ordered list.
//
// It does not know SQL text, names, operators or stages.
//
// Invariants:
//
//	R1 a rule keeps the plan's schema, the rows and, where rows can fail, which of them do.
//	R2 a rule is provable from the plan alone or from what a source accepted.
//	R3 the order is the list's; a rule that needs another one's work stands behind it.
package rules

import (
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/planner/logical"
)

// Context is what rules may ask.
type Context struct {
	Env *function.Env
	// Open opens a scan's table, so that its source can be asked what it takes. Nil: push nothing down.
	Open func(s *logical.Scan) (connector.Source, error)
	// Table opens a scan's table to ask what it knows of its rows, also where nothing is pushed down. Nil: ask nothing.
	Table func(s *logical.Scan) (connector.Source, error)
	// Forgets says that state has a time to live in the session.
	Forgets bool
	// Off names rules that are switched off.
	Off map[string]bool
}

// Rule is one rewrite.
type Rule struct {
	Name string
	// Doc says what it does, for EXPLAIN's help and the reference.
	Doc   string
	Apply func(c *Context, p logical.Plan) logical.Plan
}

// All is the order of the rules.
var All = []Rule{
	{"fold-constants", "computes expressions without columns once, and drops branches that cannot be taken", foldConstants},
	{"drop-constant-keys", "groups by the keys that vary", dropConstantKeys},
	{"arg-maximum", "keeps the rows that have the maximum of their window where a query joins them with it", argMaxima},
	{"share-windows", "groups by windows without copying a row into each window that it is in", shareWindows},
	{"ask-unique", "asks sources which of their values no two rows share", askUnique},
	{"push-watermark", "lets a source that knows its event time make the watermark itself", pushWatermark},
	{"narrow-joins", "makes outer joins inner ones where padded rows are dropped", narrowJoins},
	{"push-filter", "moves conditions towards the sources, through projections and views", pushFilter},
	{"propagate-constants", "replaces a column by the constant that a condition below compares it with", propagateConstants},
	{"fold-propagated", "folds again what constants from conditions decided", foldConstants},
	{"merge-projections", "computes a projection over a projection in one step", mergeProjections},
	{"prune-columns", "drops columns nobody reads, and tells sources which fields are needed", pruneColumns},
	{"expire-joins", "forgets rows of joins once the watermark has passed the time until which they can find partners", expireJoins},
	{"forget-met", "keeps rows of joins no longer than until they met the one partner that they can have", forgetMet},
	{"close-keys", "lets joins test the filters of rows with keys of their own, so that nothing waits for those that fail", closeKeys},
	{"expire-ranks", "forgets partitions of ranks over joins once the watermark has passed the time until which they get rows", expireRanks},
	{"expire-groups", "forgets groups over joins once the watermark has passed the time until which rows come to them", expireGroups},
	{"join-together", "joins inputs at once that are joined one after the other by the same keys", joinTogether},
	{"filter-maxima", "drops rows below the maximum so far before they come to a join with the maximum of their window", filterMaxima},
}

// Optimize applies all rules in order.
func Optimize(c *Context, p logical.Plan) logical.Plan {
	for _, r := range All {
		if !c.Off[r.Name] {
			p = r.Apply(c, p)
		}
	}
	return p
}

// filtered puts conditions above p; none leaves it as it is.
func filtered(p logical.Plan, conds []expr.Expr) logical.Plan {
	if len(conds) == 0 {
		return p
	}
	return &logical.Filter{Input: p, Cond: expr.And(conds...)}
}
