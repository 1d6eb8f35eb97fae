package filesystem

import "testing"

// TestShare: files that were read count whole, the one that is being read by its bytes.
func TestShare(t *testing.T) {
	p := &progress{files: []file{{}, {offset: 50, size: 101}, {}, {}}, at: 1}
	if share, known := p.Share(); share != 0.375 || !known {
		t.Error(share, known)
	}
	p.at = 4
	if share, _ := p.Share(); share != 1 {
		t.Error(share)
	}
	if _, known := (&progress{watch: &books{}}).Share(); known {
		t.Error("the share of files that appear is known")
	}
}
