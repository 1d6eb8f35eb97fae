package planner

import "streamsql/planner/syntax"

// JobStatement is SHOW JOBS, DESCRIBE JOB or STOP JOB.
type JobStatement struct {
	syntax.Span
	// All is SHOW JOBS; the others are about the job of this ID.
	All bool
	ID  string
	// Stop ends the job: with Savepoint it can be gone on with, with Drain its input ends before.
	Stop, Savepoint, Drain bool
}

// aboutJobs is what a statement wants of running jobs, or nil.
func aboutJobs(st syntax.Statement) *JobStatement {
	switch s := st.(type) {
	case *syntax.StopJob:
		return &JobStatement{Span: s.Span, ID: s.Job, Stop: true, Savepoint: s.Savepoint, Drain: s.Drain}
	case *syntax.Describe:
		if s.Job != nil {
			return &JobStatement{Span: s.Span, ID: *s.Job}
		}
	case *syntax.Show:
		if s.Kind == syntax.ShowJobs {
			return &JobStatement{Span: s.Span, All: true}
		}
	}
	return nil
}
