package logic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRowByRow: random expressions over columns in any encoding are worth what a plain evaluator says, row by row, as
// values and as conditions.
func TestRowByRow(t *testing.T) {
	rounds(t, 80, func(t *testing.T, r *rand.Rand) {
		own := append(slices.Clone(allTypes), double)
		in := someTable(r, "t", 1+r.IntN(60), own)
		m := &maker{Rand: r, cols: in.cols}
		cols := []column{{"id", bigint}}
		list, made := []string{"id"}, []expression{}
		for i := range 6 {
			want := own[r.IntN(len(own))]
			e := m.of(want, 1+r.IntN(4))
			made, cols = append(made, e), append(cols, column{fmt.Sprint("e", i), want})
			list = append(list, e.sql)
		}
		where := m.of(boolean, 3)
		var want []row
		for _, x := range in.rows {
			if where.at(x) != true {
				continue
			}
			out := row{x[0]}
			for _, e := range made {
				out = append(out, e.at(x))
			}
			want = append(want, out)
		}
		sql := "SELECT " + strings.Join(list, ", ") + " FROM t WHERE " + where.sql
		w := streams(r)[r.IntN(6)]
		w.churn = false
		got, err := answer(session(t, r.Uint64(), w, in), sql)
		if err != nil {
			t.Errorf("%v: %s", w, told(err, sql))
			return
		}
		// The ids come first in both and are unique.
		byID := map[string]row{}
		for _, x := range want {
			byID[fmt.Sprint(x[0])] = x
		}
		if len(got) != len(want) {
			t.Errorf("%v: %d rows, want %d\n%s", w, len(got), len(want), where.sql)
		}
		for _, line := range got {
			cells := strings.Split(line, "\t")
			x := byID[cells[0]]
			if x == nil {
				t.Errorf("%v: row %s fails the condition\n%s", w, cells[0], where.sql)
				return
			}
			for i, e := range made {
				if !sameCell(e, cells[i+1], x[i+1]) {
					t.Errorf("%v: row %v: %s, want %s\n%s", w, in.rows[x[0].(int64)], cells[i+1], cell(e.t, x[i+1]), e.sql)
				}
			}
			if t.Failed() {
				return
			}
		}
	})
}

func sameCell(e expression, got string, want any) bool {
	f, ok := want.(float64)
	if !ok {
		return got == cell(e.t, want)
	}
	g, err := strconv.ParseFloat(got, 64)
	return err == nil && (math.Float64bits(f) == math.Float64bits(g) || f != f && g != g)
}
