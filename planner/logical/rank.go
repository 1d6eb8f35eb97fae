package logical

import (
	"fmt"
	"math"
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// Unlimited is a Rank.To without end.
const Unlimited = math.MaxInt64

// Rank keeps of each partition the rows at the places From to To of an order, counted from 1: Top-N. Equal rows
// are in the order in which they came, or share a place. Without partitions it is ORDER BY with LIMIT, without an order too LIMIT.
type Rank struct {
	Input Plan
	// Partition and Order are over the input.
	Partition []expr.Expr
	Order     []op.SortKey
	From, To  int64
	// Function is ROW_NUMBER, or RANK or DENSE_RANK where equal rows share a place.
	Function string
	// Pos and End are where the call stands in the text of the statement; 0 for nowhere.
	Pos, End int
	// Number puts the place behind the columns of the input, as a BIGINT.
	Number bool
	// Newest puts of equal rows the one first that came last.
	Newest bool
	// AtEnd gives the rows when the input has ended, those of a partition in order, as batch mode does.
	AtEnd bool
	// Time is the position of the window_time of the windows that are partitions, whose rows are given when the
	// watermark has passed it; -1 where they are not.
	Time int
	// Until are bounds of the time until which rows come to the partition of a row, over the input.
	Until   []op.Until
	Columns Schema
}

// NewRank ranks the rows of an input; number is the column of the place, or nil for none.
func NewRank(in Plan, partition []expr.Expr, order []op.SortKey, from, to int64, number *Column) *Rank {
	s := slices.Clone(in.Schema())
	if number != nil {
		s = append(s, *number)
	}
	return &Rank{Input: in, Partition: partition, Order: order, From: from, To: to, Function: "ROW_NUMBER",
		Number: number != nil, Time: -1, Columns: s}
}

// Schema implements Plan.
func (r *Rank) Schema() Schema { return r.Columns }

// Inputs implements Plan.
func (r *Rank) Inputs() []Plan { return []Plan{r.Input} }

// With implements Plan.
func (r *Rank) With(in []Plan) Plan {
	c := *r
	c.Input = in[0]
	return &c
}

// Width is the number of columns in front of the place.
func (r *Rank) Width() int {
	if r.Number {
		return len(r.Columns) - 1
	}
	return len(r.Columns)
}

// Windowed tells that partitions are windows, or in windows.
func (r *Rank) Windowed() bool { return r.Time >= 0 }

// NewTies keeps of each part of a window the rows that are first, all of them where several share the place; it is one that
// Ties. Partition and order are columns, that of the order of a type that op.TiesOver holds for; time is the window_time.
func NewTies(in Plan, partition []expr.Expr, order op.SortKey, time int) *Rank {
	r := NewRank(in, partition, []op.SortKey{order}, 1, 1, nil)
	r.Function, r.Time = "RANK", time
	return r
}

// Ties tells that the rows wanted are those of windows that share the first place, by one column that op.TiesOver holds for.
func (r *Rank) Ties() bool {
	if !r.Windowed() || r.AtEnd || r.Function != "RANK" || r.From != 1 || r.To != 1 || r.Number || len(r.Order) != 1 {
		return false
	}
	by, plain := r.Order[0].Expr.(*expr.Column)
	_, also := plainKey(r.Partition)
	return plain && also && op.TiesOver(by.T)
}

// Shares tells that equal rows share a place.
func (r *Rank) Shares() bool { return r.Function != "ROW_NUMBER" }

// Changes implements Changer. With places a row moves when one comes before it; without them it comes or goes. Where
// places are shared a row is taken back, or changes its place, before others come: it goes by the keys of the input.
func (r *Rank) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: in[0].Stays && (r.Windowed() || r.AtEnd || len(r.Order) == 0)}
	one := r.From == r.To && !r.Shares()
	switch {
	case r.Windowed() || r.AtEnd:
		out.Stays = true
	case r.Shares():
		out.Kinds |= Deletes
		if r.Number {
			out.Kinds |= updates(reader)
		}
	case len(r.Order) == 0 && !in[0].Kinds.Updating():
	case in[0].Kinds.Updating() || !one && !r.Number:
		out.Kinds |= updates(reader) | Deletes
	default:
		out.Kinds |= updates(reader)
	}
	if r.Shares() || in[0].Stays && !r.Number {
		out.Keys = in[0].Keys
	}
	if k, ok := plainKey(r.Partition); ok && (one || r.Number && !r.Shares()) {
		if r.Number {
			k = k.And(r.Width())
		}
		out.Keys = append(out.Keys[:len(out.Keys):len(out.Keys)], k)
	}
	return out, []Need{Everything}
}

