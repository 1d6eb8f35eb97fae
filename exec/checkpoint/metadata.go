package checkpoint

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// A metadata file is a header (magic, version, length of the body), the body, and the checksum of both.
// Numbers of the body are varints, texts have their length before them, lists their count.
const (
	metaMagic = "\x89SSQLCK\n"
	// metaVersion goes up also when the same bytes come to mean something else: since 3, operators in one stage may have
	// their keys divided among subtasks by some of them only; since 4, keys are in other key groups.
	metaVersion = 4
	metaHeader  = 8 + 4 + 8
	// metaMost bounds what is read into memory at once.
	metaMost = 256 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode writes the file of a checkpoint of a job.
func (m *Metadata) encode(job string) []byte {
	b := make([]byte, metaHeader, metaHeader+1024+64*len(m.Blocks))
	copy(b, metaMagic)
	binary.LittleEndian.PutUint32(b[8:], metaVersion)
	b = appendText(b, job)
	b = binary.AppendVarint(b, m.Epoch)
	b = binary.AppendVarint(b, m.Began)
	b = appendBool(b, m.Finished)
	b = appendText(appendText(b, m.Name), m.Plan)
	b = binary.AppendUvarint(b, uint64(len(m.Operators)))
	for _, o := range m.Operators {
		b = appendText(appendText(appendPlace(b, Place{Stage: o.Stage, Node: o.Node}), o.ID), o.Text)
	}
	b = binary.AppendUvarint(b, uint64(m.MaxParallelism))
	b = binary.AppendVarint(b, m.Watermark)
	b = binary.AppendUvarint(b, uint64(len(m.Splits)))
	for _, s := range m.Splits {
		b = appendText(appendPlace(b, s.Place), s.ID)
		b = appendBool(appendText(b, string(s.Position)), s.Ended)
	}
	b = binary.AppendUvarint(b, uint64(len(m.Marks)))
	for _, k := range m.Marks {
		b = appendText(appendPlace(b, k.Place), k.Name)
		b = appendBool(binary.AppendVarint(b, k.Time), k.Idle)
	}
	b = binary.AppendUvarint(b, uint64(len(m.Counts)))
	for _, c := range m.Counts {
		b = binary.AppendVarint(appendText(appendPlace(b, c.Place), c.Name), c.Value)
	}
	b = binary.AppendUvarint(b, uint64(len(m.Committables)))
	for _, c := range m.Committables {
		b = appendText(appendPlace(b, c.Place), string(c.Data))
	}
	b = binary.AppendUvarint(b, uint64(len(m.Blocks)))
	for _, k := range m.Blocks {
		b = appendBlock(b, k)
	}
	binary.LittleEndian.PutUint64(b[12:], uint64(len(b)-metaHeader))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func appendBlock(b []byte, k Block) []byte {
	b = appendText(appendPlace(b, k.Place), k.Table)
	b = appendBool(b, k.Groups != nil)
	if k.Groups != nil {
		b = binary.AppendUvarint(b, uint64(len(k.Groups)))
		for _, g := range k.Groups {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(g.From)), uint64(g.To))
		}
	}
	b = binary.AppendUvarint(appendText(b, k.File), uint64(k.Offset))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(k.Stored)), uint64(k.Length))
	return binary.LittleEndian.AppendUint32(b, k.Sum)
}

func appendPlace(b []byte, p Place) []byte {
	b = binary.AppendUvarint(b, uint64(p.Stage))
	b = binary.AppendUvarint(b, uint64(p.Node))
	return binary.AppendUvarint(b, uint64(p.Subtask))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// decodeMetadata reads a metadata file of a job.
func decodeMetadata(file, job string, b []byte) (*Metadata, error) {
	damaged := func(at int, format string, args ...any) (*Metadata, error) {
		return nil, &Damage{File: file, Offset: int64(at), Check: fmt.Sprintf(format, args...)}
	}
	switch {
	case len(b) < metaHeader+4:
		return damaged(len(b), "the file ends after %d bytes, a metadata file has at least %d", len(b), metaHeader+4)
	case string(b[:8]) != metaMagic:
		return damaged(0, "the magic number is not that of a metadata file")
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != metaVersion {
		return nil, otherVersion(file, v, metaVersion)
	}
	end := len(b) - 4
	if n := binary.LittleEndian.Uint64(b[12:]); n != uint64(end-metaHeader) {
		return damaged(12, "the body should have %d bytes and has %d", n, end-metaHeader)
	}
	if want, got := binary.LittleEndian.Uint32(b[end:]), crc32.Checksum(b[:end], castagnoli); want != got {
		return damaged(end, "the checksum of the file is %08x, its bytes give %08x", want, got)
	}
	d := &decoder{file: file, b: b[:end], at: metaHeader}
	m, of := d.metadata()
	if d.err == nil && d.at < len(d.b) {
		d.fail("bytes after the last block")
	}
	if d.err != nil {
		return nil, d.err
	}
	if of != job {
		return damaged(metaHeader, "it belongs to job %q, the directory to job %s", of, job)
	}
	return m, nil
}

func (d *decoder) metadata() (m *Metadata, job string) {
	m = &Metadata{}
	job = d.text("job id")
	m.Epoch = d.varint("epoch")
	m.Began = d.varint("begin")
	m.Finished = d.bool("finished")
	m.Name = d.text("name of the job")
	m.Plan = d.text("plan")
	m.Operators = make([]Operator, d.count("operators", 5))
	for i := range m.Operators {
		p := d.place()
		m.Operators[i] = Operator{Stage: p.Stage, Node: p.Node, ID: d.text("name of an operator"), Text: d.text("operator")}
	}
	m.MaxParallelism = d.number("max parallelism", math.MaxUint16+1)
	m.Watermark = d.varint("watermark")
	m.Splits = make([]Split, d.count("splits", 6))
	for i := range m.Splits {
		m.Splits[i] = Split{d.place(), d.text("split"), []byte(d.text("position")), d.bool("end of a split")}
	}
	m.Marks = make([]Mark, d.count("marks", 6))
	for i := range m.Marks {
		m.Marks[i] = Mark{d.place(), d.text("name of a mark"), d.varint("mark"), d.bool("idleness")}
	}
	m.Counts = make([]Count, d.count("counts", 5))
	for i := range m.Counts {
		m.Counts[i] = Count{d.place(), d.text("name of a count"), d.varint("count")}
	}
	m.Committables = make([]Committable, d.count("committables", 4))
	for i := range m.Committables {
		m.Committables[i] = Committable{d.place(), []byte(d.text("committable"))}
	}
	m.Blocks = make([]Block, d.count("blocks", 13))
	for i := range m.Blocks {
		m.Blocks[i] = d.block()
	}
	return m, job
}

func (d *decoder) block() Block {
	k := Block{Place: d.place(), Table: d.text("table")}
	if d.bool("keyed") {
		k.Groups = make([]Span, d.count("key groups", 2))
		for i := range k.Groups {
			k.Groups[i].From = d.number("first key group", math.MaxUint16)
			k.Groups[i].To = d.number("last key group", math.MaxUint16+1)
		}
	}
	k.File = d.text("file")
	k.Offset = int64(d.number("offset", math.MaxInt64))
	k.Stored = d.number("stored length", blockMost)
	k.Length = d.number("length", blockMost)
	k.Sum = d.fixed("checksum")
	return k
}
