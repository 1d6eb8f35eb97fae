package vector

import "streamsql/exec/kernel"

// Wide128 returns the unscaled values of a flat or constant DECIMAL or BIGINT column as Int128: its own
// memory when it is wide, otherwise *scratch, which grows as needed and is the caller's to reuse.
func Wide128(c *Column, scratch *[]Int128) []Int128 {
	if c.Wide {
		return Values[Int128](c)
	}
	n := c.Stored()
	if cap(*scratch) < n {
		*scratch = make([]Int128, n+n/2)
	}
	out := (*scratch)[:n]
	kernel.WidenInt64(out, Values[int64](c))
	return out
}

// AllocWide makes c wide and gives it room for its Stored values.
func AllocWide(c *Column) []Int128 {
	c.Wide = true
	return Alloc[Int128](c)
}

// DecimalAt reads the unscaled value of row i of a DECIMAL column through any encoding.
func DecimalAt(c *Column, i int) Int128 {
	f, k := c.At(i)
	if f.Wide {
		return Values[Int128](f)[k]
	}
	return kernel.Int128Of(Values[int64](f)[k])
}
