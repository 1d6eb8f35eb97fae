package op_test

import (
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/types"
)

// offered are the columns of bids.
var offered = []types.Type{types.Of(types.BigInt), types.Of(types.BigInt), types.Of(types.BigInt), types.String()}

// BenchmarkRank keeps the ten highest prices of each auction, as q19 does.
func BenchmarkRank(b *testing.B) {
	c := columnsOf(offered)
	run(b, &op.Rank{Partition: c[:1], Order: []op.SortKey{{Expr: c[2], Desc: true, NullsLast: true}}, From: 1, To: 10,
		Function: "ROW_NUMBER", Number: true, Types: offered, Names: namesOf(5), NoUpdateBefore: true, Time: -1})
}

// BenchmarkLimit passes a million rows on: a batch costs the same however many came before it.
func BenchmarkLimit(b *testing.B) {
	run(b, &op.Rank{From: 1, To: 1_000_000, Function: "ROW_NUMBER", Types: offered, Names: namesOf(4), Time: -1})
}

// BenchmarkDeduplicate keeps the last row of each bidder and auction, as q18 does; the price stands for the time.
func BenchmarkDeduplicate(b *testing.B) {
	c := columnsOf(offered)
	for name, quiet := range map[string]bool{"all changes": false, "without -U": true} {
		b.Run(name, func(b *testing.B) {
			run(b, &op.Deduplicate{Keys: c[:2], Time: 2, Last: true, Types: offered, Names: namesOf(4), NoUpdateBefore: quiet})
		})
	}
}
