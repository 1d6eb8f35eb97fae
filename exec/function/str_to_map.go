package function

import (
	"bytes"

	"streamsql/exec/kernel"
	"streamsql/exec/regexp"
	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "STR_TO_MAP", Forms: []string{"<CHARACTER>", "<CHARACTER>, <CHARACTER>, <CHARACTER>"}, Fails: true,
	Type: func(args []Arg) (Signature, error) {
		if len(args) == 2 {
			return Signature{}, Mismatch()
		}
		return textForm("tTT", strictly(types.MapOf(types.String(), types.String())))(args)
	},
	Bind: func(b Binding) (Kernel, error) {
		if len(b.Args) == 1 {
			return mapKernel(b.Result, func(*row) (list, pair *splitter) { return commaSplitter, equalsSplitter }), nil
		}
		lists, err := patternsOf(b, 1)
		if err != nil {
			return nil, err
		}
		pairs, err := patternsOf(b, 2)
		list, pair := &splitter{}, &splitter{}
		return mapKernel(b.Result, func(r *row) (*splitter, *splitter) {
			list.set(r.text(1), lists.of(r))
			pair.set(r.text(2), pairs.of(r))
			return list, pair
		}), err
	},
	Doc: Doc{Group: "string", Text: "The map that a text spells out as pairs: pairs stand between commas and key and value between" +
		" equals signs, or other delimiters, which are regular expressions (Java's syntax). A key that comes twice has its last value.",
		Example: "STR_TO_MAP('a=1,b=2')['b']", Value: "2"},
})

var (
	commaSplitter  = &splitter{literal: []byte(",")}
	equalsSplitter = &splitter{literal: []byte("=")}
)

// splitter cuts texts at a delimiter as Java's String.split does.
type splitter struct {
	literal []byte // when the delimiter has no special character
	regex   *regexp.Pattern
}

func (s *splitter) set(delimiter []byte, x *regexp.Pattern) {
	s.literal, s.regex = nil, x
	if len(delimiter) > 0 && !bytes.ContainsAny(delimiter, `\^$.|?*+()[]{}`) {
		s.literal = delimiter
	}
}

// next finds the first delimiter in text at or after from.
func (s *splitter) next(r *row, text []byte, from int) (at, end int, ok bool) {
	if s.literal != nil {
		k := bytes.Index(text[from:], s.literal)
		return from + k, from + k + len(s.literal), k >= 0
	}
	if s.regex == nil {
		return 0, 0, false
	}
	for from <= len(text) {
		loc := find(r, s.regex, text, from)
		if loc == nil {
			break
		}
		// An empty match cuts between characters, not at the ends.
		if loc[1] > loc[0] || loc[0] > 0 && loc[0] < len(text) {
			return loc[0], loc[1], true
		}
		from = regexp.Next(text, loc)
	}
	return 0, 0, false
}

func mapKernel(t types.Type, delimiters func(r *row) (list, pair *splitter)) Kernel {
	r, keys, values, offsets := &row{}, &textList{}, &textList{}, []int32(nil)
	return func(c *Call) {
		want := r.open(c)
		keys.reset()
		values.reset()
		offsets = append(offsets[:0], 0)
		for i := range c.Out.Stored() {
			if r.i = i; kernel.Bit(want, i) {
				list, pair := delimiters(r)
				if s := r.text(0); len(s) > 0 {
					addPairs(r, keys, values, s, list, pair)
				}
			}
			offsets = append(offsets, int32(keys.len()))
		}
		c.Out.Offsets = offsets
		own := c.Out.OwnChildren(2)
		keys.fill(own[0], t.Key())
		values.fill(own[1], t.Elem())
	}
}

// addPairs adds the pairs of s; empty ones at the end don't count.
func addPairs(r *row, keys, values *textList, s []byte, list, pair *splitter) {
	first, last := keys.len(), keys.len()
	for from := 0; from <= len(s); {
		at, end, ok := list.next(r, s, from)
		if !ok {
			at, end = len(s), len(s)+1
		}
		addPair(r, keys, values, s[from:at], pair, first)
		if at > from {
			last = keys.len()
		}
		if end == from {
			end++
		}
		from = end
	}
	keys.cut(last)
	values.cut(last)
}

func addPair(r *row, keys, values *textList, item []byte, pair *splitter, first int) {
	key, value, has := item, []byte(nil), false
	if at, end, ok := pair.next(r, item, 0); ok {
		key, value, has = item[:at], item[end:], true
	}
	for k := first; k < keys.len(); k++ {
		if bytes.Equal(keys.at(k), key) {
			if values.set(k, value); !has {
				values.setNull(k)
			}
			return
		}
	}
	keys.add(key)
	if has {
		values.add(value)
	} else {
		values.addNull()
	}
}
