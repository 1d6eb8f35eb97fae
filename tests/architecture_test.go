package tests

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile("`[^`\n]+`")

// TestHouseArchitecture: each file that ARCHITECTURE.md names is there, and each file of exec/op has a room in it.
func TestHouseArchitecture(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	err = filepath.WalkDir("..", func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) == ".go" {
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range quoted.FindAllString(string(text), -1) {
		name := strings.Trim(q, "`")
		if strings.HasSuffix(name, ".go") && !named(files, name) {
			t.Errorf("ARCHITECTURE.md: there is no file %s", name)
		}
	}
	_, rooms, _ := strings.Cut(string(text), "## The rooms of exec/op")
	rooms, _, _ = strings.Cut(rooms, "\n## ")
	list := quoted.FindAllString(rooms, -1)
	for _, f := range files {
		name := strings.TrimSuffix(path.Base(f), ".go")
		if path.Dir(f) == "../exec/op" && !strings.HasSuffix(name, "_test") && !anyMatch(list, name) {
			t.Errorf("ARCHITECTURE.md: %s is in no room of exec/op", name)
		}
	}
}

// named tells whether a file has a name whose first parts may be left out, and in which * stands for any letters.
func named(files []string, name string) bool {
	n := strings.Count(name, "/")
	for _, f := range files {
		parts := strings.Split(f, "/")
		if ok, _ := path.Match(name, strings.Join(parts[max(0, len(parts)-1-n):], "/")); ok {
			return true
		}
	}
	return false
}

func anyMatch(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(strings.Trim(p, "`"), name); ok {
			return true
		}
	}
	return false
}
