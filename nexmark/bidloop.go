package nexmark

import (
	"math/bits"

	"streamsql/exec/kernel"
)

// The loops of the fast path for bids. Each returns a bit for every bid that has to be made in the plain way.

// chooseStream draws auction and bidder of consecutive bids after state s. It leaves the states behind these draws and
// returns the state behind the last bid. All four draws that the two choices may need are mixed at once, so that only
// selections lie between one bid's state and the next one's.
func chooseStream(auction, bidder []int64, st []uint64, s uint64, p *bidPath, k keys) (end, bad uint64) {
	auction, bidder = auction[:len(st)], bidder[:len(st)]
	aRatio, bRatio, powers, slack := p.hotAuctions, p.hotBidders, p.powers, p.slack
	aBound, bBound := p.auction, p.bidder
	aCold, bCold := uint64(k.auction-k.hotAuction), uint64(k.bidder-k.hotBidder)
	step, f1, f2 := factors.step, factors.first, factors.second
	s += step
	for i := range st {
		s2 := s + step
		s3 := s2 + step
		m1, m2, m3, m4 := mix(s, f1, f2), mix(s2, f1, f2), mix(s3, f1, f2), mix(s3+step, f1, f2)
		var a, b, b3 uint64
		if powers {
			a, b, b3 = masked(m1, aRatio.mask), masked(m2, bRatio.mask), masked(m3, bRatio.mask)
		} else {
			a = cold(m1, aRatio.factor, aRatio.limit)
			b, b3 = cold(m2, bRatio.factor, bRatio.limit), cold(m3, bRatio.factor, bRatio.limit)
			if int32((uint32(m1>>33)+slack)|(uint32(m3>>33)+slack)) < 0 {
				bad |= 1 << (i & 63)
			}
		}
		b ^= (b ^ b3) & a
		s = s + step*7 + step&a + step&b
		st[i] = s - step*6
		u, v := m2>>33, (m3^(m3^m4)&a)>>33
		if int32((uint32(u)+slack)|(uint32(v)+slack)) < 0 {
			bad |= 1 << (i & 63)
		}
		auction[i] = k.hotAuction + int64((aBound.of(u)+aCold)&a)
		bidder[i] = k.hotBidder + int64((bBound.of(v)+bCold)&b)
	}
	return s - step, bad
}

// pickChannels draws the channel that stands two raw draws behind each state.
func pickChannels(out []int32, st []uint64) (bad uint64) {
	st = st[:len(out)]
	step, m1, m2 := factors.step, factors.first, factors.second
	for i := range out {
		s := st[i] + step*2
		hot := -(uint32(mix(s, m1, m2)>>32) & 1)
		m := uint32(mix(s+step, m1, m2) >> 32)
		u := m >> 1
		if u >= 1<<31/channels*channels {
			bad |= 1 << (i & 63)
		}
		c := Hot + u%channels
		out[i] = int32(c ^ (c^m&(Hot-1))&hot)
	}
	return bad
}

// cutExtras draws the extra text that stands four raw draws behind each state. With 2^20 - n places and 31 bits hi:lo,
// cut at bit 20, hi*n + lo leaves the same remainder and is less than twice the number of places.
func cutExtras(out []kernel.View, st []uint64, p *bidPath, t *Static) (bad uint64) {
	st = st[:len(out)]
	length, least, slack := p.length, p.least, p.slack
	step, m1, m2 := factors.step, factors.first, factors.second
	pool := t.pool
	for i := range out {
		s := st[i] + step*4
		x := mix(s, m1, m2) >> 33
		u, w := uint32(x), uint32(mix(s+step, m1, m2)>>33)
		if int32((u+slack)|(w+slack)) < 0 {
			bad |= 1 << (i & 63)
		}
		n := least + uint32(length.of(x))
		places := poolSize - n
		off := w>>20*n + w&(poolSize-1) - places
		off += places & uint32(int32(off)>>31)
		out[i] = kernel.View{Len: n, Prefix: prefix(pool, off), Off: off}
	}
	return bad
}

func trailingZeros(mask uint64) int { return bits.TrailingZeros64(mask) }
