// Package network is the exchange between tasks: buffers of rows in column form that travel over
// credit-controlled channels, in process or over TCP.
//
// A Writer is the output of one task: it partitions batches over channels, each of which fills a buffer,
// a fixed byte budget, that leaves when it is full, at the buffer timeout, or before an event. A Gate is
// the input of one task: it joins channels, aligns barriers and keeps the minimum watermark. An
// Environment holds what the tasks of one process share: the segments, the connections, the timer.
//
// It does not know operators, plans, state or checkpoints; a barrier is a number to it.
//
// Invariants (the numbers are the design's):
//
//	N1 elements of one channel are delivered in the order in which they were written.
//	N2 data buffers in flight to a remote channel never exceed the credit it granted; events cost none.
//	N3 after barrier n on a channel nothing more from it is delivered until every channel that has not
//	   ended brought n.
//	N4 the delivered watermark only grows; a finished channel leaves the minimum, it never sets it.
//	N5 a partly filled buffer leaves after the buffer timeout.
//	N6 in-process, TCP and test channels pass the same contract suite.
//
// And of its own:
//
//	N7 every segment has one owner at any time: the global pool, a local pool, a writer's open buffer, a
//	   channel's queue, a channel's exclusive list, or the batch that is lent; at close all are returned.
//	N8 lock order: writer, gate, link, channel, local pool, global pool; a call-back holds none of them.
//
// Flink's words are used: a segment is the memory of a buffer, a channel of a writer is its subpartition,
// the network buffer pool is GlobalPool and its shares are local pools.
package network
