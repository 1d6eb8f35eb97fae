package network

// Credit is counted in data buffers. A receiver owns segments for a channel and announces each one that becomes
// free; the sender spends one for each data buffer, and events cost none. With every buffer the sender tells its
// backlog, and the receiver tries to have a segment for each of it and its exclusive ones besides. A channel
// without exclusive segments can't begin: there the sender first announces its backlog.

// spending is the sender's side of a channel.
type spending struct {
	credit int
	// bare says that the receiver has no exclusive segments, so that a backlog has to be announced.
	bare bool
}

// grant adds what the receiver announced.
func (s *spending) grant(n int) { s.credit += n }

// spend takes the credit of one data buffer.
func (s *spending) spend() {
	if s.credit <= 0 {
		panic("network: a buffer was sent without credit")
	}
	s.credit--
}

// announces tells whether a backlog has to be told before anything can be sent.
func (s *spending) announces(backlog int) bool { return s.bare && s.credit == 0 && backlog > 0 }

// allowance is the receiver's side of a channel: its free segments. Of its own ones only the number is the
// channel's: they lie on a shelf with those of the gate's other channels, and the one put there last, still in
// the cache, is taken first.
type allowance struct {
	exclusive   int // segments that are the channel's own
	own         int // of them on the shelf
	shelf       *[]*buffer
	floating    []*buffer
	required    int
	waiting     bool // for a floating segment
	unannounced int
}

func (a *allowance) available() int { return a.own + len(a.floating) }

// wants tells whether another floating segment would be of use.
func (a *allowance) wants() bool { return a.available() < a.required }

// backlog learns how many buffers the sender has behind the one that came.
func (a *allowance) backlog(n int) { a.required = n + a.exclusive }

// gain counts a credit to announce; it tells whether it is the first, so that an announcement is to be sent.
func (a *allowance) gain() (first bool) {
	a.unannounced++
	return a.unannounced == 1
}

// addFloating takes a floating segment in.
func (a *allowance) addFloating(b *buffer) (first bool) {
	a.floating = append(a.floating, b)
	return a.gain()
}

// addOwn takes an exclusive segment back. When there are more than required, a floating one is let go
// instead: the credit that stands for it stays.
func (a *allowance) addOwn(b *buffer) (surplus *buffer, first bool) {
	a.own++
	*a.shelf = append(*a.shelf, b)
	if n := len(a.floating); n > 0 && a.available() > a.required {
		surplus, a.floating = a.floating[n-1], a.floating[:n-1]
		return surplus, false
	}
	return nil, a.gain()
}

// take gives a segment for a data buffer that came, a floating one first, or nil when the sender had no
// credit for it.
func (a *allowance) take() *buffer {
	var b *buffer
	if n := len(a.floating); n > 0 {
		b, a.floating = a.floating[n-1], a.floating[:n-1]
	} else if n := len(*a.shelf); a.own > 0 {
		b, *a.shelf = (*a.shelf)[n-1], (*a.shelf)[:n-1]
		a.own--
	} else {
		return nil
	}
	a.required-- // lest a channel without own segments hoards
	return b
}

// announce gives the credit that was gained since the last announcement.
func (a *allowance) announce() int {
	n := a.unannounced
	a.unannounced = 0
	return n
}
