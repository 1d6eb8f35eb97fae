package network

import "fmt"

// Sizing is how many segments an output or an input gets: Min are guaranteed, more up to Max are shared.
// Exclusive of an input are given to each channel for good and are part of both.
type Sizing struct {
	Min, Max, Exclusive int
}

// SizeOutput sizes the pool of a writer with a number of channels. One segment per channel and one to
// spare are guaranteed, also with no exclusive buffers: less could hang.
func (o *Options) SizeOutput(channels int) Sizing {
	least := channels + 1
	return Sizing{Min: least, Max: max(channels*max(o.Exclusive, 1)+o.Floating, least)}
}

// SizeGate sizes an input with a number of channels. At least one floating segment is guaranteed.
func (o *Options) SizeGate(channels int) Sizing {
	expected := channels*o.Exclusive + 1
	if o.Required != nil {
		expected = min(expected, *o.Required)
	}
	each := o.Exclusive
	if channels > 0 {
		each = min(each, (expected-1)/channels)
	}
	return Sizing{Min: expected, Max: max(channels*o.Exclusive+o.Floating, expected), Exclusive: each}
}

// channelCap is how many segments of one channel make an output count as full. The one that is being filled may leave
// only when it is full, so an output that it stopped alone would wait for ever.
func (o *Options) channelCap() int { return max(o.PerChannel, 2) }

// InFlight is the bound on the bytes under way on an edge of one writer and one gate, both with a number
// of channels: the caps of the outgoing channels and all of the input's segments.
func (o *Options) InFlight(channels int) int64 {
	segments := channels*o.channelCap() + o.Overdraft
	segments = min(segments, o.SizeOutput(channels).Max+o.Overdraft) + o.SizeGate(channels).Max
	return int64(segments) * int64(o.SegmentSize)
}

// String is the sizing as EXPLAIN prints it.
func (s Sizing) String() string {
	if s.Exclusive == 0 {
		return fmt.Sprintf("%d..%d buffers", s.Min, s.Max)
	}
	return fmt.Sprintf("%d..%d buffers, %d per channel", s.Min, s.Max, s.Exclusive)
}

// ShortageError says that the guaranteed minima of a job do not fit.
type ShortageError struct {
	What                   string
	Need, Have, Total, All int
	SegmentSize            int
}

// Error names the numbers and the setting to raise.
func (e *ShortageError) Error() string {
	return fmt.Sprintf("network: insufficient number of network buffers: %s needs %d, but only %d of %d buffers of %d bytes "+
		"are not promised to others; set 'taskmanager.memory.network.max' to at least '%d b', or lower "+
		"'taskmanager.memory.segment-size' or 'taskmanager.network.memory.buffers-per-channel'",
		e.What, e.Need, e.Have, e.Total, e.SegmentSize, int64(e.All)*int64(e.SegmentSize))
}
