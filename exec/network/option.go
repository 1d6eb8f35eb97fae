package network

import (
	"time"

	"streamsql/exec/option"
)

// Options are the settings of the exchange, under Flink's names.
type Options struct {
	SegmentSize option.Size `opt:"taskmanager.memory.segment-size" default:"32 kb" min:"256 b" max:"1 mb" doc:"memory of one network buffer"`
	Memory      option.Size `opt:"taskmanager.memory.network.max" alias:"taskmanager.network.memory.max" default:"1 gb" min:"256 b" doc:"memory of all network buffers; it is touched only as it is used"`
	Exclusive   int         `opt:"taskmanager.network.memory.buffers-per-channel" default:"2" min:"0" max:"10000" doc:"buffers that each input channel owns"`
	Floating    int         `opt:"taskmanager.network.memory.floating-buffers-per-gate" default:"8" min:"1" max:"100000" doc:"buffers that the channels of an input gate share"`
	PerChannel  int         `opt:"taskmanager.network.memory.max-buffers-per-channel" default:"10" min:"1" max:"100000" doc:"buffers that one output channel holds before the whole output counts as full; 1 is taken as 2, since one is being filled"`
	Overdraft   int         `opt:"taskmanager.network.memory.max-overdraft-buffers-per-gate" default:"5" min:"0" max:"100000" doc:"buffers beyond its share that an output may take in the middle of a batch"`
	Required    *int        `opt:"taskmanager.network.memory.read-buffer.required-per-gate.max" min:"1" doc:"most buffers that an input gate requires to start; the rest is best effort"`
	// BufferTimeout below 0 means never.
	BufferTimeout time.Duration `opt:"execution.buffer-timeout" alias:"execution.buffer-timeout.interval" default:"100 ms" min:"-1 ms" doc:"how long a partly filled buffer waits; 0 sends after every batch, -1 never before it is full"`
	TimeoutOn     bool          `opt:"execution.buffer-timeout.enabled" default:"true" doc:"false: buffers leave only when full or before an event"`
	Timeout       time.Duration `opt:"taskmanager.network.timeout" default:"30 s" min:"10 ms" doc:"after how long a silent peer counts as lost"`
}

// DefaultOptions are the settings of a process that was told nothing.
func DefaultOptions() Options {
	var o Options
	if err := option.Decode(&o, nil); err != nil {
		panic("network: " + err.Error())
	}
	return o
}

// timeout is the buffer timeout in force, negative for never.
func (o *Options) timeout() time.Duration {
	if !o.TimeoutOn {
		return -1
	}
	return o.BufferTimeout
}

// Segments is the number of segments that the memory holds.
func (o *Options) Segments() int { return int(o.Memory / o.SegmentSize) }
