package script

import (
	"errors"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
)

// Query is what runs and shows its rows.
type Query struct {
	Columns []render.Column
	// Options say how values look, and whether rows may change.
	Options render.Options
	// Endless says that an input does not end by itself.
	Endless bool
	// End ends the query in good order: what it gave stands.
	End func()
}

// Showing takes the rows of a query from all subtasks, and is told of the end.
type Showing interface {
	Writer() connector.Writer
	End() error
}

// ErrEnough is why a query was ended of which enough was seen. It is no failure.
var ErrEnough = errors.New("enough rows were seen")

// show makes what shows a query's rows. End ends it.
func (r *Runner) show(g *graph.Graph, end func()) (Showing, error) {
	o := r.Result
	set := r.Session.Settings()
	o.Zone, o.StateLimit = set.Location(), int64(set.StateLimit)
	nodes := g.Stages[len(g.Stages)-1].Nodes
	sink := nodes[len(nodes)-1].Sink
	o.Updating, o.Key = sink.Updating, sink.Key
	q := Query{Options: o, Endless: g.Endless(), End: end}
	if n := sink.Enough; q.Endless && n > 0 && (o.Limit == 0 || n < o.Limit) { // inputs without end would be read for nothing
		o.Limit, q.Options.Limit, q.Endless = n, n, false
	}
	for _, c := range sink.Columns {
		q.Columns = append(q.Columns, render.Column{Name: c.Name, Type: c.Type})
	}
	if r.Show != nil {
		return r.Show(q)
	}
	f, err := render.New(r.Out, o)
	if err != nil {
		return nil, err
	}
	return render.NewResult(f, o.Limit), f.Begin(q.Columns)
}

// errAbandoned is the end of the wait for a query that did not stop.
var errAbandoned = errors.New("the query does not stop: it is left behind")

// wait waits for the end of a query's job.
func (r *Runner) wait(j *exec.Job) (exec.Stats, error) {
	if r.Abandon == nil {
		return j.Wait()
	}
	type end struct {
		stats exec.Stats
		err   error
	}
	ended := make(chan end, 1)
	go func() {
		s, err := j.Wait()
		ended <- end{s, err}
	}()
	select {
	case e := <-ended:
		return e.stats, e.err
	case <-r.Abandon():
		return j.Stats(), errAbandoned
	}
}

// watch has the job observed that a statement waits for.
func (r *Runner) watch(job func() *exec.Job) (over func()) {
	if r.Watch == nil {
		return func() {}
	}
	return r.Watch(job)
}
