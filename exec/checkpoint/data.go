package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"
)

// Data is the file of one task in a checkpoint being written. It is made with the first block; a task
// without state has none.
type Data struct {
	epoch  *Epoch
	name   string
	file   File
	buf    []byte // not yet handed to the file
	at     int64  // where buf will stand
	packed []byte
	err    error
	closed bool
}

const (
	// writeSize is what one call of the file system should carry.
	writeSize = 256 << 10
	// worthPacking is the length below which compression is not tried, sample that of the piece in the middle on
	// which it is tried where the whole is long.
	worthPacking = 256
	sample       = 16 << 10
)

var errEnded = errors.New("checkpoint: the checkpoint has been given up")

// Append writes a block and returns it with its place in the file, as the metadata has to list it. The
// bytes may be reused after the call. After an error the file stays failed.
func (d *Data) Append(k Block, p []byte) (Block, error) {
	if d.err == nil && d.closed {
		panic("checkpoint: block appended to a closed file")
	}
	if d.err == nil && len(p) > blockMost {
		d.err = fmt.Errorf("checkpoint: a block of table %s has %d bytes, the most is %d", k.Table, len(p), blockMost)
	}
	if d.err == nil && d.file == nil {
		d.buf, d.packed = buffers.take(), buffers.take()
		d.file, d.err = d.epoch.create(d.name)
		d.buf = binary.LittleEndian.AppendUint32(append(d.buf, dataMagic...), dataVersion)
	}
	if d.err != nil {
		return k, d.err
	}
	codec, payload := uint32(stored), p
	if d.shrinks(p) {
		codec, payload = compressed, d.packed
	}
	k.File, k.Offset, k.Stored, k.Length = d.name, d.at+int64(len(d.buf)), len(payload), len(p)
	var h [blockHeader]byte
	k.Sum = frameHeader(&h, codec, payload, len(p), k.Offset)
	d.buf = append(d.buf, h[:]...)
	if len(d.buf)+len(payload) > 2*writeSize {
		d.flush()
		d.write(payload)
	} else if d.buf = append(d.buf, payload...); len(d.buf) >= writeSize {
		d.flush()
	}
	return k, d.err
}

// shrinks compresses bytes into packed if that takes off a quarter: less is not worth its time, here and when
// they are read.
func (d *Data) shrinks(p []byte) bool {
	pays := func(p []byte) bool {
		d.packed = s2.Encode(slices.Grow(d.packed[:0], s2.MaxEncodedLen(len(p)))[:s2.MaxEncodedLen(len(p))], p)
		return len(d.packed) <= len(p)-len(p)/4
	}
	if len(p) < worthPacking || len(p) > 4*sample && !pays(p[len(p)/2-sample/2:][:sample]) {
		return false
	}
	return pays(p)
}

func (d *Data) flush() {
	d.write(d.buf)
	d.buf = d.buf[:0]
}

func (d *Data) write(p []byte) {
	if d.err == nil && d.epoch.ended() {
		d.err = errEnded
	}
	if d.err != nil || len(p) == 0 {
		return
	}
	if _, err := d.file.Write(p); err != nil {
		d.err = fmt.Errorf("checkpoint: write %s: %w", d.name, err)
	}
	d.at += int64(len(p))
}

// Close makes the blocks durable. A file must be closed whatever Append returned.
func (d *Data) Close() error {
	if d.closed {
		return d.err
	}
	d.closed = true
	if d.file == nil {
		return d.err
	}
	d.flush()
	buffers.give(d.buf)
	buffers.give(d.packed)
	d.buf, d.packed = nil, nil
	if d.err == nil {
		if err := d.file.Sync(); err != nil {
			d.err = fmt.Errorf("checkpoint: sync %s: %w", d.name, err)
		}
	}
	if err := d.file.Close(); err != nil && d.err == nil {
		d.err = fmt.Errorf("checkpoint: close %s: %w", d.name, err)
	}
	if d.err == nil {
		d.epoch.durable(d.name)
	}
	return d.err
}
