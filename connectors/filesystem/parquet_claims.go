package filesystem

import (
	"encoding/binary"
	"errors"
)

// claims goes through what a Parquet file says of itself, a struct in Thrift's compact form, before a library allocates
// whatever that claims: nothing in it is longer than the bytes that are there.
type claims struct {
	b  []byte
	at int
	// numbers are the integers of the struct by their ids, and parts those of the structs in it, where a truth is its type.
	numbers [16]int64
	parts   [16][16]int64
}

var errClaims = errors.New("it says that it is longer than it is")

// The types of Thrift's compact form that are longer than what stands for itself.
const (
	thriftFalse  = 2
	thriftByte   = 3
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// thriftDepth is how many structs and lists may stand in each other.
const thriftDepth = 32

// check goes through all of b but what follows the struct, and gives its length.
func (c *claims) check(b []byte) (n int, err error) {
	*c = claims{b: b}
	if err := c.fields(0, 0); err != nil {
		return 0, err
	}
	return c.at, nil
}

func (c *claims) fields(depth, in int) error {
	id := int64(0)
	for {
		head, err := c.octet()
		if err != nil || head == 0 {
			return err
		}
		if id += int64(head >> 4); head>>4 == 0 {
			v, err := c.varint()
			if err != nil {
				return err
			}
			id = zigzag(v)
		}
		kind, place := head&15, int(id&15)
		if kind > thriftByte && kind < thriftDouble {
			v, err := c.varint()
			if err != nil {
				return err
			}
			switch {
			case id != int64(place):
			case depth == 0:
				c.numbers[place] = zigzag(v)
			case depth == 1:
				c.parts[in][place] = zigzag(v)
			}
			continue
		}
		if kind <= thriftFalse { // the truth stands in the head
			if depth == 1 && id == int64(place) {
				c.parts[in][place] = int64(kind)
			}
		} else {
			if err := c.value(kind, depth+1, place); err != nil {
				return err
			}
		}
	}
}

// value goes over a value, which stands in field `in` of the outermost struct.
func (c *claims) value(kind byte, depth, in int) error {
	if depth > thriftDepth {
		return errClaims
	}
	switch kind {
	case 1, 2, thriftByte:
		return c.skip(1)
	case thriftDouble:
		return c.skip(8)
	case thriftBinary:
		n, err := c.varint()
		if err != nil {
			return err
		}
		return c.skip(n)
	case thriftList, thriftSet:
		head, err := c.octet()
		n := uint64(head >> 4)
		if err == nil && n == 15 {
			n, err = c.varint()
		}
		return c.values(n, []byte{head & 15}, depth, in, err)
	case thriftMap:
		n, err := c.varint()
		if err != nil || n == 0 {
			return err
		}
		kinds, err := c.octet()
		return c.values(n, []byte{kinds >> 4, kinds & 15}, depth, in, err)
	case thriftStruct:
		return c.fields(depth, in)
	case 4, 5, 6:
		_, err := c.varint()
		return err
	}
	return errClaims
}

// values goes over n times values of some kinds; each is a byte at least.
func (c *claims) values(n uint64, kinds []byte, depth, in int, err error) error {
	if err == nil && n > uint64(len(c.b)-c.at) {
		err = errClaims
	}
	for ; n > 0 && err == nil; n-- {
		for _, k := range kinds {
			if err = c.value(k, depth+1, in); err != nil {
				break
			}
		}
	}
	return err
}

func (c *claims) octet() (byte, error) {
	if c.at >= len(c.b) {
		return 0, errClaims
	}
	c.at++
	return c.b[c.at-1], nil
}

func (c *claims) varint() (uint64, error) {
	v, n := binary.Uvarint(c.b[c.at:])
	if n <= 0 {
		return 0, errClaims
	}
	c.at += n
	return v, nil
}

func (c *claims) skip(n uint64) error {
	if n > uint64(len(c.b)-c.at) {
		return errClaims
	}
	c.at += int(n)
	return nil
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
