package shell

import (
	"context"
	"errors"
	"strings"

	"streamsql/planner/parse"
)

// dmlSync is the setting by which INSERTs are waited for.
const dmlSync = "table.dml-sync"

// apart tells a text that ends in an &, by which its last statement is to run in the background.
func apart(text string) bool {
	if !strings.HasSuffix(strings.TrimSpace(text), "&") {
		return false
	}
	toks := parse.Tokens(text)
	n := len(toks)
	return n > 0 && text[toks[n-1].Pos:toks[n-1].End] == "&"
}

// runApart runs an INSERT in the background, whatever the setting says.
func (s *Shell) runApart(ctx context.Context, text string) error {
	text = strings.TrimSuffix(strings.TrimSpace(text), "&")
	toks := parse.Tokens(text)
	if len(toks) == 0 {
		return errors.New("the & has no statement before it")
	}
	switch toks[0].Upper {
	case "INSERT", "EXECUTE", "CREATE", "END":
	default:
		return errors.New("an & is for what runs without showing rows: INSERT INTO a table")
	}
	before := "true"
	if !s.r.Session.Settings().DMLSync {
		before = "false"
	}
	if _, err := s.r.Session.Set(dmlSync, "false"); err != nil {
		return err
	}
	defer func() { _, _ = s.r.Session.Set(dmlSync, before) }() // a value that it had
	return s.r.Run(ctx, text, "")
}
