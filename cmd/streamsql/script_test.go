package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"streamsql": main})
}

// TestScripts runs the command line as users do: each file of tests/testdata/script is a scene.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "../../tests/testdata/script",
		UpdateScripts:      os.Getenv("UPDATE_SCRIPTS") != "",
		RequireUniqueNames: true,
	})
}
