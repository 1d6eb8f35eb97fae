package tests

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/reference"
	"streamsql/connectors"
	"streamsql/exec/option"
	"streamsql/planner"
	"streamsql/planner/catalog"
	"streamsql/planner/parse"
	"streamsql/planner/physical"
	"streamsql/planner/rules"
)

// TestReference: the reference pages say what the registries hold. `make golden` writes them again.
func TestReference(t *testing.T) {
	session := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	for name, want := range map[string]string{
		"functions.md":  reference.Functions(session).Page(),
		"types.md":      reference.Types(session).Page(),
		"connectors.md": reference.Connectors(connectors.All()).Page(),
		"settings.md":   settingsPage(),
		"errors.md":     reference.Errors().Page(),
		"support.md":    supportPage(t),
	} {
		path := "../docs/reference/" + name
		if *updateGaps {
			if err := os.MkdirAll("../docs/reference", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("docs/reference/%s is out of date: run `make golden` (%v)", name, err)
		}
	}
}

func optionRows(b *strings.Builder, v any) {
	b.WriteString("| option | default | values | meaning |\n|---|---|---|---|\n")
	for _, f := range option.Describe(v) {
		name := reference.Code(f.Name)
		for _, a := range f.Aliases {
			name += ", also " + reference.Code(a)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", name, reference.Code(f.Default), reference.Escape(reference.Values(f)), reference.Escape(f.Doc))
	}
	b.WriteByte('\n')
}

func settingsPage() string {
	var b strings.Builder
	b.WriteString("# Settings\n\n" + reference.Generated + "`SET 'key' = 'value'`, or `-X key=value` on the command line.\n\n")
	optionRows(&b, catalog.NewSettings())
	b.WriteString("## Rules of the optimizer\n\nNames for `streamsql.rules.off`, in the order in which they apply.\n\n| rule | what it does |\n|---|---|\n")
	for _, r := range rules.Docs() {
		fmt.Fprintf(&b, "| %s | %s |\n", reference.Code(r[0]), reference.Escape(r[1]))
	}
	b.WriteString("\n## Optimizations of operators\n\nNames for `streamsql.optimizations.off`.\n\n| optimization | what it does |\n|---|---|\n")
	for _, r := range physical.Optimizations {
		fmt.Fprintf(&b, "| %s | %s |\n", reference.Code(r[0]), reference.Escape(r[1]))
	}
	return b.String()
}

// TestWideningsAreDocumented: what is accepted beyond Flink stands in docs/differences.md.
func TestWideningsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	list := parse.Widenings()
	if len(list) < 5 {
		t.Fatalf("only %d widenings", len(list))
	}
	for _, w := range list {
		if !strings.Contains(string(page), w.What) {
			t.Errorf("docs/differences.md does not name %q", w.What)
		}
	}
}
