package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"streamsql/queries"
)

// sideInput writes the file that a query looks rows up in, if it does, and says in vars where it is, until remove is
// called.
func sideInput(query string, vars map[string]string) (remove func(), err error) {
	if !strings.Contains(query, "${"+queries.SideInputVariable+"}") {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "streamsql-side-input-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the side input: %w", err)
	}
	name := filepath.Join(dir, vars[queries.SideInputVariable])
	if err := os.WriteFile(name, queries.SideInput(), 0o600); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("write the side input: %w", err)
	}
	vars[queries.SideInputVariable] = name
	return func() { os.RemoveAll(dir) }, nil
}
