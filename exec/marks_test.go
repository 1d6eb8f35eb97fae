package exec

import (
	"reflect"
	"testing"

	"streamsql/exec/checkpoint"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// TestMarks: the event time of a task is the same after it was saved and restored, and at another parallelism
// the least of all.
func TestMarks(t *testing.T) {
	g := &graph.Graph{Stages: []*graph.Stage{{Parallelism: 2, Nodes: []graph.Node{
		{Op: op.Union{}, Inputs: []int{graph.FromEdge}}, {Op: op.Union{}, Inputs: []int{graph.FromEdge, 0}}}}}}
	make := func(subtask, parallelism int) *task {
		task := newTask(&Job{graph: g}, 0, subtask, parallelism)
		x := &exit{place: newPlace(task, "edge"), reached: types.MinTime, sent: types.MinTime}
		task.exits, task.nodes[0].exits = []*exit{x}, []*exit{x}
		return task
	}
	m := &checkpoint.Metadata{}
	for subtask, shift := range []types.EventTime{0, 100} {
		task := make(subtask, 2)
		task.nodes[0].passed, task.nodes[1].passed = 7+shift, types.MinTime
		task.nodes[0].times = joined{inputs: []inputTime{{at: 9 + shift}}, at: 9 + shift}
		task.nodes[1].times = joined{inputs: []inputTime{{at: 3 + shift, idle: true}, {at: 4 + shift, behind: true}}, at: 5 + shift}
		task.exits[0].reached, task.exits[0].resting = 7+shift, true
		m.Marks = task.marks(m.Marks)
	}
	for subtask := range 2 {
		was, is := m.MarksOf(0, 1, subtask, 2), make(subtask, 2)
		is.restoreMarks(m)
		back := &checkpoint.Metadata{Marks: is.marks(nil)}
		if got := back.MarksOf(0, 1, subtask, subtask+1); !reflect.DeepEqual(got, was) {
			t.Errorf("subtask %d: saved %v, restored %v", subtask, was, got)
		}
		shift := types.EventTime(100 * subtask)
		x := is.exits[0]
		times := is.nodes[1].times
		if x.reached != 7+shift || x.sent != types.MinTime || !x.resting || is.nodes[0].passed != 7+shift || !times.inputs[1].behind {
			t.Errorf("subtask %d: %+v, %+v", subtask, x, times)
		}
	}
	one := make(0, 1)
	one.restoreMarks(m)
	want := joined{inputs: []inputTime{{at: 3, idle: true}, {at: 4, behind: true}}, at: 5}
	if n := one.nodes[1]; !reflect.DeepEqual(n.times, want) || one.nodes[0].passed != 7 || one.exits[0].reached != 7 {
		t.Errorf("one of two: %+v", n.times)
	}
}
