package filesystem

import "cmp"

// Share implements connector.Measured: files that were read, and of the one that is being read the bytes. Files count the
// same whatever their size. Where files may appear there is no end to take a share of.
func (p *progress) Share() (float64, bool) {
	if p.watch != nil {
		return 0, false
	}
	done := float64(p.at)
	if p.at < len(p.files) {
		if f := &p.files[p.at]; f.size > 1 {
			done += min(float64(f.offset-f.from)/float64(cmp.Or(f.to, f.size-1)-f.from), 1)
		}
	}
	return done / float64(max(len(p.files), 1)), true
}
