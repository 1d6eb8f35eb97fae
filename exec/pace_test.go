package exec

import (
	"testing"

	"streamsql/exec/graph"
)

// stagePace is the pace of a stage of sources that an edge leads out of, nil for none.
func stagePace(subtasks int, p graph.Partitioning) (*pace, []*task) {
	j := &Job{graph: &graph.Graph{Stages: []*graph.Stage{{}, {In: []graph.Edge{{Partitioning: p}}}}}}
	var tasks []*task
	for i := range subtasks {
		tasks = append(tasks, &task{subtask: i, bell: make(chan struct{}, 1)})
	}
	j.keepStep(0, tasks)
	return tasks[0].pace, tasks
}

func rung(t *task) bool {
	select {
	case <-t.bell:
		return true
	default:
		return false
	}
}

// TestPace: a subtask may be ahead by lead, is rung when others have come near, and waits for none without input.
func TestPace(t *testing.T) {
	if p, _ := stagePace(1, graph.Hash); p != nil {
		t.Error("one subtask has a pace")
	}
	if p, _ := stagePace(3, graph.Forward); p != nil {
		t.Error("subtasks whose rows stay apart have a pace")
	}
	p, tasks := stagePace(3, graph.Hash)
	run := func(subtask, n int) {
		t.Helper()
		for range n {
			if p.ahead(subtask) {
				t.Fatalf("subtask %d waits at %d", subtask, p.places[subtask].reads.Load())
			}
			p.read(subtask)
		}
	}
	p.leave(2)
	run(1, 1)
	run(0, lead+2)
	for range 2 { // asking does not change the answer
		if !p.ahead(0) || p.ahead(1) {
			t.Fatal("the one ahead does not wait, or the other one does")
		}
	}
	run(1, lead/2)
	if rung(tasks[0]) {
		t.Error("it was rung early")
	}
	run(1, 1)
	if !rung(tasks[0]) || p.ahead(0) || p.held.Load() != 0 {
		t.Error("it was not rung")
	}
	run(0, lead/2+1)
	if !p.ahead(0) {
		t.Fatal("it does not wait again")
	}
	p.leave(1)
	if !rung(tasks[0]) || p.ahead(0) {
		t.Error("it waits for one without input")
	}
	run(0, 1000)
	p.leave(0)
	run(2, 1) // back while no other one is there
	if at := p.places[2].reads.Load(); at < 1000 {
		t.Errorf("one that came back begins at %d", at)
	}
	run(0, 1)
	run(2, lead)
	if run(0, lead+lead/2); !p.ahead(0) {
		t.Error("it does not wait for one that came back")
	}
}
