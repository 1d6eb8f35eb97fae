package kernel

import (
	"testing"
	"time"
	_ "time/tzdata"
)

func TestZone(t *testing.T) {
	const form = "2006-01-02 15:04:05"
	parse := func(s string) int64 {
		g, err := time.Parse(form, s)
		if err != nil {
			t.Fatal(err)
		}
		return g.Unix()
	}
	for _, c := range []struct{ zone, local, instant string }{
		{"Europe/Berlin", "2024-03-31 01:59:59", "2024-03-31 00:59:59"},
		{"Europe/Berlin", "2024-03-31 02:30:00", "2024-03-31 01:30:00"},
		{"Europe/Berlin", "2024-10-27 02:30:00", "2024-10-27 00:30:00"},
		{"Europe/Berlin", "2024-10-27 03:00:00", "2024-10-27 02:00:00"},
		{"Europe/Berlin", "1945-05-24 02:30:00", "1945-05-24 00:30:00"},
		{"America/New_York", "2024-03-10 02:30:00", "2024-03-10 07:30:00"},
		{"America/New_York", "2024-11-03 01:30:00", "2024-11-03 05:30:00"},
		{"America/New_York", "1945-05-24 02:30:00", "1945-05-24 06:30:00"},
		{"Asia/Kolkata", "2024-01-01 00:00:00", "2023-12-31 18:30:00"},
		{"UTC", "2024-01-01 00:00:00", "2024-01-01 00:00:00"},
	} {
		loc, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewZone(loc).Instant(parse(c.local)); got != parse(c.instant) {
			t.Errorf("%s %s: %s, want %s", c.zone, c.local, time.Unix(got, 0).UTC().Format(form), c.instant)
		}
	}
}

// TestZoneScan walks the changes of one zone: what Local shows must come back, or be the second
// occurrence of an hour that occurs twice.
func TestZoneScan(t *testing.T) {
	loc, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	z, warm := NewZone(loc), NewZone(loc)
	for s := int64(1_700_000_000); s < 1_740_000_000; s += 1800 {
		_, off := time.Unix(s, 0).In(loc).Zone()
		if got := z.Offset(s); got != int64(off) {
			t.Fatalf("%d: offset %d, want %d", s, got, off)
		}
		if back := z.Instant(s + int64(off)); back != s && back != s-3600 {
			t.Fatalf("%d comes back as %d", s, back)
		}
		warm.Offset(s - 40*86400)
		if a, b := z.Instant(s+int64(off)), warm.Instant(s+int64(off)); a != b {
			t.Fatalf("%d: what was asked before changes the answer: %d, %d", s, a, b)
		}
	}
}
