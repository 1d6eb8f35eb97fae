package datagen

// Share implements connector.Measured: the rows that were made.
func (r *reader) Share() (float64, bool) {
	made, all := int64(0), int64(0)
	for _, p := range r.parts {
		if p.end < 0 {
			return 0, false
		}
		made += p.made
		all += p.end
	}
	return float64(made) / float64(max(all, 1)), true
}
