package rules

import (
	"slices"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// maximumWindows is how many windows a row may be asked about at most.
const maximumWindows = 4

// filterMaxima puts a filter below joins of rows with the maximum (or minimum) of a window of the same rows: a row that
// is less than one before it in its window is not the maximum, and need not come to the join. Such are nearly all.
//
// It holds where
//
//   - the join is an inner one of rows that stay, whose condition has v = m (or v >= m for MAX, v <= m for MIN);
//   - m is MAX or MIN of a, without FILTER, of all rows of a tumbling window over event time, and nothing but projections
//     and conditions stand above the grouping;
//   - conditions bound e, the end of the window, below and above by t, a column of the rows: by what is between the two a
//     row belongs to few windows;
//   - the rows are among those that are grouped, a is v and the event time of the grouping is t: both come of one scan,
//     by the same expressions, and each condition below the grouping is one on the rows too.
//
// A row that comes too late for its window counts in none, as in the grouping. The filter is in front of an exchange:
// what one subtask has seen of a window is never more than the maximum of all.
func filterMaxima(c *Context, p logical.Plan) logical.Plan {
	if c.Off[ShareSubplans] { // two scans may read different rows
		return p
	}
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x, ok := p.(*logical.Join)
		if !ok || x.Kind != op.InnerJoin || x.AtEnd {
			return p
		}
		if f := maximumOf(x, 0); f != nil {
			return x.Over(x.Kind, f, x.Right, x.Cond)
		}
		if f := maximumOf(x, 1); f != nil {
			return x.Over(x.Kind, x.Left, f, x.Cond)
		}
		return p
	})
}

// maximumOf is the filter over the rows on a side of a join, nil if there is none.
func maximumOf(x *logical.Join, side int) *logical.MaximumFilter {
	in := x.Inputs()
	rows, grouped := in[side], in[1-side]
	m := &maxima{join: x, side: side, width: len(x.Left.Schema())}
	for _, e := range x.Conds() {
		m.condition(e)
	}
	for _, pair := range m.pairs {
		agg, at := groupingOf(grouped, pair.grouped)
		if agg == nil || at < len(agg.Keys) || at >= agg.Width() {
			continue
		}
		call := agg.Calls[at-len(agg.Keys)]
		least := call.Fn.Name == "MIN"
		greatest := call.Fn.Name == "MAX"
		if !least && !greatest || call.Filter != nil || len(call.Args) != 1 || pair.sign == "<=" && greatest || pair.sign == ">=" && least {
			continue
		}
		for _, time := range m.times(rows, grouped, agg) {
			of := []expr.Expr{call.Args[0], agg.Input.Schema().Expr(agg.Time)}
			if sameRows(rows, []int{pair.row, time.row}, agg.Input, of) && !logical.Retracts(rows) {
				return &logical.MaximumFilter{Input: rows, Value: pair.row, Time: time.row, Window: agg.Window,
					Before: time.before, After: time.after, Least: least}
			}
		}
	}
	return nil
}

// maxima are the parts of a join's condition.
type maxima struct {
	join  *logical.Join
	side  int // of the rows
	width int
	pairs []maximumPair
	ends  []maximumEnd
}

// maximumPair is a row's column compared with one of the grouping: row sign grouped.
type maximumPair struct {
	row, grouped int
	sign         string
}

// maximumEnd is row + by <= grouped, or grouped <= row + by where above is set.
type maximumEnd struct {
	row, grouped int
	by           time.Duration
	above        bool
}

// maximumTime is a column of the rows, and by how much before and after it windows may end.
type maximumTime struct {
	row           int
	before, after time.Duration
}

// condition takes what a conjunct says.
func (m *maxima) condition(e expr.Expr) {
	call, ok := e.(*expr.Call)
	if !ok || len(call.List) != 2 {
		return
	}
	a, b, sign := call.List[0], call.List[1], call.Fn.Name
	if !slices.Contains([]string{"=", "<", "<=", ">", ">="}, sign) {
		return
	}
	low, less := logical.Offset(a)
	high, more := logical.Offset(b)
	l, plain := low.(*expr.Column)
	h, also := high.(*expr.Column)
	if !plain || !also {
		return
	}
	lowSide, highSide := m.sideOf(l.Index), m.sideOf(h.Index)
	if lowSide == highSide {
		return
	}
	if sign[0] == '>' { // the other way round
		l, h, less, more, lowSide = h, l, more, less, highSide
	}
	row, grouped, flipped := m.at(l.Index), m.at(h.Index), false
	if lowSide != m.side {
		row, grouped, flipped = grouped, row, true
	}
	by := less - more // row + by <= grouped
	if flipped {
		by = -by // grouped <= row + by
	}
	if sign == "=" || flipped {
		m.ends = append(m.ends, maximumEnd{row, grouped, by, true})
	}
	if sign == "=" || !flipped {
		m.ends = append(m.ends, maximumEnd{row, grouped, by, false})
	}
	if by != 0 {
		return
	}
	switch {
	case sign == "=":
		m.pairs = append(m.pairs, maximumPair{row, grouped, sign})
	case flipped:
		m.pairs = append(m.pairs, maximumPair{row, grouped, ">="})
	default:
		m.pairs = append(m.pairs, maximumPair{row, grouped, "<="})
	}
}

