package nexmark

import (
	"testing"
)

// BenchmarkGenerator makes whole events, all columns complete, in batches of 1024.
func BenchmarkGenerator(b *testing.B) {
	for _, c := range []struct {
		name   string
		config func(*Config)
	}{
		{"default", func(*Config) {}},
		{"10M", func(c *Config) { c.Rate = 10_000_000 }},
		{"event", func(c *Config) { c.SeedPerEvent = true }},
		{"plain", func(c *Config) { c.GroupSize = 2 }},
	} {
		b.Run(c.name, func(b *testing.B) {
			config := Default()
			c.config(&config)
			g, e := newGenerator(b, config), NewEvents(1024)
			b.ReportAllocs()
			events := 0
			for b.Loop() {
				e.Reset()
				events += g.Append(e, 1024)
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}
