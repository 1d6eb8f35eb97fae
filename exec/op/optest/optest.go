// Package optest runs operators over rows written as text. Each case is replayed at several batch sizes,
// in every encoding of its columns and with NULLs put in, and must give the same rows each time.
//
// It does not know which operators there are.
//
// Invariants:
//
//	T1 what an operator is given is overwritten once its call returned: rows that it kept without a copy
//	   come out wrong.
//	T2 what it emits is held to the invariants of batches.
package optest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/op"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Case is rows in and rows out of an operator.
//
// A line of In or Out is a row: its kind, unless it is +I, and its cells separated by blanks, as results
// have them: `\N` is NULL, `\e` the empty text, `\s` a blank, a ROW is `(1,"x")` and an ARRAY
// `[1,NULL]` without blanks. A line `^1000` is a watermark.
type Case struct {
	Spec  op.Spec
	Types []types.Type
	// Inputs are the types of an operator with several inputs, in place of Types. Each row of In then begins with
	// the number of its input and a colon: `1: a 5`. A watermark is that of all inputs.
	Inputs [][]types.Type
	In     string
	Out    string
	// Folds says that the changelog depends on the batches, and only the table that it makes (Fold) does not.
	Folds bool
	// Err is part of the error that must end every replay, instead of Out.
	Err string
}

// Sizes are the batch sizes of replays.
var Sizes = []int{1, 3, 1024}

// Run replays a case. With NULLs put in, replays are compared with each other.
func Run(t *testing.T, c Case) {
	t.Helper()
	rows := c.parse(t)
	want := c.table(t, normal(c.Out))
	for _, size := range Sizes {
		for _, enc := range Encodings {
			got, err := Replay(t, c.Spec, rows, size, enc)
			got = c.table(t, got)
			switch {
			case c.Err != "" && (err == nil || !strings.Contains(err.Error(), c.Err)):
				t.Errorf("batches of %d, %s: %v; want the error %q", size, enc, err, c.Err)
			case c.Err == "" && err != nil:
				t.Errorf("batches of %d, %s: %v", size, enc, err)
			case c.Err == "" && got != want:
				t.Errorf("batches of %d, %s: got\n%swant\n%s", size, enc, got, want)
			}
		}
	}
	if c.Err == "" {
		withNulls(t, c, rows)
		withRestarts(t, c, rows, want)
	}
}

// withRestarts replaces the operator at every boundary by one that starts from its snapshot, and then at every
// third by one that starts from those of all three.
func withRestarts(t *testing.T, c Case, rows *Rows, want string) {
	t.Helper()
	for _, every := range []int{1, 3} {
		for _, size := range Sizes {
			got, err := replay(t, c.Spec, rows, size, Flat, every)
			if got = c.table(t, got); err != nil || got != want {
				t.Errorf("restarted after %d batches of %d: got\n%s%v\nwant\n%s", every, size, got, err, want)
			}
		}
	}
}

func withNulls(t *testing.T, c Case, rows *Rows) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		rows := rows.withNulls(random)
		want, first := Replay(t, c.Spec, rows, 1, Flat)
		want = c.table(t, want)
		for _, size := range Sizes {
			for _, enc := range Encodings {
				got, err := Replay(t, c.Spec, rows, size, enc)
				got = c.table(t, got)
				if (err == nil) != (first == nil) || (err == nil && got != want) {
					t.Errorf("NULLs put in, batches of %d, %s: got\n%s%v\nwant\n%s%v", size, enc, got, err, want, first)
				}
			}
		}
	}
}

func (c *Case) parse(t *testing.T) *Rows {
	if c.Inputs != nil {
		return ParseInputs(t, c.Inputs, c.In)
	}
	return Parse(t, c.Types, c.In)
}

// table is what replays are compared by.
func (c *Case) table(t *testing.T, out string) string {
	if c.Folds {
		return Fold(t, out)
	}
	return out
}

