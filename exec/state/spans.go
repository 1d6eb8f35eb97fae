package state

// What changed is told by spans, pieces of pages: where keys are used by age a batch writes on few of them.
const (
	spanShift = 8
	spanRows  = 1 << spanShift
	// pageSpans is how many of them a page has: bits of a uint8.
	pageSpans = 1 << (PageShift - spanShift)
)

// spans say of a table's rows what was written since the last snapshot, where what stands in a snapshot is,
// and which pages a snapshot being written still reads.
type spans struct {
	// epoch changes with each snapshot: a span with this mark is owned, a page with it in copied or reading was
	// copied, or is to be read, since then.
	epoch   uint32
	marks   []uint32
	changed []int32 // owned spans
	copied  []uint32
	reading []uint32
	frozen  *tableSnapshot // the last one
	// where is the number of the snapshot that has the newest version of a span, 0 for none.
	where []uint64
}

func (s *spans) grow(rows int) {
	for len(s.copied)*PageRows < rows {
		s.copied, s.reading = append(s.copied, 0), append(s.reading, 0)
	}
	for len(s.marks) < len(s.copied)*pageSpans {
		s.marks, s.where = append(s.marks, 0), append(s.where, 0)
	}
}

// Own prepares groups to be written, once per batch.
func (t *Keyed) Own(groups []int32) {
	marks, epoch := t.spans.marks, t.spans.epoch
	for _, g := range groups {
		if marks[g>>spanShift] != epoch {
			t.ownSpan(g >> spanShift)
		}
	}
}

// OwnOne prepares one group.
func (t *Keyed) OwnOne(g int32) {
	if t.spans.marks[g>>spanShift] != t.spans.epoch {
		t.ownSpan(g >> spanShift)
	}
}

// ownSpan marks a span as changed, and copies its page if a snapshot has yet to read it.
func (t *Keyed) ownSpan(span int32) {
	s := &t.spans
	s.marks[span] = s.epoch
	s.changed = append(s.changed, span)
	page := span / pageSpans
	if s.reading[page] != s.epoch || s.copied[page] == s.epoch {
		return
	}
	s.copied[page] = s.epoch
	if s.frozen.reads(page) {
		for _, c := range t.cols {
			c.own(int(page))
		}
	}
}
