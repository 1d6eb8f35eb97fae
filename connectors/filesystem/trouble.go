package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"streamsql/exec/connector"
)

// errNeverChange is what a file was to be and is not.
var errNeverChange = errors.New("files of a table never change")

// mismatch is the error of a column that is of another type in a file.
type mismatch struct{ msg string }

func (m *mismatch) Error() string { return m.msg }

// troubled is an error as users see it: with its place, where that is a file, and with what helps.
func troubled(o *options, err error) error {
	var known *connector.Error
	if err == nil || errors.Is(err, errClosed) || errors.As(err, &known) {
		return err
	}
	e := &connector.Error{Err: err, Hint: hintFor(o, err)}
	var p *fs.PathError
	if errors.As(err, &p) {
		e.Place = p.Path
	}
	return e
}

// troubledAt is troubled of an error whose place is known.
func troubledAt(o *options, place string, err error) error {
	return &connector.Error{Place: place, Err: err, Hint: hintFor(o, err)}
}

// hintFor is what helps against an error, with the options that have to do with it.
func hintFor(o *options, err error) string {
	var wrong *mismatch
	switch {
	case errors.As(err, &wrong):
		return "declare the type that the file has: DESCRIBE 'file' shows the columns of one"
	case errors.Is(err, errNeverChange):
		return "write a file under a hidden name, which begins with a dot, and rename it; with 'source.monitor-interval' new ones are found"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Sprintf("make room where 'path' = '%s' is; 'sink.memory' and 'sink.rolling-policy.file-size' save none", o.Path)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Sprintf("who runs this must be let to 'path' = '%s'", o.Path)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNoFiles):
		return fmt.Sprintf("the option 'path' = '%s' says where the files are", o.Path)
	}
	return ""
}

// lenient is what lets a row of a line pass that cannot be read, "" where nothing does: the first of csv may be a header.
func lenient(o *options, line int) string {
	ignored := map[string]bool{"csv": o.CSV.IgnoreErrors, "json": o.JSON.IgnoreErrors, "debezium-json": o.Debezium.IgnoreErrors}
	if on, ok := ignored[o.Format]; !ok || on {
		return ""
	}
	hint := fmt.Sprintf("'%s.ignore-parse-errors' = 'true' reads NULL for values that cannot be read, leaves out lines that are no rows, "+
		"and counts both", o.Format)
	if line == 1 && o.Format == "csv" && !o.CSV.Header {
		return "where the first line names the columns, 'csv.header' = 'true' says so; " + hint
	}
	return hint
}

// bare is an error without the path that its place tells already.
func bare(path string, err error) error {
	if p, ok := err.(*fs.PathError); ok && p.Path == path {
		return fmt.Errorf("%s: %w", p.Op, p.Err)
	}
	return err
}
