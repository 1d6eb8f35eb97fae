package filesystem

import "encoding/binary"

// deltaHead is how many bytes of differences say how many there are, at most, and some more; snappyHead is how many bytes they take
// when snappy packs them: none of its elements of up to five bytes makes less than one.
const (
	deltaHead  = 64
	snappyHead = 5*deltaHead + binary.MaxVarintLen64
)

// unsnapBegin appends the first n bytes of what snappy packed, or fewer where that ends or makes no sense.
func unsnapBegin(dst, src []byte, n int) []byte {
	_, k := binary.Uvarint(src)
	if k <= 0 {
		return dst
	}
	src = src[k:]
	for len(src) > 0 && len(dst) < n {
		tag := src[0]
		size, head := int(tag>>2)+1, 1
		switch tag & 3 {
		case 0:
			if size > 60 {
				head += size - 60
			}
		case 1:
			size, head = int(tag>>2&7)+4, 2
		case 2:
			head = 3
		case 3:
			head = 5
		}
		if len(src) < head {
			return dst
		}
		var word [4]byte
		copy(word[:], src[1:head])
		more := int(binary.LittleEndian.Uint32(word[:]))
		src = src[head:]
		if tag&3 == 0 {
			if head > 1 {
				size = more + 1
			}
			size = min(size, len(src), n-len(dst))
			dst, src = append(dst, src[:size]...), src[size:]
			continue
		}
		offset := more
		if tag&3 == 1 {
			offset |= int(tag&0xe0) << 3
		}
		if offset <= 0 || offset > len(dst) {
			return dst
		}
		for size = min(size, n-len(dst)); size > 0; size-- {
			dst = append(dst, dst[len(dst)-offset])
		}
	}
	return dst
}
