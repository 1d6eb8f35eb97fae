package function

import (
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// The clock. Each of these reads it once per batch, so that all rows of a batch see one time.

var _ = []*Scalar{
	clockFunction("NOW", types.TimestampLTZOf(3), "The time of the clock.",
		"NOW() IS NOT NULL"),
	clockFunction("CURRENT_TIMESTAMP", types.TimestampLTZOf(3), "The time of the clock.",
		"CURRENT_TIMESTAMP IS NOT NULL"),
	clockFunction("CURRENT_ROW_TIMESTAMP", types.TimestampLTZOf(3), "The time of the clock when a row is computed.",
		"CURRENT_ROW_TIMESTAMP() IS NOT NULL"),
	clockFunction("PROCTIME", types.TimestampLTZOf(3), "The processing time: the time of the clock as a time attribute.",
		"PROCTIME() IS NOT NULL"),
	clockFunction("LOCALTIMESTAMP", types.TimestampOf(3), "The wall clock of the session's zone.",
		"LOCALTIMESTAMP IS NOT NULL"),
	clockFunction("CURRENT_DATE", types.Of(types.Date), "The date in the session's zone.",
		"CURRENT_DATE IS NOT NULL"),
	clockFunction("CURRENT_TIME", types.TimeOf(0), "The time of day in the session's zone.",
		"CURRENT_TIME IS NOT NULL"),
	clockFunction("LOCALTIME", types.TimeOf(0), "The time of day in the session's zone.",
		"LOCALTIME IS NOT NULL"),
}

// clockFunction declares a function without arguments of type t that shows the clock.
func clockFunction(name string, t types.Type, text, example string) *Scalar {
	t = t.WithNull(false)
	return scalar(Scalar{
		Name: name, Volatile: true, Forms: []string{name},
		Type: func(args []Arg) (Signature, error) { return Signature{Result: t}, unless(len(args) == 0, Mismatch()) },
		Bind: func(b Binding) (Kernel, error) { return bindClock(t, b.Env), nil },
		Doc:  Doc{"temporal", text, example, "TRUE"},
	})
}

func bindClock(t types.Type, env *Env) Kernel {
	zone := kernel.NewZone(env.Zone)
	local := func(now time.Time) int64 { return now.UnixMilli() + zone.Offset(now.Unix())*1000 }
	switch t.Kind {
	case types.TimestampLTZ:
		return clockKernel(env, time.Time.UnixMilli)
	case types.Timestamp:
		return clockKernel(env, local)
	case types.Date:
		return clockKernel(env, func(now time.Time) int32 { return int32(kernel.FloorDiv(local(now), kernel.MilliDay)) })
	}
	return clockKernel(env, func(now time.Time) int32 {
		ms := kernel.FloorMod(local(now), kernel.MilliDay)
		return int32(ms - ms%1000)
	})
}

// clockKernel makes a constant of the clock for each batch.
func clockKernel[T int32 | int64](env *Env, f func(time.Time) T) Kernel {
	return func(c *Call) {
		c.Out.Enc = vector.Constant
		vector.Alloc[T](c.Out)[0] = f(env.Now())
	}
}
