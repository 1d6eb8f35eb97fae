package kernel

import (
	"testing"
	"time"
)

func TestCivilAgreesWithTime(t *testing.T) {
	for d := int64(-1_200_000); d < 2_900_000; d += 13 {
		g := time.Unix(d*86400, 0).UTC()
		y, m, day := CivilFromDays(d)
		if int(y) != g.Year() || int(m) != int(g.Month()) || int(day) != g.Day() {
			t.Fatalf("day %d: %d-%d-%d, want %s", d, y, m, day, g)
		}
		if back := DaysFromCivil(y, m, day); back != d {
			t.Fatalf("day %d comes back as %d", d, back)
		}
		if DayOfWeek(d) != int64(g.Weekday()) || DayOfYear(d) != int64(g.YearDay()) {
			t.Fatalf("day %d: weekday %d, day of year %d, want %s", d, DayOfWeek(d), DayOfYear(d), g)
		}
		wy, ww := ISOWeek(d)
		if gy, gw := g.ISOWeek(); int(wy) != gy || int(ww) != gw {
			t.Fatalf("day %d: week %d of %d, want %d of %d", d, ww, wy, gw, gy)
		}
	}
}

func TestAddMonths(t *testing.T) {
	for _, c := range []struct{ y, m, d, add, wy, wm, wd int64 }{
		{2024, 1, 31, 1, 2024, 2, 29}, {2023, 1, 31, 1, 2023, 2, 28}, {2024, 3, 31, -1, 2024, 2, 29},
		{2024, 12, 15, 1, 2025, 1, 15}, {2024, 1, 15, -13, 2022, 12, 15}, {2024, 2, 29, 12, 2025, 2, 28},
	} {
		y, m, d := CivilFromDays(AddMonths(DaysFromCivil(c.y, c.m, c.d), c.add))
		if y != c.wy || m != c.wm || d != c.wd {
			t.Errorf("%d-%d-%d + %d months = %d-%d-%d", c.y, c.m, c.d, c.add, y, m, d)
		}
	}
}

func TestSplitDay(t *testing.T) {
	if d, r := SplitDay(-1, MilliDay); d != -1 || r != MilliDay-1 {
		t.Errorf("SplitDay(-1) = %d, %d", d, r)
	}
	if FloorDiv(-7, 7) != -1 || FloorDiv(-8, 7) != -2 || FloorMod(-8, 7) != 6 {
		t.Error("floor division")
	}
}

func BenchmarkCivil(b *testing.B) {
	days, out := make([]int32, 1024), make([]int64, 1024)
	for i := range days {
		days[i] = int32(18000 + i*3)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i, d := range days {
			out[i], _, _ = CivilFromDays(int64(d))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
}
