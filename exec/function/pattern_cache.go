package function

import "bytes"

type patternKey struct {
	pattern string
	escape  rune
}

// cache keeps what was compiled from patterns that are not known at planning.
type cache[V any] struct {
	last    []byte
	escape  rune
	value   V
	err     error
	entries map[patternKey]cached[V]
}

type cached[V any] struct {
	value V
	err   error
}

// maxCached is the number of patterns kept; with more, all are dropped and collected anew.
const maxCached = 256

func (c *cache[V]) get(pattern []byte, escape rune, compile func(string) (V, error)) (V, error) {
	if c.entries != nil && escape == c.escape && bytes.Equal(pattern, c.last) {
		return c.value, c.err
	}
	e, ok := c.entries[patternKey{string(pattern), escape}]
	if !ok {
		if c.entries == nil || len(c.entries) == maxCached {
			c.entries = map[patternKey]cached[V]{}
		}
		e.value, e.err = compile(string(pattern))
		c.entries[patternKey{string(pattern), escape}] = e
	}
	c.last, c.escape, c.value, c.err = append(c.last[:0], pattern...), escape, e.value, e.err
	return c.value, c.err
}
