package kernel

import "encoding/binary"

// MaxDigits is the length of the longest integer as text, with its sign.
const MaxDigits = 20

// pairs are the digits of 0 to 99.
const pairs = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960" +
	"616263646566676869707172737475767778798081828384858687888990919293949596979899"

// Digits is room for an integer as text, which ends at MaxDigits; zeros stay behind it, so that a View of it can be read in
// words.
type Digits [MaxDigits + InlineLen]byte

// Of writes n, two digits at a time, and returns them; they last until d is written again.
func (d *Digits) Of(n int64) []byte {
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	i := MaxDigits
	for u >= 100 {
		q := u / 100
		i -= 2
		copy(d[i:i+2], pairs[2*(u-100*q):][:2])
		u = q
	}
	if u >= 10 {
		i -= 2
		copy(d[i:i+2], pairs[2*u:][:2])
	} else {
		i--
		d[i] = byte('0' + u)
	}
	if n < 0 {
		i--
		d[i] = '-'
	}
	return d[i:MaxDigits]
}

// View is that of the n digits written, at most InlineLen.
func (d *Digits) View(n int) View {
	t := (*[InlineLen]byte)(d[MaxDigits-n:])
	return View{uint32(n), binary.LittleEndian.Uint32(t[0:]), binary.LittleEndian.Uint32(t[4:]), binary.LittleEndian.Uint32(t[8:])}
}
