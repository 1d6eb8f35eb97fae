package filesystem

import (
	"bytes"
	"testing"

	pf "github.com/parquet-go/parquet-go/format"
)

// TestPageRuns: the runs of a page have no more values than its head says, and what ends too early is for others to say.
func TestPageRuns(t *testing.T) {
	billions := []byte{0xfe, 0xff, 0xff, 0xff, 0x0f}
	for _, c := range []struct {
		name     string
		encoding pf.Encoding
		body     []byte
		refused  bool
	}{
		{"a run", pf.RLEDictionary, []byte{3, 200, 1, 7}, false},
		{"groups", pf.RLEDictionary, append([]byte{8, 7}, make([]byte, 24)...), false},
		{"a run of billions", pf.RLEDictionary, append(append([]byte{3}, billions...), 7), true},
		{"groups of billions", plainDictionary, []byte{3, 0xff, 0xff, 0xff, 0xff, 0x0f}, true},
		{"many runs", pf.RLEDictionary, append([]byte{1}, bytes.Repeat([]byte{200, 1, 1}, 10)...), true},
		{"many runs of no bits", pf.RLEDictionary, append([]byte{0}, bytes.Repeat([]byte{200, 1}, 10)...), true},
		{"truths", pf.RLE, append([]byte{6, 0, 0, 0}, append(billions, 1)...), true},
		{"cut off", pf.RLEDictionary, []byte{3, 0xff}, false},
		{"nothing", pf.RLEDictionary, nil, false},
		{"differences", pf.DeltaBinaryPacked, []byte{0x80, 1, 4, 100, 0}, false},
		{"billions of differences", pf.DeltaLengthByteArray, append([]byte{0x80, 1, 4}, billions...), true},
		{"prefixes", pf.DeltaByteArray, append([]byte{0x80, 1, 4, 100, 0x80, 4}, make([]byte, 20)...), true},
	} {
		p := pageRuns{values: 100, encoding: c.encoding, most: 1000}
		if err := p.body(c.body); (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
