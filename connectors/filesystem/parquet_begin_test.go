package filesystem

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/s2"
)

// TestUnsnapBegin: the begin of what is packed is that of what was packed, of few bytes of it; nonsense gives what it gives.
func TestUnsnapBegin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		plain := make([]byte, r.IntN(3000))
		for k := range plain {
			if plain[k] = byte(r.IntN(256)); k > 0 && i%4 > 0 {
				plain[k] = plain[r.IntN(k)] * byte(r.IntN(1+i%4))
			}
		}
		packed := s2.EncodeSnappy(nil, plain)
		want := plain[:min(len(plain), deltaHead)]
		if got := unsnapBegin(nil, packed[:min(len(packed), snappyHead)], deltaHead); !bytes.Equal(got, want) {
			t.Fatalf("got %x, want %x", got, want)
		}
		for range 3 {
			packed[r.IntN(len(packed))] ^= byte(1 + r.IntN(255))
		}
		if got := unsnapBegin(nil, packed, deltaHead); len(got) > deltaHead {
			t.Fatalf("%d bytes", len(got))
		}
	}
}
