//go:build unix

package filesystem

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
)

// TestPipe: rows of a pipe come as they are written, and a reader that waits for more can be closed.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pipe.Close() }()
	s, err := open(t, ab, nil, map[string]string{"path": path, "format": "csv"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Open(&connector.Context{MaxRows: 10, Env: &function.Env{}}, []connector.Split{{ID: path}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipe.WriteString("1,x\n2,y\n"); err != nil {
		t.Fatal(err)
	}
	for rows := 0; rows < 2; {
		read, err := r.Next()
		switch {
		case err != nil:
			t.Fatal(err)
		case read.Status == connector.Wait:
			select {
			case <-read.Wake:
			case <-time.After(5 * time.Second):
				t.Fatal("no rows")
			}
		default:
			rows += read.Batch.Len
		}
	}
	from := time.Now()
	if err := r.Close(); err != nil || time.Since(from) > time.Second {
		t.Errorf("closing took %v: %v", time.Since(from), err)
	}
}
