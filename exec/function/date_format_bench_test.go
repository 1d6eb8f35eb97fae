package function

import (
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// benchCall binds a call over one column of 1,024 timestamps 97 ms apart and a literal.
func benchCall(b *testing.B, name string, args ...Arg) {
	ms := make([]int64, 1024)
	for i := range ms {
		ms[i] = 1436918400000 + int64(i)*97
	}
	var sig Signature
	var err error
	s := Lookup(name)
	if sig, err = s.Type(args); err != nil {
		b.Fatal(err)
	}
	kern, err := s.Bind(Binding{Args: args, Result: sig.Result, Env: testEnv})
	if err != nil {
		b.Fatal(err)
	}
	cols := []*vector.Column{vector.OfSlice(args[0].Type, ms)}
	for _, a := range args[1:] {
		k := &vector.Column{}
		k.Alias(a.Const)
		k.Len = len(ms)
		cols = append(cols, k)
	}
	out := &vector.Column{}
	var c Call
	b.ReportAllocs()
	for b.Loop() {
		out.Reset(sig.Result, len(ms))
		c.Reset(out, cols, nil)
		kern(&c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
}

func BenchmarkTemporal(b *testing.B) {
	ts := Arg{Type: types.TimestampOf(3)}
	for _, p := range []string{"yyyy-MM-dd", "HH:mm", "yyyy-MM-dd HH:mm:ss.SSS"} {
		b.Run("DATE_FORMAT "+p, func(b *testing.B) {
			benchCall(b, "DATE_FORMAT", ts, Arg{Type: types.String(), Const: vector.ConstText(types.String(), p, 1)})
		})
	}
	b.Run("HOUR", func(b *testing.B) { benchCall(b, "HOUR", ts) })
	b.Run("DAYOFMONTH", func(b *testing.B) { benchCall(b, "DAYOFMONTH", ts) })
	b.Run("minus", func(b *testing.B) {
		benchCall(b, "-", ts, Arg{Type: types.Of(types.IntervalDay), Const: vector.ConstOf(types.Of(types.IntervalDay), int64(4000), 1)})
	})
	inZone("Europe/Berlin", func() {
		b.Run("HOUR of LTZ", func(b *testing.B) { benchCall(b, "HOUR", Arg{Type: types.TimestampLTZOf(3)}) })
	})
}
