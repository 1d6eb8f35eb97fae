package nexmark

import "streamsql/exec/connector"

// Unique implements connector.Unique: a person and an auction have an id of their own. They are numbered with the events,
// whose numbers a shuffle may repeat: within a group where its size is not prime to the step, and from one generator to
// the next where a group crosses their border.
func (s *source) Unique() (out []connector.Path) {
	if g := s.config.GroupSize; g > 1 && (s.options.Split == upstream || g%groupStep == 0) {
		return nil
	}
	for i, c := range s.cols {
		for k, f := range c.fields {
			if f.bit == PersonID || f.bit == AuctionID {
				out = append(out, connector.Path{i, k})
			}
		}
	}
	return out
}
