package nexmark

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// six joins the texts of six draws.
func six[T any](draw func() T) string {
	var out []string
	for range 6 {
		out = append(out, fmt.Sprint(draw()))
	}
	return strings.Join(out, " ")
}

func sha(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// vectorOf computes the values of one line of vectors.tsv.
func vectorOf(op string, seed uint64, arg string) string {
	r := random(seed)
	switch op {
	case "nextLong":
		return six(r.next64)
	case "nextInt":
		return six(r.next32)
	case "nextDouble.bits":
		return six(func() string { return fmt.Sprintf("%016x", math.Float64bits(r.float())) })
	case "nextInt(bound)":
		b, _ := strconv.ParseInt(arg, 10, 32)
		return six(func() int32 { return r.below(int32(b)) }) + " | " + fmt.Sprint(r.next64())
	case "price":
		return six(r.price)
	}
	s := static42()
	var list []byte
	withID := 0
	for i, c := range s.Channels {
		if op == "hot.url" && c == arg || op == "channel.url" && c == arg {
			return s.URLs[i]
		}
		if i >= Hot {
			list = append(list, c+"\t"+s.URLs[i]+"\n"...)
			withID += strings.Count(s.URLs[i], "&channel_id=")
		}
	}
	switch op {
	case "extra.pool.first48":
		return string(s.Pool[:48])
	case "extra.pool.last48":
		return string(s.Pool[poolSize-48:])
	case "extra.pool.sha256":
		return sha(s.Pool)
	case "channel.table.sha256":
		return sha(list)
	case "channel.table.with_channel_id":
		return fmt.Sprint(withID)
	}
	return "?"
}

func TestVectors(t *testing.T) {
	for _, row := range table(t, "vectors.tsv") {
		seed, _ := strconv.ParseInt(row[1], 10, 64)
		if got := vectorOf(row[0], uint64(seed), row[2]); got != row[3] {
			t.Errorf("%s: got %s", row, got)
		}
	}
}

// TestPrice compares prices by the table with exact ones, and near the values where rounding turns.
func TestPrice(t *testing.T) {
	n := 200_000
	if !testing.Short() {
		n *= 15
	}
	var out [64]int64
	var st [64]uint64
	s := uint64(99)
	for range n / 64 {
		for i := range st {
			st[i] = s
			s += gamma
		}
		prices(out[:], st[:])
		for i := range out {
			r := random(st[i])
			if want := r.price(); out[i] != want {
				t.Fatalf("state %d: got %d, want %d", st[i], out[i], want)
			}
		}
	}
}

// TestPriceBound holds the error of the table against its margin: rounding both ways must agree unless the value lies
// within the margin of a boundary, so the margin has to cover the largest error with room to spare.
func TestPriceBound(t *testing.T) {
	var worst float64
	for i := range uint64(200_000) {
		draw := i*(1<<64/200_000) | i*gamma>>40
		d := float64(draw>>11) * 0x1p-53
		worst = max(worst, math.Abs(powerOf(draw, priceTable)-math.Pow(10, d*6)*100))
	}
	if worst > priceMargin/5 {
		t.Errorf("error %g, margin %g", worst, priceMargin)
	}
}

func TestBound(t *testing.T) {
	for _, b := range []int64{3, 5, 13, 28, 111, 1010, 9999, 10_000, 1<<20 - 77, 1<<31 - 1} {
		m, ok := newBound(b)
		if !ok {
			t.Fatal(b)
		}
		for i := range uint64(50_000) {
			for _, u := range []uint64{i * uint64(b), i*uint64(b) - 1, i * 85_899, 1<<32 - 1 - i} {
				if u &= 1<<32 - 1; m.of(u) != u%uint64(b) {
					t.Fatalf("%d mod %d: got %d", u, b, m.of(u))
				}
			}
		}
		if r := random(1); m.rejected() != uint32(1<<31%b) || r.below(int32(b)) >= int32(b) {
			t.Fatal(b)
		}
	}
	for _, b := range []int64{-1, 0, 1, 2, 1024, 1 << 31} {
		if _, ok := newBound(b); ok {
			t.Errorf("bound %d accepted", b)
		}
	}
}
