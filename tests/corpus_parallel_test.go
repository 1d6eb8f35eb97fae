package tests

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestCorpusParallel: a case that gives a real Flink's outcome gives it with three subtasks too, late rows included:
// each of its inputs is one split, whose watermark alone says what is late. With -short it takes a tenth of the cases.
func TestCorpusParallel(t *testing.T) {
	seed, of := uint64(time.Now().UnixNano()), 1
	if testing.Short() {
		of = 10
	}
	t.Logf("one case in %d, seed %d", of, seed)
	pick := rand.New(rand.NewPCG(seed, 5))
	for _, f := range []string{"window", "aggregate"} {
		cases, err := readCorpus(filepath.Join(corpusDir, f+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for i := range cases {
			c := cases[i]
			if pick.IntN(of) > 0 || c.run(corpusDir, t.TempDir()) != nil {
				continue
			}
			c.sets = append(slices.Clip(c.sets), [2]string{"parallelism.default", "3"}, [2]string{"pipeline.auto-watermark-interval", "0"})
			if err := c.run(corpusDir, t.TempDir()); err != nil {
				t.Errorf("%s with three subtasks: %v\n  %s", c.id, err, c.sql)
			}
			same++
		}
		t.Logf("%s: %d cases", f, same)
	}
}
