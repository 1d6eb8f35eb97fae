package kernel

import (
	"testing"
	"time"
)

// spread are times of all sorts around the epoch, in milliseconds.
func spread() []int64 {
	var out []int64
	for t := int64(-70_000_000_000_000); t < 260_000_000_000_000; t += 7_777_777_777 {
		out = append(out, t)
	}
	return append(out, -1, 0, 1, MilliDay-1, MilliDay, -MilliDay, -MilliDay-1, -MilliHour, 1709210096789)
}

func TestPartsAgreeWithTime(t *testing.T) {
	ms := spread()
	days, hour, minute, second, out := make([]int64, len(ms)), make([]int64, len(ms)), make([]int64, len(ms)),
		make([]int64, len(ms)), make([]int64, len(ms))
	DaysOfMillis(days, ms)
	HoursOfMillis(hour, ms)
	MinutesOfMillis(minute, ms)
	SecondsOfMillis(second, ms)
	for i, x := range ms {
		g := time.UnixMilli(x).UTC()
		if int(hour[i]) != g.Hour() || int(minute[i]) != g.Minute() || int(second[i]) != g.Second() {
			t.Fatalf("%d: %d:%d:%d, want %s", x, hour[i], minute[i], second[i], g)
		}
	}
	want := map[DatePart]func(time.Time) int{
		PartYear: time.Time.Year, PartDay: time.Time.Day, PartDayOfYear: time.Time.YearDay,
		PartMonth:     func(g time.Time) int { return int(g.Month()) },
		PartQuarter:   func(g time.Time) int { return (int(g.Month())-1)/3 + 1 },
		PartDayOfWeek: func(g time.Time) int { return int(g.Weekday()) + 1 },
		PartISODay:    func(g time.Time) int { return (int(g.Weekday())+6)%7 + 1 },
		PartISOYear:   func(g time.Time) int { y, _ := g.ISOWeek(); return y },
		PartWeek:      func(g time.Time) int { _, w := g.ISOWeek(); return w },
	}
	for p, f := range want {
		PartsOfDays(out, days, p)
		for i, x := range ms {
			if g := time.UnixMilli(x).UTC(); int(out[i]) != f(g) {
				t.Fatalf("part %d of %s is %d, want %d", p, g, out[i], f(g))
			}
		}
	}
}

func TestPeriodsHoldTheirDays(t *testing.T) {
	for p := PeriodDay; p <= PeriodMillennium; p++ {
		for d := int64(-800_000); d < 800_000; d += 331 {
			from, to := PeriodOfDay(p, d)
			if from > d || to <= d {
				t.Fatalf("period %d of day %d is %d..%d", p, d, from, to)
			}
			if f, _ := PeriodOfDay(p, from); f != from {
				t.Fatalf("period %d: day %d is not the first of its period", p, from)
			}
			if f, _ := PeriodOfDay(p, to); f != to {
				t.Fatalf("period %d: day %d does not begin one", p, to)
			}
		}
	}
}

func TestFloorAndCeilTicks(t *testing.T) {
	ms := spread()
	lo, hi := make([]int64, len(ms)), make([]int64, len(ms))
	for _, size := range []int64{1, 1000, MilliMinute, MilliHour, MilliDay} {
		FloorTicks(lo, ms, size)
		CeilTicks(hi, ms, size)
		for i, x := range ms {
			if f := FloorDiv(x, size) * size; lo[i] != f || hi[i] != -FloorDiv(-x, size)*size {
				t.Fatalf("%d to %d: %d..%d", x, size, lo[i], hi[i])
			}
		}
	}
}

func TestUnitsBetween(t *testing.T) {
	for _, c := range [][4]int64{{0, 10, 3, 3}, {10, 0, 3, -3}, {-1, 1, 1000, 0}, {5, 5, 7, 0}, {-5, 9, 7, 2},
		{-1 << 62, 1 << 62, 1 << 40, 1 << 23}} {
		if n := UnitsBetween(c[0], c[1], c[2]); n != c[3] {
			t.Errorf("from %d to %d by %d: %d, want %d", c[0], c[1], c[2], n, c[3])
		}
	}
	day := func(y, m, d int64) int64 { return DaysFromCivil(y, m, d) * 24 }
	for _, c := range [][3]int64{
		{day(2024, 1, 31), day(2024, 2, 29), 1}, {day(2024, 2, 29) + 12, day(2025, 2, 28) + 12, 12},
		{day(2024, 3, 15) + 10, day(2024, 4, 15) + 9, 0}, {day(2024, 4, 15) + 9, day(2024, 3, 15) + 10, 0},
		{day(2024, 12, 31), day(2023, 11, 30), -13}, {day(2024, 1, 2), day(2024, 1, 1) + 1, 0},
	} {
		if n := MonthsBetween(c[0], c[1], 24); n != c[2] {
			t.Errorf("from %d to %d: %d months, want %d", c[0], c[1], n, c[2])
		}
	}
}

func TestAddTicksSeesOverflow(t *testing.T) {
	out := make([]int64, 2)
	max := int64(1<<63 - 1)
	for _, c := range []struct {
		a, b        []int64
		scale, sign int64
		over        bool
	}{
		{[]int64{1, 2}, []int64{3, 4}, 10, 1, false}, {[]int64{1, 2}, []int64{3}, 10, -1, false},
		{[]int64{max, 2}, []int64{1}, 1, 1, true}, {[]int64{0, 2}, []int64{max / 5}, 10, 1, true},
		{[]int64{7}, []int64{1, 2}, 1e6, 1, false}, {[]int64{0}, []int64{1, max / 1e5}, 1e6, 1, true},
		{[]int64{0, -max}, []int64{0, 2}, 1, -1, true}, {[]int64{0, 0}, []int64{0, -max}, 1e6, 1, true},
	} {
		if got := AddTicks(out, c.a, c.b, c.scale, c.sign); got != c.over {
			t.Errorf("%v + %v * %d * %d: over %t", c.a, c.b, c.scale, c.sign, got)
		}
	}
	if AddTicks(out, []int64{5, 6}, []int64{2}, 10, -1); out[0] != -15 || out[1] != -14 {
		t.Errorf("5, 6 - 20 is %v", out)
	}
}

// BenchmarkTemporal runs each loop beside a plain one over times 97 ms apart.
func BenchmarkTemporal(b *testing.B) {
	ms, out := make([]int64, 1024), make([]int64, 1024)
	for i := range ms {
		ms[i] = 1436918400000 + int64(i)*97
	}
	size, four := int64(10_000), []int64{4000}
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
		})
	}
	run("hour", func() { HoursOfMillis(out, ms) })
	run("hour plain", func() {
		for i, t := range ms {
			out[i] = t / MilliHour % 24
		}
	})
	run("floor", func() { FloorTicks(out, ms, size) })
	run("floor plain", func() {
		for i, t := range ms {
			out[i] = t - t%size
		}
	})
	run("add", func() { AddTicks(out, ms, four, 1, -1) })
	over := false
	run("add plain", func() { // it looks for overflow too
		for i, t := range ms {
			out[i] = t - 4000
			over = over || out[i] > t
		}
	})
	if over {
		b.Error("no sum overflows here")
	}
}
