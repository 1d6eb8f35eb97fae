package nexmark

// Share implements connector.Measured: the events that were made, of any kind.
func (r *reader) Share() (float64, bool) {
	made, left := int64(0), int64(0)
	for _, p := range r.parts {
		made += p.g.count
		left += p.g.Remaining()
	}
	return float64(made) / float64(max(made+left, 1)), r.s.Bounded()
}
