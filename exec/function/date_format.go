package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "DATE_FORMAT", Fails: true,
	Forms: []string{"DATE_FORMAT(<TIMESTAMP>, <CHARACTER>)", "DATE_FORMAT(<CHARACTER>, <CHARACTER>)"},
	Type:  dateFormatType, Bind: dateFormatBind, Memo: dateFormatMemo,
	Doc: Doc{"temporal", "Prints a timestamp by a pattern of java.time such as yyyy-MM-dd HH:mm:ss.SSS; TIMESTAMP_LTZ in the " +
		"session's zone. A text is read as yyyy-MM-dd HH:mm:ss first, NULL when it is none. A bad pattern fails.",
		"DATE_FORMAT(TIMESTAMP '2024-02-29 12:34:56', 'EEE, d MMM yyyy')", "Thu, 29 Feb 2024"},
})

func dateFormatType(args []Arg) (Signature, error) {
	if len(args) != 2 || !textOrNull(args[1].Type) {
		return Signature{}, Mismatch()
	}
	t := temporalOr(args[0].Type, types.TimestampOf(3))
	if !t.Kind.IsTimestamp() && !t.Kind.IsText() {
		return Signature{}, Mismatch()
	}
	result := types.String().WithNull(anyNullable(args) || t.Kind.IsText())
	return Signature{Args: []types.Type{t, temporalOr(args[1].Type, types.String())}, Result: result}, nil
}

// dateFormatMemo: with one pattern for all rows it is known how long a text stays.
func dateFormatMemo(args []Arg) bool {
	pattern, ok := literalText(args, 1)
	if !ok || !args[0].Type.Kind.IsTimestamp() {
		return false
	}
	p, err := compilePattern(pattern)
	return err == nil && p.grain > args[0].Type.TickNanos()
}

func textOrNull(t types.Type) bool { return t.Kind.IsText() || t.Kind == types.Null }

func dateFormatBind(b Binding) (Kernel, error) {
	t := b.Args[0].Type
	if t.Kind.IsText() {
		return reformatText(b)
	}
	p := &printer{tick: t.TickNanos(), zone: kernel.NewZone(b.Env.Zone)}
	_, p.perDay = timestampTicks(t)
	if pattern, ok := literalText(b.Args, 1); ok {
		compiled, err := compilePattern(pattern)
		if err != nil {
			return nil, err
		}
		p.use(compiled)
		if b.Env.EachText {
			p.grain = 1
		}
		return p.printAll, nil
	}
	var compiled cache[*datePattern]
	return func(c *Call) { p.printEach(c, &compiled) }, nil
}

// printer prints timestamps by a pattern. Over a span of time in which the text stays the same it is
// printed once: dates once a day.
type printer struct {
	pattern      *datePattern
	tick, perDay int64
	grain        int64 // ticks over which the text stays
	zone         *kernel.Zone
	clock        wallClock
	mem          scratch
}

func (p *printer) use(x *datePattern) {
	p.pattern, p.grain = x, max(x.grain/p.tick, 1)
}

func (p *printer) printAll(c *Call) {
	t := wallTicks(c.Args[0], p.mem.take(c.Out.Stored()), p.zone)
	w := vector.NewText(c.Out)
	for i := 0; i < len(t); {
		x := t[i]
		if !c.Wanted(i) {
			i++
			continue
		}
		p.print(c, &w, i, x)
		lo := x - kernel.FloorMod(x, p.grain)
		end := i + 1 + leading(t[i+1:], lo, lo+p.grain)
		w.Repeat(i+1, end, i)
		c.Same = i == 0 && end == len(t) && c.Active == nil && c.Out.Valid == nil
		i = end
	}
	w.Finish()
}

// leading is how many values from the start lie in lo..hi.
func leading(t []int64, lo, hi int64) int {
	for i, x := range t {
		if x < lo || x >= hi {
			return i
		}
	}
	return len(t)
}

// printEach prints by patterns that differ from row to row.
func (p *printer) printEach(c *Call, compiled *cache[*datePattern]) {
	t := wallTicks(c.Args[0], p.mem.take(c.Out.Stored()), p.zone)
	patterns := textsOf(c.Args[1])
	w := vector.NewText(c.Out)
	for i := range t {
		if !c.Wanted(i) {
			continue
		}
		x, err := compiled.get(patterns.at(i), 0, compilePattern)
		if err != nil {
			c.Fail(i, err)
			continue
		}
		p.pattern = x
		p.print(c, &w, i, t[i])
	}
	w.Finish()
}

func (p *printer) print(c *Call, w *vector.TextWriter, i int, t int64) {
	day, rest := kernel.SplitDay(t, p.perDay)
	p.clock.set(day, rest*p.tick)
	b, err := p.pattern.append(w.Begin(), &p.clock)
	if err != nil {
		c.Fail(i, err)
	}
	w.End(i, b)
}

// literalPattern makes a lookup that is free when the pattern at argument k is a literal; a bad literal is
// an error at once.
func literalPattern[P any](args []Arg, k int, or string,
	compile func(string) (P, error)) (func(r *row) (P, error), error) {
	pattern, ok := literalText(args, k)
	if k >= len(args) {
		pattern, ok = or, true
	}
	if ok {
		p, err := compile(pattern)
		return func(*row) (P, error) { return p, err }, err
	}
	var compiled cache[P]
	return func(r *row) (P, error) { return compiled.get(r.text(k), 0, compile) }, nil
}

// defaultPattern is the legacy pattern of functions that were given none.
const defaultPattern = "yyyy-MM-dd HH:mm:ss"

// reformatText is DATE_FORMAT of a text.
func reformatText(b Binding) (Kernel, error) {
	from, err := compileLegacy(defaultPattern)
	if err != nil {
		return nil, err
	}
	pattern, err := literalPattern(b.Args, 1, "", compileLegacy)
	if err != nil {
		return nil, err
	}
	var clock wallClock
	utc := newZoneClock(nil)
	return textKernel(func(dst []byte, r *row) ([]byte, bool) {
		to, err := pattern(r)
		if err != nil {
			r.fail(err)
			return dst, false
		}
		d, ok := from.read(r.text(0), 0)
		if !ok {
			return dst, false
		}
		sec, milli := d.clock()
		clock.setInstant(utc, sec*1000+milli)
		return to.append(dst, &clock), true
	}), nil
}
