package state

import "time"

// ttlUnit is the step of stamps: 32 bits of them last 13 years.
const ttlUnit = 100 * time.Millisecond

// TTL forgets keys that were not written for a time: a stamp per key, compared when the key is written
// again, and a sweep over a few pages per batch.
type TTL struct {
	table  *Keyed
	stamps *Pages[uint32]
	ticks  uint32
	page   int
	gone   []int32
}

// NewTTL adds a time to live to a table, before it is opened.
func NewTTL(t *Keyed, ttl time.Duration) *TTL {
	return &TTL{table: t, stamps: NewPages[uint32](t), ticks: uint32(max((ttl+ttlUnit-1)/ttlUnit, 1))}
}

func tick(now time.Time) uint32 { return uint32(now.UnixMilli() / ttlUnit.Milliseconds()) }

// Touch stamps groups, whose pages are owned, and returns those that had expired: their owner must empty
// them. The result is lent until the next call.
func (x *TTL) Touch(groups []int32, now time.Time) (expired []int32) {
	at, pages := tick(now), x.stamps.All()
	x.gone = x.gone[:0]
	for _, g := range groups {
		p := &pages[g>>PageShift][g&PageMask]
		if at-*p >= x.ticks && *p != 0 && int32(at-*p) > 0 {
			x.gone = append(x.gone, g)
		}
		*p = max(at, 1)
	}
	return x.gone
}

// Expired tells that the time of a group is over.
func (x *TTL) Expired(g int32, now time.Time) bool {
	at, stamp := tick(now), x.stamps.At(g)
	return stamp != 0 && at-stamp >= x.ticks && int32(at-stamp) > 0
}

// Sweep returns expired groups of a few pages, going round the table. The result is lent until the next
// call.
func (x *TTL) Sweep(now time.Time) (expired []int32) {
	const pagesPerSweep = 2
	at := tick(now)
	x.gone = x.gone[:0]
	pages := x.stamps.All()
	for range min(pagesPerSweep, len(pages)) {
		x.page = (x.page + 1) % len(pages)
		for i, stamp := range pages[x.page] {
			g := int32(x.page*PageRows + i)
			if stamp != 0 && at-stamp >= x.ticks && int32(at-stamp) > 0 && x.table.live.At(g) != 0 {
				x.gone = append(x.gone, g)
			}
		}
	}
	return x.gone
}
