package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestInterop reads our files with DuckDB and pyarrow, and theirs here: `make interop` says which Python has both.
func TestInterop(t *testing.T) {
	python := os.Getenv("INTEROP_PYTHON")
	if python == "" {
		t.Skip("INTEROP_PYTHON names no Python that has duckdb and pyarrow: `make interop` finds one")
	}
	testscript.Run(t, testscript.Params{
		Dir:           "../../tests/testdata/interop",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PYTHON", python)
			return nil
		},
	})
}
