package filesystem

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

// A partition that is complete is committed by policies, in the order in which they are listed. Each may be done again
// for the same partition: when late rows came, and when the process ended before the commit did.

// policyKinds are the policies that there are.
var policyKinds = map[string]func(s *sink, folder string) error{
	"success-file": func(s *sink, folder string) error {
		return s.disk.mark(s.dirOf(folder), s.o.Commit.Success)
	},
	"custom": (*sink).command,
}

// policiesOf reads the list of policies.
func policiesOf(o *commitOptions) (list []string, err error) {
	const key = "sink.partition-commit.policy."
	var names []string
	if o.Policy != nil {
		names = strings.Split(*o.Policy, ",")
	}
	for _, name := range names {
		name = strings.TrimSpace(name)
		if policyKinds[name] == nil {
			e := &option.Error{Key: key + "kind", Msg: fmt.Sprintf("'%skind': no policy '%s'", key, name),
				Hint: "use success-file, custom or a list of them"}
			if name == "metastore" {
				e.Msg = fmt.Sprintf("'%skind': not supported: 'metastore', since tables of files have none", key)
			}
			return nil, e
		}
		list = append(list, name)
	}
	custom := slices.Contains(list, "custom")
	switch {
	case custom && o.Command == nil:
		return nil, &option.Error{Key: key + "kind", Msg: fmt.Sprintf("the policy 'custom' needs '%sclass'", key), Hint: "a program to run"}
	case !custom && (o.Command != nil || o.Parameters != nil):
		return nil, &option.Error{Key: key + "class",
			Msg:  fmt.Sprintf("'%sclass' and its parameters are for the policy 'custom' in '%skind'", key, key),
			Hint: fmt.Sprintf("set '%skind' = 'custom', or leave them out", key)}
	case !custom:
		return list, nil
	}
	if _, err := exec.LookPath(*o.Command); err != nil {
		return nil, &option.Error{Key: key + "class", Msg: fmt.Sprintf("'%sclass': no program '%s' is found", key, *o.Command),
			Hint: "it names a program that is run for every complete partition, not a class of Java"}
	}
	return list, nil
}

// maxComplaint is how much of the output of a failed command an error has.
const maxComplaint = 1000

// lastWords is how long the output of a program that was ended is waited for: programs of its own may hold it open.
const lastWords = 100 * time.Millisecond

// command runs the program of the policy custom: with the parameters and behind them the directory of the partition.
func (s *sink) command(folder string) error {
	var args []string
	if p := s.o.Commit.Parameters; p != nil && *p != "" {
		args = strings.Split(*p, ";")
	}
	dir, err := filepath.Abs(s.dirOf(folder))
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), s.o.Commit.Timeout)
	defer stop()
	c := exec.CommandContext(ctx, *s.o.Commit.Command, append(args, dir)...)
	c.WaitDelay = lastWords
	c.Env = append(os.Environ(), "STREAMSQL_TABLE="+s.table.Name, "STREAMSQL_PARTITION="+folder)
	out, err := c.CombinedOutput()
	if err == nil {
		return nil
	}
	if len(out) > maxComplaint {
		out = out[len(out)-maxComplaint:]
	}
	hint := "this is the program of 'sink.partition-commit.policy.class': when it succeeds for the partition, the job can go on"
	if ctx.Err() != nil {
		const key = "sink.partition-commit.policy.class.timeout"
		hint = fmt.Sprintf("'%s' lets it take longer", key)
		err = fmt.Errorf("it was ended, since it was not done after %v, '%s'", s.o.Commit.Timeout, key)
	}
	return &connector.Error{Place: dir, Hint: hint,
		Err: errors.Join(fmt.Errorf("%s: %w", *s.o.Commit.Command, err), complaint(strings.TrimSpace(string(out))))}
}

// complaint is what a command wrote, nil for nothing.
func complaint(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// dirOf is the directory of a partition.
func (s *sink) dirOf(folder string) string { return filepath.Join(localPath(s.o.Path), folder) }
