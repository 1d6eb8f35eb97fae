package kernel

import (
	"testing"
	"time"
	_ "time/tzdata"
)

// TestZoneTicks compares the loops over columns with the conversion of single seconds, over steps that
// meet changes of the offset and over long strides.
func TestZoneTicks(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []int64{1_800_000, 86_400_000 * 5, 987_654_321_000} {
			in, out := make([]int64, 3000), make([]int64, 3000)
			for i := range in {
				in[i] = 1_700_000_000_123 + int64(i-1500)*step
			}
			NewZone(loc).LocalTicks(out, in, 1000)
			for i, x := range in {
				if want := x + NewZone(loc).Offset(FloorDiv(x, 1000))*1000; out[i] != want {
					t.Fatalf("%s: %d is %d on the clock, want %d", name, x, out[i], want)
				}
			}
			NewZone(loc).InstantTicks(out, in, 1000)
			for i, x := range in {
				s := FloorDiv(x, 1000)
				if want := x + (NewZone(loc).Instant(s)-s)*1000; out[i] != want {
					t.Fatalf("%s: the clock shows %d at %d, want %d", name, x, out[i], want)
				}
			}
		}
	}
}

func BenchmarkLocalTicks(b *testing.B) {
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	z, ms, out := NewZone(loc), make([]int64, 1024), make([]int64, 1024)
	for i := range ms {
		ms[i] = 1436918400000 + int64(i)*97
	}
	b.ReportAllocs()
	for b.Loop() {
		z.LocalTicks(out, ms, 1000)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
}
