package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"streamsql/exec"
)

func jobCommands() []command {
	return []command{
		{`\jobs`, "", "the INSERTs of the session", ofJobs, plainly(func(s *Shell, ctx context.Context, _ *call) error { return s.quiet(ctx, "SHOW JOBS") })},
		{`\stop`, "[ID]", "stop a job; the beginning of its id is enough, and none where one runs", ofJobs, plainly(stopJob)},
		{`\fg`, "[ID]", "wait for a job and show how it gets on; Ctrl-C goes back and leaves it running", ofJobs, plainly(waitForJob)},
		{`\why`, "[ID]", "why nothing comes out: of a job, or of the last query", ofJobs, plainly(tellWhy)},
	}
}

// job finds the job that a command is about.
func (s *Shell) job(c *call) (id string, j *exec.Job, ended <-chan struct{}, err error) {
	name, err := c.one()
	if err != nil {
		return "", nil, nil, err
	}
	if name == "" {
		ids := s.r.JobIDs()
		if len(ids) != 1 {
			return "", nil, nil, fmt.Errorf(`%s needs the id of a job, since %s; \jobs lists them`, c.name, jobsAre(len(ids)))
		}
		name = ids[0]
	}
	if id, j, ended = s.r.JobOf(strings.Trim(name, "'")); j == nil {
		return "", nil, nil, fmt.Errorf(`no job runs whose id is, or alone begins with, '%s'; \jobs lists them`, name)
	}
	return id, j, ended, nil
}

func jobsAre(n int) string {
	if n == 0 {
		return "no job runs"
	}
	return fmt.Sprintf("%d jobs run", n)
}

func stopJob(s *Shell, ctx context.Context, c *call) error {
	id, _, _, err := s.job(c)
	if err != nil {
		return err
	}
	if err := s.quiet(ctx, "STOP JOB '"+id+"'"); err != nil {
		return err
	}
	fmt.Fprintf(s.r.Err, "job '%s' is stopped\n", id)
	return nil
}

func waitForJob(s *Shell, ctx context.Context, c *call) error {
	id, _, ended, err := s.job(c)
	if err != nil {
		return err
	}
	over := s.watch(func() *exec.Job {
		_, j, _ := s.r.JobOf(id)
		return j
	})
	defer over()
	select {
	case <-ended:
		return s.quiet(ctx, "DESCRIBE JOB '"+id+"'")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func tellWhy(s *Shell, _ context.Context, c *call) error {
	var j *exec.Job
	if len(c.args) > 0 || s.running.last() == nil {
		var err error
		if _, j, _, err = s.job(c); err != nil {
			if len(c.args) == 0 {
				return errors.New("nothing has run yet")
			}
			return err
		}
	} else {
		j = s.running.last()
	}
	text := why(j.Stats(), s.r.Session.Settings().Location())
	if s.out.terminal() {
		text = s.seen(text)
	}
	_, err := io.WriteString(s.r.Out, text)
	return err
}
