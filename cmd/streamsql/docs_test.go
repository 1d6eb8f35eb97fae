package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var updateDocs = flag.Bool("update-docs", false, "write the output of the commands in docs again")

// TestDocs follows the pages of docs that are to be followed, each in a directory of its own. A block of code with a name
// behind its language is a file; in a block of the console a line that begins with `$ ` is a command, and what stands below
// it what it writes.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/cookbook/*.md")
	if err != nil || len(pages) < 6 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	pages = append(pages, "../../docs/quickstart.md", "../../docs/own-files.md")
	for _, p := range pages {
		p, err := filepath.Abs(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(p), ".md"), func(t *testing.T) {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			got, commands := followed(t, string(text))
			switch {
			case commands == 0:
				t.Error("the page has no command")
			case got == string(text):
			case *updateDocs:
				if err := os.WriteFile(p, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("the page is not what the commands write; it would be\n%s", got)
			}
		})
	}
}

// followed is a page with what its commands write.
func followed(t *testing.T, page string) (string, int) {
	t.Helper()
	var b strings.Builder
	commands := 0
	lines := strings.SplitAfter(page, "\n")
	for i := 0; i < len(lines); i++ {
		b.WriteString(lines[i])
		info, ok := strings.CutPrefix(strings.TrimSpace(lines[i]), "```")
		if !ok || info == "" {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != "```" {
			end++
		}
		block := lines[i+1 : end]
		language, name, _ := strings.Cut(info, " ")
		switch {
		case language == "console":
			for _, l := range block {
				if command, ok := strings.CutPrefix(l, "$ "); ok {
					commands++
					b.WriteString(l + written(t, strings.TrimSpace(command)))
				}
			}
		case name != "":
			if err := os.WriteFile(name, []byte(strings.Join(block, "")), 0o644); err != nil {
				t.Fatal(err)
			}
			fallthrough
		default:
			b.WriteString(strings.Join(block, ""))
		}
		i = end - 1
	}
	return b.String(), commands
}

// written is what a command writes to both streams. One that fails says so in its output.
func written(t *testing.T, command string) string {
	t.Helper()
	args := strings.Fields(command)
	if args[0] != "streamsql" {
		t.Fatalf("%s: only streamsql can be run", command)
	}
	var out bytes.Buffer
	run(args[1:], strings.NewReader(""), &out, &out)
	return out.String()
}
