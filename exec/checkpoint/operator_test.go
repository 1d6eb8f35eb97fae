package checkpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestRelocate: what a checkpoint holds goes with its operators, however a plan places them.
func TestRelocate(t *testing.T) {
	was := []Operator{{Stage: 0, Node: 0, ID: "source"}, {Stage: 0, Node: 1, ID: "calc"}, {Stage: 0, Node: 2, ID: "count", Text: "Count(*)"}}
	now := []Operator{{Stage: 0, Node: 0, ID: "source"}, {Stage: 0, Node: 1, ID: "local"}, {Stage: 1, Node: 0, ID: "count", Keyed: true},
		{Stage: 1, Node: 1, ID: "sink"}}
	saved := func() *Metadata {
		return &Metadata{MaxParallelism: 128, Operators: was, Splits: []Split{{Place: Place{0, 0, 0}, ID: "s"}},
			Marks:  []Mark{{Place: Place{0, 1, 0}, Name: "at"}, {Place: Place{0, 2, 0}, Name: "at", Time: 5}},
			Blocks: []Block{{Place: Place{0, 2, 0}, Table: "state"}}}
	}
	m := saved()
	if err := m.relocate("f", now); err != nil {
		t.Fatal(err)
	}
	for sub := range 2 {
		if got := m.BlocksOf(1, 0, sub, 2); len(got) != 1 || len(got[0].Groups) != 1 || got[0].Groups[0] != (Span{0, 128}) {
			t.Errorf("subtask %d: %+v", sub, got)
		}
		if got := fmt.Sprint(m.MarksOf(1, 0, sub, 2)); got != fmt.Sprintf("[{{1 0 %d} at 5 false}]", sub) {
			t.Errorf("subtask %d: %s", sub, got)
		}
	}
	if len(m.Marks) != 1 || len(m.SplitsOf(0, 0)) != 1 {
		t.Errorf("%+v", m)
	}
	var gone *Orphan
	err := saved().relocate("f", now[:2])
	if !errors.As(err, &gone) || err.Error() != "f holds state of an operator that the plan does not have: Count(*)" {
		t.Errorf("%v", err)
	}
	m = saved()
	m.Blocks[0].Node = 7
	var damage *Damage
	if err := m.relocate("f", now); !errors.As(err, &damage) {
		t.Errorf("%v", err)
	}
}

// TestDealt: splits that are dealt out again to as many subtasks come to the same.
func TestDealt(t *testing.T) {
	m := &Metadata{}
	for sub, list := range []string{"adg", "be", "cf"} {
		for _, id := range list {
			m.Splits = append(m.Splits, Split{Place: Place{0, 0, sub}, ID: string(id)})
		}
	}
	text := ""
	for _, s := range m.SplitsOf(0, 0) {
		text += s.ID
	}
	if text != "abcdefg" {
		t.Error(text)
	}
}

// TestClaim: operators of another plan get what those held that read the same; the rest is named, and given up only
// if that is wanted.
func TestClaim(t *testing.T) {
	was := []Operator{{Stage: 0, Node: 0, ID: "0 Source", Text: "Source: t"}, {Stage: 0, Node: 1, ID: "1 Source", Text: "Source: t"},
		{Stage: 1, Node: 0, ID: "2 Count", Text: "Count(a)"}, {Stage: 1, Node: 1, ID: "3 Sum", Text: "Sum(b)"}}
	now := []Operator{{Stage: 0, Node: 0, ID: "0 Source", Text: "Source: t"}, {Stage: 0, Node: 3, ID: "2 Count", Text: "Count(c)"},
		{Stage: 1, Node: 0, ID: "3 Source", Text: "Source: t"}, {Stage: 2, Node: 0, ID: "4 Sum", Text: "Sum(b)"}}
	saved := func() *Metadata {
		return &Metadata{MaxParallelism: 128, Plan: "old", Finished: true, Operators: slices.Clone(was),
			Splits: []Split{{Place: Place{0, 0, 0}, ID: "x"}, {Place: Place{0, 1, 0}, ID: "y"}},
			Marks:  []Mark{{Place: Place{1, 0, 0}, Name: "at"}, {Place: Place{1, 1, 0}, Name: "at"}},
			Counts: []Count{{Place: Place{1, 0, 0}, Name: "late"}, {Place: Place{1, 1, 0}, Name: "late"}},
			Blocks: []Block{{Place: Place{1, 0, 0}, Table: "state"}, {Place: Place{1, 1, 0}, Table: "state"}}}
	}
	m := saved()
	dropped, err := m.claim("f", now)
	if err != nil || fmt.Sprint(dropped) != "[Count(a)]" || m.Finished {
		t.Fatal(dropped, err)
	}
	if a, b := m.SplitsOf(0, 0), m.SplitsOf(1, 0); len(a) != 1 || a[0].ID != "x" || len(b) != 1 || b[0].ID != "y" {
		t.Errorf("%v, %v", a, b)
	}
	if len(m.Blocks) != 1 || m.Blocks[0].Place != (Place{2, 0, 0}) || len(m.Marks) != 1 || len(m.Counts) != 1 {
		t.Errorf("%+v", m)
	}
	d := &Directory{path: "s", visible: true, options: Options{Plan: "new", MaxParallelism: 128, Operators: now}}
	var differ *PlanDiffers
	if err := d.fits(saved()); !errors.As(err, &differ) || fmt.Sprint(differ.Gone, differ.New) != "[Count(a)] [Count(c)]" ||
		!strings.Contains(err.Error(), "it has state of what is gone: Count(a); new is: Count(c)") ||
		!strings.Contains(err.Error(), "--allow-non-restored-state") {
		t.Error(err)
	}
	d.options.Unclaimed = true
	if err := d.fits(saved()); err != nil || fmt.Sprint(d.Dropped()) != "[Count(a)]" {
		t.Error(err, d.Dropped())
	}
	d.options.MaxParallelism = 64
	if err := d.fits(saved()); err == nil || !strings.Contains(err.Error(), "'pipeline.max-parallelism' = 128, it is now 64") {
		t.Error(err)
	}
}
