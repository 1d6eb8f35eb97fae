package regexp

import (
	"bytes"
	"errors"
	"regexp/syntax"
	"unicode/utf8"

	"streamsql/exec/kernel"
)

// linear is a compiled regular expression that finds what Java's would: leftmost, then by the order of
// the alternatives. It runs a backtracking search that visits each choice at most once per position, so
// that its time grows with the length of the text, and it keeps its scratch memory from call to call: it
// belongs to one goroutine and allocates nothing in steady state.
type linear struct {
	prog   []instruction
	start  int32
	splits int
	groups int // without group 0

	anchored bool      // only a match at the start of the text counts
	first    *byteSet  // the bytes that a match can start with; nil when it may be empty
	lead     *byteSet  // the run that every match starts with, if it does
	literal  []byte    // a text that every match contains; nil when none is known
	before   byteRange // how many bytes of a match stand before the literal

	caps    []int
	stack   []pending
	visited []uint64
}

// byteRange is a number of bytes; max is negative when there is no bound.
type byteRange struct{ min, max int }

// pending is a choice to come back to, or, with a negative pc, a group boundary to restore.
type pending struct {
	pc  int32
	pos int
}

type opcode uint8

const (
	opMatch  opcode = iota
	opText          // the bytes of text
	opPoint         // one code point of set
	opRun           // as many bytes of set.low as there are, at least min, never given back
	opSplit         // try next, then other
	opGroup         // remember the position in slot
	opAssert        // a condition on the position
	opFail
)

type instruction struct {
	op          opcode
	assert      syntax.EmptyOp
	next, other int32
	slot        int // of a split's visited bits, of a group
	min         int
	text        string
	set         *pointSet
}

// errBeyond says that a pattern needs look-around, back references or the like, which no linear search
// can do.
var errBeyond = errors.New("the pattern needs look-around, a back reference or an atomic group")

// compileLinear compiles a pattern in Java's syntax. The error is errBeyond when the pattern may be good
// but is beyond this engine.
func compileLinear(pattern string) (*linear, error) {
	p, beyond, err := fromJava(pattern)
	if err != nil {
		return nil, err
	}
	if beyond {
		return nil, errBeyond
	}
	return compileTree(p)
}

func compileTree(pattern string) (*linear, error) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		var e *syntax.Error
		if errors.As(err, &e) && (e.Code == syntax.ErrInvalidRepeatSize || e.Code == syntax.ErrLarge) {
			return nil, errBeyond
		}
		return nil, err
	}
	r := &linear{groups: tree.MaxCap()}
	tree = tree.Simplify()
	r.prog = append(r.prog, instruction{op: opMatch})
	r.start = r.compile(tree, 0)
	r.caps = make([]int, 2*(r.groups+1))
	r.anchored = startsText(tree)
	if first, ok := r.firstBytes(r.start); ok {
		r.first = first
	}
	pc := r.start
	for r.prog[pc].op == opGroup {
		pc = r.prog[pc].next
	}
	if r.prog[pc].op == opRun {
		r.lead = &r.prog[pc].set.low
	}
	r.literal, r.before = requiredText(tree)
	return r, nil
}

// find returns the boundaries of the first match at or after from and of its groups, -1 where a group
// took no part, or nil. The result is good until the next call.
func (r *linear) find(b []byte, from int) []int {
	r.clearVisited(len(b))
	switch {
	case r.anchored:
		if from == 0 && (r.literal == nil || bytes.Contains(b, r.literal)) && r.at(b, 0) {
			return r.caps
		}
		return nil
	case r.literal != nil:
		return r.findByLiteral(b, from)
	}
	if r.scan(b, from, len(b)) {
		return r.caps
	}
	return nil
}

// findByLiteral tries only the starts from which the required literal's occurrences can be reached.
func (r *linear) findByLiteral(b []byte, from int) []int {
	for seek := from + r.before.min; seek <= len(b); {
		k := bytes.Index(b[seek:], r.literal)
		if k < 0 {
			return nil
		}
		k += seek
		if r.before.max >= 0 {
			from = max(from, k-r.before.max)
		}
		if r.scan(b, from, k-r.before.min) {
			return r.caps
		}
		from = max(from, k-r.before.min+1)
		seek = k + 1
	}
	return nil
}

// scan tries the starts from..last.
func (r *linear) scan(b []byte, from, last int) bool {
	for i := from; i <= last; i++ {
		if i < len(b) {
			if r.first != nil && !r.first.has(b[i]) || b[i]&0xC0 == 0x80 {
				continue
			}
		} else if r.first != nil {
			return false
		}
		if r.at(b, i) {
			return true
		}
		// What failed behind a run fails behind each part of it.
		for r.lead != nil && i < len(b) && r.lead.has(b[i]) {
			i++
		}
	}
	return false
}

func (r *linear) clearVisited(n int) {
	w := kernel.Words(r.splits * (n + 1))
	if cap(r.visited) < w {
		r.visited = make([]uint64, w+w/2)
	}
	r.visited = r.visited[:w]
	clear(r.visited)
}

// at tries to match at pos exactly and fills caps.
func (r *linear) at(b []byte, pos int) bool {
	for i := range r.caps {
		r.caps[i] = -1
	}
	r.caps[0] = pos
	r.stack = r.stack[:0]
	pc := r.start
	for {
		end, ok := r.run(b, pc, pos)
		if ok {
			r.caps[1] = end
			return true
		}
		for {
			n := len(r.stack)
			if n == 0 {
				return false
			}
			top := r.stack[n-1]
			r.stack = r.stack[:n-1]
			if top.pc >= 0 {
				pc, pos = top.pc, top.pos
				break
			}
			r.caps[-top.pc] = top.pos
		}
	}
}

// run follows the first choices from pc on; the others wait on the stack.
func (r *linear) run(b []byte, pc int32, pos int) (end int, ok bool) {
	for {
		in := &r.prog[pc]
		switch in.op {
		case opMatch:
			return pos, true
		case opText:
			if len(b)-pos < len(in.text) || string(b[pos:pos+len(in.text)]) != in.text {
				return 0, false
			}
			pos += len(in.text)
		case opPoint:
			if pos == len(b) {
				return 0, false
			}
			if c := b[pos]; c < utf8.RuneSelf {
				if !in.set.low.has(c) {
					return 0, false
				}
				pos++
			} else {
				p, size := utf8.DecodeRune(b[pos:])
				if !in.set.hasHigh(p) {
					return 0, false
				}
				pos += size
			}
		case opRun:
			from := pos
			for pos < len(b) && in.set.low.has(b[pos]) {
				pos++
			}
			if pos-from < in.min {
				return 0, false
			}
		case opSplit:
			k := in.slot*(len(b)+1) + pos
			if kernel.Bit(r.visited, k) {
				return 0, false
			}
			kernel.SetBit(r.visited, k)
			r.stack = append(r.stack, pending{in.other, pos})
		case opGroup:
			r.stack = append(r.stack, pending{int32(-in.slot), r.caps[in.slot]})
			r.caps[in.slot] = pos
		case opAssert:
			if !holds(in.assert, b, pos) {
				return 0, false
			}
		default:
			return 0, false
		}
		pc = in.next
	}
}
