package logic

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	integer  = types.Of(types.Int)
	bigint   = types.Of(types.BigInt)
	double   = types.Of(types.Double)
	money    = types.DecimalOf(10, 2)
	wide     = types.DecimalOf(24, 4)
	str      = types.String()
	boolean  = types.Of(types.Boolean)
	date     = types.Of(types.Date)
	moment   = types.TimestampOf(3)
	allTypes = []types.Type{integer, bigint, money, wide, str, boolean, date, moment}
)

// row is values: int64 of integers, days and milliseconds, *big.Int of unscaled DECIMALs, float64, string, bool; nil
// is NULL.
type row []any

// column is one of a table or a query: how it is written there, and its type.
type column struct {
	sql string
	t   types.Type
}

// table is rows that a source gives.
type table struct {
	name string
	cols []column
	rows []row
	// versioned: no two rows have one time, and the view versions has the last row of each key.
	versioned bool
}

// texts are those that tables hold; some are numbers, some are long, some need care in patterns.
var texts = []string{"", "a", "b", "ab", "A", " a ", "日本", "ab%", "_b", "12", "-7", "a text that fits in no view", "aab"}

// sample is a value of a type, NULL now and then. There are few, so that rows meet each other, and the ends of what
// there is.
func sample(r *rand.Rand, t types.Type) any {
	if r.IntN(6) == 0 {
		return nil
	}
	rare := r.IntN(12) == 0
	switch t.Kind {
	case types.Int:
		if rare {
			return []int64{1<<31 - 1, -1 << 31}[r.IntN(2)]
		}
		return r.Int64N(6) - 2
	case types.BigInt:
		if rare {
			return []int64{1<<63 - 1, -1 << 63, 1 << 32}[r.IntN(3)]
		}
		return r.Int64N(6) - 2
	case types.Double:
		return []float64{0, 1, -1, 0.25, -2.5, 1e10, 3e18}[r.IntN(7)]
	case types.Decimal:
		if rare {
			v := new(big.Int).Sub(pow10(t.Precision), big.NewInt(1))
			return v.Mul(v, big.NewInt(int64(1-2*r.IntN(2))))
		}
		return big.NewInt((r.Int64N(9) - 4) * 25)
	case types.Boolean:
		return r.IntN(2) == 0
	case types.Date:
		return []int64{0, -1, 19782, 19783, 19782 + 31}[r.IntN(5)]
	case types.Timestamp:
		return []int64{0, -1, 1709210096789, 1709210096000, 1709164800000, 1711843200001}[r.IntN(6)]
	}
	return texts[r.IntN(len(texts))]
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// someTypes are those of a few columns.
func someTypes(r *rand.Rand) (out []types.Type) {
	for range 2 + r.IntN(3) {
		out = append(out, allTypes[r.IntN(len(allTypes))])
	}
	return out
}

// someTable has an id of its own for each row, a key that many share, an event time, and columns of the types.
func someTable(r *rand.Rand, name string, rows int, more []types.Type) *table {
	t := &table{name: name, cols: []column{{"id", bigint}, {"k", bigint}, {"rt", moment}}}
	for i, x := range more {
		t.cols = append(t.cols, column{fmt.Sprint("c", i), x})
	}
	for i := range rows {
		x := row{int64(i), nil, 1709164800000 + r.Int64N(40)*900_000}
		if r.IntN(8) > 0 {
			x[1] = r.Int64N(5)
		}
		for _, c := range t.cols[3:] {
			x = append(x, sample(r, c.t))
		}
		t.rows = append(t.rows, x)
	}
	return t
}

// declare is the statement that makes the table. With churn rows come that go again.
func (t *table) declare(churn bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (", t.name)
	for _, c := range t.cols {
		fmt.Fprintf(&b, "%s %s, ", c.sql, c.t)
	}
	fmt.Fprintf(&b, "WATERMARK FOR rt AS rt - INTERVAL '99' DAY) WITH ('connector' = 'memory', 'table' = '%s', 'churn' = '%t')", t.name, churn)
	return b.String()
}

// memory is the connector of tables: their rows in batches of any size, whose columns are flat, dictionaries or, where
// all values are the same, constants.
func memory(seed uint64, tables ...*table) connector.Definition {
	type options struct {
		Table string `opt:"table" required:"true" doc:"its name"`
		Churn bool   `opt:"churn" default:"false" doc:"rows come and go"`
	}
	return connector.Definition{
		Name: "memory", Doc: "Rows of a test.", Options: func() any { return new(options) },
		Changes: func(o any) bool { return o.(*options).Churn },
		Source: func(c *connector.Table) (connector.Source, error) {
			o := c.Options.(*options)
			for _, t := range tables {
				if t.name == o.Table {
					return &source{t, o.Churn, seed}, nil
				}
			}
			return nil, fmt.Errorf("there is no table %s", o.Table)
		},
	}
}

type source struct {
	t     *table
	churn bool
	seed  uint64
}

func (s *source) Push(connector.Request) connector.Accepted { return connector.Accepted{} }
func (s *source) Bounded() bool                             { return true }

func (s *source) Splits(n int) ([]connector.Split, error) {
	out := make([]connector.Split, n)
	for i := range out {
		out[i].ID = fmt.Sprintf("%d/%d", i, n)
	}
	return out, nil
}

func (s *source) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	r := &reader{t: s.t, max: c.MaxRows}
	for _, split := range splits {
		var k, n int
		if _, err := fmt.Sscanf(split.ID, "%d/%d", &k, &n); err != nil {
			return nil, err
		}
		r.rand = rand.New(rand.NewPCG(s.seed, uint64(k)))
		r.add(k, n, s.churn)
	}
	return r, nil
}

type reader struct {
	t     *table
	rand  *rand.Rand
	max   int
	rows  []row
	kinds []vector.RowKind
}

// add takes every nth row. With churn a row comes in another's place, or comes and goes, before it.
func (r *reader) add(k, n int, churn bool) {
	put := func(x row, kind vector.RowKind) { r.rows, r.kinds = append(r.rows, x), append(r.kinds, kind) }
	var pending []row
	for ; k < len(r.t.rows); k += n {
		x := r.t.rows[k]
		switch other := r.t.rows[r.rand.IntN(len(r.t.rows))]; {
		case !churn || r.rand.IntN(3) > 0:
			put(x, vector.Insert)
		case r.rand.IntN(2) == 0:
			put(other, vector.Insert)
			put(other, vector.UpdateBefore)
			put(x, vector.UpdateAfter)
		default:
			put(other, vector.Insert)
			put(x, vector.Insert)
			pending = append(pending, other)
		}
		if len(pending) > 0 && r.rand.IntN(4) == 0 {
			put(pending[0], vector.Delete)
			pending = pending[1:]
		}
	}
	for _, x := range pending {
		put(x, vector.Delete)
	}
}

func (r *reader) Next() (connector.Read, error) {
	if len(r.rows) == 0 {
		return connector.Read{Status: connector.End}, nil
	}
	n := min(len(r.rows), r.max, 1+r.rand.IntN(r.max)%97)
	b := &vector.Batch{Len: n, Kinds: r.kinds[:n]}
	for i, c := range r.t.cols {
		b.Cols = append(b.Cols, encoded(r.rand, c.t, r.rows[:n], i))
	}
	r.rows, r.kinds = r.rows[n:], r.kinds[n:]
	return connector.Read{Status: connector.Rows, Batch: b}, nil
}

func (r *reader) Position(int) ([]byte, error) { return nil, nil }
func (r *reader) Close() error                 { return nil }

// encoded makes a column of values in some encoding.
func encoded(r *rand.Rand, t types.Type, rows []row, k int) *vector.Column {
	flat := flatOf(t, rows, k)
	out := &vector.Column{}
	switch r.IntN(3) {
	case 0:
		// A dictionary that is read backwards, with values that no row has.
		back, codes := make([]int32, len(rows)+1), make([]int32, len(rows))
		for i := range codes {
			back[i], codes[i] = int32(len(rows)-1-i), int32(len(rows)-1-i)
		}
		values := &vector.Column{}
		vector.Take(values, flat, back)
		out.SetDict(t, codes, &vector.Dictionary{Values: values})
		return out
	case 1:
		for _, x := range rows {
			if cell(t, x[k]) != cell(t, rows[0][k]) {
				return flat
			}
		}
		if rows[0][k] == nil {
			return vector.ConstNull(t, len(rows))
		}
		vector.Take(out, flat, []int32{0})
		out.Enc, out.Len = vector.Constant, len(rows)
		return out
	}
	return flat
}

func flatOf(t types.Type, rows []row, k int) *vector.Column {
	b, out := vector.NewBuilder(t), &vector.Column{}
	for _, x := range rows {
		switch v := x[k].(type) {
		case nil:
			b.AppendNull()
		case int64:
			b.AppendInt(v)
		case float64:
			b.AppendFloat(v)
		case bool:
			b.AppendBool(v)
		case string:
			b.AppendString(v)
		case *big.Int:
			w, _ := kernel.Int128OfBig(v)
			b.AppendDecimal(w)
		}
	}
	b.Finish(out)
	return out
}
