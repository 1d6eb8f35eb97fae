package shell

import (
	"testing"
)

// BenchmarkComplete is how long a word takes to be completed: 20 ms are what nobody notices.
func BenchmarkComplete(b *testing.B) {
	s := benchmarkShell(b)
	for name, line := range map[string]string{
		"keyword": "SEL", "table": "SELECT * FROM nex", "column": "SELECT pr", "function": "SELECT REGEXP_E",
		"columns of two": "SELECT b.price, a.it FROM nexmark.bid AS b JOIN nexmark.auction AS a ON b.auction = a.",
		"option":         "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', '", "setting": "SET 'ex", "command": `\pset fo`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.complete("", line)
			}
		})
	}
}

// BenchmarkPaint is how long the colours of a statement take at each key.
func BenchmarkPaint(b *testing.B) {
	s := benchmarkShell(b)
	s.color = true
	line := []rune("SELECT auction, COUNT(*) AS n FROM nexmark.bid WHERE price > 1000 AND channel = 'Apple' GROUP BY auction;")
	for b.Loop() {
		s.paint(line)
	}
}

func benchmarkShell(b *testing.B) *Shell {
	s, _, _ := newShell(b)
	return s
}
