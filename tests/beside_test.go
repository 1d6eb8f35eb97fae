package tests

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestBesideCorpus runs cases of our own in the form of the corpus, at several settings.
func TestBesideCorpus(t *testing.T) {
	const dir = "testdata/beside"
	var cases []corpusCase
	files, _ := filepath.Glob(dir + "/*.txt")
	for _, file := range files {
		list, err := readCorpus(file)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, list...)
	}
	tried := sampled(t, 16, 6)
	for _, size := range []int{1, 1024} {
		for _, parallelism := range []int{1, 2} {
			for _, c := range cases {
				if !tried() {
					continue
				}
				c.sets = append(c.sets[:len(c.sets):len(c.sets)], [2]string{"streamsql.batch-size", fmt.Sprint(size)},
					[2]string{"parallelism.default", fmt.Sprint(parallelism)})
				if c.ordered && parallelism > 1 {
					continue
				}
				if err := c.run(dir, t.TempDir()); err != nil {
					t.Errorf("%s, batches of %d, parallelism %d: %v", c.id, size, parallelism, err)
				}
			}
		}
	}
}
