package network

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A connection carries frames: a head of headSize bytes, little-endian, and a payload.
//
//	0 magic  4 kind  5 form  6 zero  8 channel  12 sequence number  16 value  20 length of payload  24 CRC32C of 0..24
const (
	magic    = 0x57e4a5c1
	headSize = 28
	version  = 2
)

type frameKind uint8

const (
	helloFrame    frameKind = 1 + iota // both ways, first: payload hello
	requestFrame                       // consumer: value credit, sequence the writer's channel, payload the partition
	dataFrame                          // producer: value backlog
	eventFrame                         // producer: payload event
	creditFrame                        // consumer: a tally of credit
	announceFrame                      // producer: a tally of backlog
	resumeFrame                        // consumer
	ackFrame                           // consumer
	cancelFrame                        // consumer
	errorFrame                         // producer: payload text; ends the channel
	pingFrame                          // both ways, when there is nothing else to say
	lastFrame     = pingFrame
)

// header is the head of a frame.
type header struct {
	kind    frameKind
	form    form
	channel uint32
	seq     uint32
	value   uint32
	length  uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// put writes the head.
func (h header) put(b []byte) {
	_ = b[headSize-1]
	binary.LittleEndian.PutUint32(b, magic)
	b[4], b[5], b[6], b[7] = byte(h.kind), byte(h.form), 0, 0
	binary.LittleEndian.PutUint32(b[8:], h.channel)
	binary.LittleEndian.PutUint32(b[12:], h.seq)
	binary.LittleEndian.PutUint32(b[16:], h.value)
	binary.LittleEndian.PutUint32(b[20:], h.length)
	binary.LittleEndian.PutUint32(b[24:], crc32.Checksum(b[:24], castagnoli))
}

// appendFrame appends a frame.
func appendFrame(dst []byte, h header, payload []byte) []byte {
	h.length = uint32(len(payload))
	var head [headSize]byte
	h.put(head[:])
	return append(append(dst, head[:]...), payload...)
}

// parseHeader reads a head; limit is the longest payload.
func parseHeader(b []byte, limit int) (h header, err error) {
	switch {
	case binary.LittleEndian.Uint32(b) != magic:
		return h, errors.New("the peer does not speak this protocol")
	case crc32.Checksum(b[:24], castagnoli) != binary.LittleEndian.Uint32(b[24:]):
		return h, errors.New("a frame's head is damaged")
	}
	h = header{kind: frameKind(b[4]), form: form(b[5]), channel: binary.LittleEndian.Uint32(b[8:]),
		seq: binary.LittleEndian.Uint32(b[12:]), value: binary.LittleEndian.Uint32(b[16:]),
		length: binary.LittleEndian.Uint32(b[20:])}
	switch {
	case h.kind == 0 || h.kind > lastFrame:
		return h, fmt.Errorf("unknown frame %d", h.kind)
	case int64(h.length) > int64(max(limit, minPayload)):
		return h, fmt.Errorf("a frame of %d bytes where %d are the most", h.length, max(limit, minPayload))
	case h.value > 1<<31-1:
		return h, fmt.Errorf("frame %d with value %d", h.kind, h.value)
	}
	return h, nil
}

// minPayload is what payloads other than data may take.
const minPayload = 4096

// readHeader reads a head from a connection.
func readHeader(r io.Reader, scratch *[headSize]byte, limit int) (header, error) {
	if _, err := io.ReadFull(r, scratch[:]); err != nil {
		return header{}, err
	}
	return parseHeader(scratch[:], limit)
}

// hello is what both sides say first.
func hello(segmentSize int) []byte {
	b := binary.LittleEndian.AppendUint32(nil, version)
	return appendFrame(nil, header{kind: helloFrame}, binary.LittleEndian.AppendUint32(b, uint32(segmentSize)))
}

// readHello checks that the peer agrees.
func readHello(r io.Reader, segmentSize int) error {
	var scratch [headSize]byte
	h, err := readHeader(r, &scratch, minPayload)
	if err != nil {
		return err
	}
	if h.kind != helloFrame || h.length < 8 {
		return fmt.Errorf("frame %d instead of a greeting", h.kind)
	}
	b := make([]byte, h.length)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	if v := binary.LittleEndian.Uint32(b); v != version {
		return fmt.Errorf("the peer speaks version %d of the protocol, this process version %d", v, version)
	}
	if s := binary.LittleEndian.Uint32(b[4:]); int(s) != segmentSize {
		return fmt.Errorf("the peer has segments of %d bytes, this process of %d: set "+
			"'taskmanager.memory.segment-size' alike", s, segmentSize)
	}
	return nil
}

// tally is a frame under way that tells a number for each of several channels: what they gained, or their backlog.
// With each buffer that is read some channel gains, so that a frame for each would be many small ones. Its head has
// the CRC32C of the payload in place of a sequence number.
type tally struct {
	kind frameKind
	at   int // in the bytes that it is appended to
	open bool
}

// tallySize is what one channel takes in the payload.
const tallySize = 8

// add appends the number of a channel.
func (t *tally) add(dst []byte, channel uint32, n int) []byte {
	if t.open && len(dst)-t.at+tallySize > headSize+minPayload {
		t.end(dst)
	}
	if !t.open {
		var room [headSize]byte
		t.open, t.at, dst = true, len(dst), append(dst, room[:]...)
	}
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(dst, channel), uint32(n))
}

// end completes the frame, which has to be the last in dst.
func (t *tally) end(dst []byte) {
	if t.open {
		payload := dst[t.at+headSize:]
		header{kind: t.kind, seq: crc32.Checksum(payload, castagnoli), length: uint32(len(payload))}.put(dst[t.at:])
		t.open = false
	}
}

// parseTally calls each for what the payload of a tally tells.
func parseTally(h header, payload []byte, each func(channel uint32, n int) error) error {
	if len(payload)%tallySize != 0 || crc32.Checksum(payload, castagnoli) != h.seq {
		return fmt.Errorf("a damaged frame %d", h.kind)
	}
	for ; len(payload) > 0; payload = payload[tallySize:] {
		n := binary.LittleEndian.Uint32(payload[4:])
		if n > 1<<31-1 {
			return fmt.Errorf("frame %d with value %d", h.kind, n)
		}
		if err := each(binary.LittleEndian.Uint32(payload), int(n)); err != nil {
			return err
		}
	}
	return nil
}

// eventSize is the payload of an event frame.
const eventSize = 24

func (e *event) encode() []byte {
	b := make([]byte, eventSize)
	b[0] = byte(e.kind)
	if e.drained {
		b[1] = 1
	}
	binary.LittleEndian.PutUint64(b[8:], e.barrier)
	binary.LittleEndian.PutUint64(b[16:], uint64(e.since))
	return b
}

func decodeEvent(b []byte) (*event, error) {
	if len(b) != eventSize || b[0] > byte(endOfPartitionEvent) || b[1] > 1 {
		return nil, errors.New("a damaged event")
	}
	return &event{kind: eventKind(b[0]), drained: b[1] == 1, barrier: binary.LittleEndian.Uint64(b[8:]),
		since: int64(binary.LittleEndian.Uint64(b[16:]))}, nil
}