func (m *maxima) sideOf(i int) int {
	if i < m.width {
		return 0
	}
	return 1
}

func (m *maxima) at(i int) int {
	if i < m.width {
		return i
	}
	return i - m.width
}

// times are the columns of the rows by which the end of the window is bounded on both sides.
func (m *maxima) times(rows, grouped logical.Plan, agg *logical.WindowAggregate) (out []maximumTime) {
	at := agg.Input.Schema()[agg.Time]
	if len(agg.Keys) > 0 || agg.Window.Kind != op.Tumble || at.Time != logical.Rowtime || at.Type.Kind != types.Timestamp {
		return nil
	}
	for _, low := range m.ends {
		for _, high := range m.ends {
			if low.above || !high.above || low.row != high.row || low.grouped != high.grouped {
				continue
			}
			if end, i := groupingOf(grouped, low.grouped); end != agg || i < agg.Width() || agg.Shown[i-agg.Width()] != op.WindowEnd {
				continue
			}
			t := maximumTime{low.row, -low.by, high.by}
			few := t.before+t.after <= maximumWindows*time.Duration(agg.Window.Size)*time.Millisecond
			if c := rows.Schema()[t.row]; few && c.Type.Kind == types.Timestamp && c.Type.Precision <= 3 {
				out = append(out, t)
			}
		}
	}
	return out
}

// groupingOf follows column i of p to the grouping by windows that it comes from.
func groupingOf(p logical.Plan, i int) (*logical.WindowAggregate, int) {
	for {
		switch x := p.(type) {
		case *logical.Filter:
			p = x.Input
		case *logical.Project:
			c, plain := x.Exprs[i].(*expr.Column)
			if !plain {
				return nil, 0
			}
			p, i = x.Input, c.Index
		case *logical.WindowAggregate:
			return x, i
		default:
			return nil, 0
		}
	}
}

// sameRows tells that the rows of p are among those of q, and that columns of p are expressions over q for them.
func sameRows(p logical.Plan, columns []int, q logical.Plan, exprs []expr.Expr) bool {
	list := make([]expr.Expr, len(columns))
	for k, i := range columns {
		list[k] = p.Schema().Expr(i)
	}
	if list[0].Type().Kind != types.BigInt {
		return false
	}
	a, b := scanned(p, list), scanned(q, exprs)
	if a == nil || b == nil || !slices.Equal(a.keys, b.keys) || a.watermark != b.watermark || !oneScan(a.scan, b.scan) {
		return false
	}
	return !slices.ContainsFunc(b.conds, func(c string) bool { return !slices.Contains(a.conds, c) })
}

// oneScan tells that two scans become one where subplans are shared.
func oneScan(a, b *logical.Scan) bool {
	var s sharing
	var keys [2]string
	for i, x := range []*logical.Scan{a, b} {
		whole := *x
		whole.Need = nil
		keys[i], _ = s.fingerprint(&whole)
	}
	return keys[0] == keys[1]
}

// scannedRows are rows as a scan has them.
type scannedRows struct {
	scan      *logical.Scan
	watermark string
	keys      []string // of expressions over the scan
	conds     []string
}

// scanned follows expressions over p down to the scan below projections, conditions and the watermark, nil where other
// things stand there.
func scanned(p logical.Plan, list []expr.Expr) *scannedRows {
	out, n := &scannedRows{}, len(list)
	for {
		switch x := p.(type) {
		case *logical.Project:
			for i := range list {
				list[i] = expr.Inline(list[i], x.Exprs)
			}
			p = x.Input
		case *logical.Filter:
			list = append(slices.Clip(list), expr.Conjuncts(x.Cond)...)
			p = x.Input
		case *logical.Watermark:
			list = append(slices.Clip(list), x.Input.Schema().Expr(x.Column), x.Expr)
			out.watermark += "w"
			p = x.Input
		case *logical.Scan:
			out.scan = x
			for i, e := range list {
				if !expr.Pure(e) || expr.CanFail(e) && i < n {
					return nil
				}
				if key := expr.Key(e); i < n {
					out.keys = append(out.keys, key)
				} else {
					out.conds = append(out.conds, key)
				}
			}
			return out
		default:
			return nil
		}
	}
}
