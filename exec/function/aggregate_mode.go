package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(Aggregate{
	Name: "ANY_VALUE", Forms: []string{"ANY_VALUE(<ANY>)"}, Type: oneOf, New: newOneOf(true), Extension: true,
	Doc: Doc{"aggregate", "One of the values that are not NULL: the one that came first.", "ANY_VALUE(x) OF (NULL), (2), (1)", "2"},
})

// The binder counts the rows beside, and fails where there are several.
var _ = aggregate(Aggregate{
	Name: "SINGLE_VALUE", Forms: []string{"SINGLE_VALUE(<ANY>)"}, Type: oneOf, New: newOneOf(true),
	Doc: Doc{"aggregate", "The value of the only row; a second row fails the job. NULL without any.", "SINGLE_VALUE(x) OF (2)", "2"},
})

var _ = aggregate(Aggregate{
	Name: "MODE", Forms: []string{"MODE(<ANY>)"}, Type: comparing(oneOf), Extension: true,
	New: func(b AggregateBinding) Accumulator {
		return &mode{list: newList(b, false), result: b.Result, counts: map[string]int{}}
	},
	Doc: Doc{"aggregate", "The value that occurs most often, of those that are not NULL, and of several such the one that came first.",
		"MODE(x) OF (3), (1), (2), (1), (2)", "1"},
})

// mode is MODE.
type mode struct {
	*list
	result types.Type
	made   twoBuilders
	counts map[string]int
}

func (m *mode) Value(groups []int32, out *vector.Column) {
	b := m.made.next(m.result.WithNull(true))
	for _, g := range groups {
		clear(m.counts)
		most := 0
		m.all(g, func(v []byte) {
			m.counts[string(v)]++
			most = max(most, m.counts[string(v)])
		})
		if most == 0 {
			b.AppendNull()
			continue
		}
		for v := m.head.At(g); v != 0; v = m.next.At(v - 1) {
			if m.counts[string(m.value(v-1))] == most {
				unpackTo(b, m.value(v-1))
				break
			}
		}
	}
	b.Finish(out)
	out.Type = m.result
}