// plainKey are the columns of expressions that are nothing else.
func plainKey(list []expr.Expr) (Key, bool) {
	k := Key{}
	for _, e := range list {
		c, ok := e.(*expr.Column)
		if !ok {
			return nil, false
		}
		k = k.And(c.Index)
	}
	return k, true
}

// String implements Plan.
func (r *Rank) String() string {
	name := "Rank("
	switch {
	case r.Windowed():
		name = "WindowRank(window=[" + r.Input.Schema()[r.Time].Name + "], "
	case r.To == Unlimited && len(r.Partition) == 0 && !r.Number:
		return "Sort(orderBy=[" + op.SortText(r.Order) + "])"
	case r.Shares():
	case len(r.Partition) == 0 && !r.Number && len(r.Order) > 0:
		name = "SortLimit("
	case len(r.Partition) == 0 && !r.Number:
		name = "Limit("
	}
	if r.AtEnd {
		name = "Batch" + name
	}
	text := name + windowSpecText(r.Partition, r.Order)
	if r.Shares() {
		text += "function=[" + r.Function + "], "
	}
	to := "…"
	if r.To != Unlimited {
		to = fmt.Sprint(r.To)
	}
	text += fmt.Sprintf("places=[%d to %s]", r.From, to)
	if r.Number {
		text += ", number=[" + r.Columns[r.Width()].Name + "]"
	}
	if len(r.Until) > 0 {
		text += ", until=[" + op.UntilText(r.Until) + "]"
	}
	return text + ")"
}

// Deduplicate keeps one row of each key: the first or the last by a time attribute. Of rows with equal times it
// is the first or the last that came.
type Deduplicate struct {
	Input Plan
	Keys  []expr.Expr
	// Time is the position of the time attribute.
	Time int
	Last bool
}

// Schema implements Plan.
func (d *Deduplicate) Schema() Schema { return d.Input.Schema() }

// Inputs implements Plan.
func (d *Deduplicate) Inputs() []Plan { return []Plan{d.Input} }

// With implements Plan.
func (d *Deduplicate) With(in []Plan) Plan { return &Deduplicate{in[0], d.Keys, d.Time, d.Last} }

// Changes implements Changer: a first row is given when no earlier one can come, a last row when it comes.
func (d *Deduplicate) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: !d.Last}
	if d.Last {
		out.Kinds |= updates(reader)
	}
	if k, ok := plainKey(d.Keys); ok {
		out.Keys = []Key{k}
	}
	return out, []Need{Everything}
}

// String implements Plan.
func (d *Deduplicate) String() string {
	keep := "FirstRow"
	if d.Last {
		keep = "LastRow"
	}
	c := d.Input.Schema()[d.Time]
	kind := "ROWTIME"
	if c.Time == Proctime {
		kind = "PROCTIME"
	}
	keys := ""
	for i, k := range d.Keys {
		if i > 0 {
			keys += ", "
		}
		keys += k.String()
	}
	return "Deduplicate(keep=[" + keep + "], key=[" + keys + "], order=[" + c.Name + " " + kind + "])"
}

// TemporalSort gives the rows of an insert-only input in the order of their event time, which is the first key,
// as the watermark passes it.
type TemporalSort struct {
	Input Plan
	Order []op.SortKey
}

// Schema implements Plan.
func (s *TemporalSort) Schema() Schema { return s.Input.Schema() }

// Inputs implements Plan.
func (s *TemporalSort) Inputs() []Plan { return []Plan{s.Input} }

// With implements Plan.
func (s *TemporalSort) With(in []Plan) Plan { return &TemporalSort{in[0], s.Order} }

// Changes implements Changer.
func (s *TemporalSort) Changes(in []Changes, _ Need) (Changes, []Need) {
	return in[0], []Need{Everything}
}

// String implements Plan.
func (s *TemporalSort) String() string { return "TemporalSort(orderBy=[" + op.SortText(s.Order) + "])" }

// placeType is the type of a place.
func placeType() types.Type { return types.Of(types.BigInt).WithNull(false) }
