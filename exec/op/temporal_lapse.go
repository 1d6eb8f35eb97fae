package op

// lapse drops the versions of keys whose time to live is over. Keys with rows that wait for the watermark keep theirs.
func (o *temporalJoin) lapse(groups []int32) {
	o.dropped = o.dropped[:0]
	o.lapsed = o.lapsed[:0]
	for _, g := range groups {
		if o.waiting.At(g) > 0 {
			continue
		}
		for row := o.newest.At(g) - 1; row >= 0; row = o.older.At(row) - 1 {
			o.dropped = append(o.dropped, row)
		}
		o.lapsed = append(o.lapsed, g)
	}
	if len(o.lapsed) == 0 {
		return
	}
	o.keys.Own(o.lapsed)
	o.obsolete.Stop(o.lapsed)
	o.newest.Zero(o.lapsed)
	o.versions.rows.Remove(o.dropped)
	o.versions.rows.Compact()
}

// sweep forgets some of the keys whose time to live is over.
func (o *temporalJoin) sweep() {
	if o.ttl == nil {
		return
	}
	o.lapse(o.ttl.Sweep(o.clock()))
	if len(o.lapsed) > 0 {
		o.keys.Remove(o.lapsed)
		o.keys.Compact()
	}
}

// touch says that the keys of rows that are given live on.
func (o *temporalJoin) touch(rows []int32) {
	if o.ttl == nil {
		return
	}
	o.lapsed = o.lapsed[:0]
	for _, v := range rows {
		o.lapsed = append(o.lapsed, int32(o.held.rows.Word(0, v)))
	}
	o.keys.Own(o.lapsed)
	o.ttl.Touch(o.lapsed, o.clock())
}