// normal is text with one blank between cells, and no empty lines.
func normal(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if f := strings.Fields(line); len(f) > 0 {
			b.WriteString(strings.Join(f, " ") + "\n")
		}
	}
	return b.String()
}

// Replay runs a fresh operator over rows in batches of at most size, and returns what it emitted, with
// the watermarks that it passed on, as text.
func Replay(t *testing.T, spec op.Spec, rows *Rows, size int, enc Encoding) (string, error) {
	t.Helper()
	return replay(t, spec, rows, size, enc, 0)
}

// Restarted is Replay with an operator that is replaced at every boundary by one that starts from its snapshot.
func Restarted(t *testing.T, spec op.Spec, rows *Rows, size int) (string, error) {
	t.Helper()
	return replay(t, spec, rows, size, Flat, 1)
}

func replay(t *testing.T, spec op.Spec, rows *Rows, size int, enc Encoding, every int) (string, error) {
	t.Helper()
	o := spec.New()
	out := &output{t: t, maxRows: size, passed: types.MinTime}
	store := &stores{t: t, spec: spec, every: every}
	defer func() {
		if err := o.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	if err := o.Open(store.context(size)); err != nil {
		return "", err
	}
	for i, e := range rows.elements(size) {
		if every > 0 {
			if err := flush(o, out); err != nil {
				return "", err
			}
		}
		if i > 0 && every > 0 && store.restart() {
			if err := o.Close(); err != nil {
				return "", err
			}
			o = spec.New()
			if err := o.Open(store.context(size)); err != nil {
				return "", err
			}
		}
		if e.watermark {
			on, err := o.Advance(e.time, out)
			if err == nil {
				err = out.Advance(on)
			}
			if err != nil {
				return out.b.String(), err
			}
			continue
		}
		b, spoil := rows.input(e.input).batch(e.from, e.to, enc)
		if err := o.Process(e.input, b, out); err != nil {
			return out.b.String(), err
		}
		spoil()
	}
	err := flush(o, out)
	return out.b.String(), err
}

// flush lets an operator emit what it holds outside its state.
func flush(o op.Operator, out op.Output) error {
	if h, ok := o.(op.Holder); ok {
		return h.Flush(out)
	}
	return nil
}

// output writes down what is emitted.
type output struct {
	t       *testing.T
	b       strings.Builder
	maxRows int
	passed  types.EventTime
	line    []byte
}

// Emit implements op.Output.
func (o *output) Emit(b *vector.Batch) error {
	if b.Len == 0 || b.Len > o.maxRows || (b.Kinds != nil && len(b.Kinds) != b.Len) {
		o.t.Errorf("a batch of %d rows and %d kinds, of at most %d", b.Len, len(b.Kinds), o.maxRows)
	}
	for i, c := range b.Cols {
		if c.Len != b.Len {
			o.t.Errorf("column %d has %d of %d rows", i, c.Len, b.Len)
		}
	}
	for i := range b.Len {
		o.line = o.line[:0]
		if k := b.Kind(i); k != vector.Insert {
			o.line = append(o.line, k.String()...)
		}
		for _, c := range b.Cols {
			if len(o.line) > 0 {
				o.line = append(o.line, ' ')
			}
			at := len(o.line)
			o.line = text.AppendCell(o.line, c, i)
			cell := strings.ReplaceAll(string(o.line[at:]), ", ", ",")
			o.line = append(o.line[:at], strings.ReplaceAll(cell, " ", `\s`)...)
		}
		o.line = append(o.line, '\n')
		o.b.Write(o.line)
	}
	return nil
}

// Advance implements op.Output.
func (o *output) Advance(t types.EventTime) error {
	if t <= o.passed {
		return nil
	}
	o.passed = t
	fmt.Fprintf(&o.b, "^%d\n", t)
	return nil
}

// fixed is the clock of replays.
func fixed() time.Time { return time.UnixMilli(1_700_000_000_000).UTC() }
