package tests

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// floors is the one list of packages: a package imports only packages on floors strictly below its own.
// A trailing * stands for every package below a directory.
var floors = map[string]int{
	"tests":                   17,
	"cmd/streamsql":           16,
	"cmd/streamsql/bench":     15,
	"cmd/streamsql/netbench":  15,
	"cmd/streamsql/shell":     15,
	"cmd/streamsql/reference": 15,
	"cmd/streamsql/script":    14,
	"cmd/streamsql/render":    13,
	"planner":                 12,
	"planner/bind":            11,
	"planner/rules":           11,
	"planner/physical":        11,
	"planner/logical":         10,
	"connectors":              10,
	"planner/parse":           9,
	"planner/catalog":         9,
	"exec":                    9,
	"connectors/*":            9,
	"nexmark":                 9,
	"planner/syntax":          8,
	"exec/graph":              8,
	"exec/checkpoint":         8,
	"exec/op/optest":          8,
	"exec/op":                 7,
	"exec/connector":          6,
	"exec/expr":               5,
	"exec/function":           4,
	"exec/state":              3,
	"exec/text":               3,
	"exec/network":            3,
	"exec/vector":             2,
	"exec/regexp":             2,
	"exec/kernel":             1,
	"exec/types":              0,
	"exec/option":             0,
	"exec/invariant":          0,
	"queries":                 0,
	"tests/oracle":            10,
	"tests/testdata/nexmark":  0,
}

// doors says which packages may import what: an import path or a prefix ending in /, and the places.
var doors = map[string][]string{
	"github.com/pingcap/tidb/":        {"planner/parse"},
	"github.com/parquet-go/":          {"connectors/filesystem"},
	"github.com/klauspost/compress":   {"connectors/filesystem", "exec/checkpoint"},
	"github.com/apache/arrow/go/v15/": {"exec/vector"},
	"github.com/dlclark/":             {"exec/regexp"},
	"github.com/chzyer/readline":      {"cmd/"},
	"github.com/spf13/cobra":          {"cmd/"},
	"net":                             {"exec/network", "cmd/"},
	"net/http":                        {"cmd/"},
	"os":                              {"connectors/filesystem", "exec", "exec/checkpoint", "cmd/", "tests"},
	"os/exec":                         {"cmd/", "connectors/filesystem"},
	"unsafe":                          {"exec/vector", "exec/kernel"},
}

// clocked are the packages that may read the clock.
var clocked = []string{"exec", "exec/network", "connectors/", "nexmark", "cmd/"}

// banned words, whole words only, in comments of Go files.
var banned = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)

// bannedNames are words that no file is named after.
var bannedNames = regexp.MustCompile(`(^|_)(utils?|helpers?|common2|misc|v[0-9])(_|\.go$)`)

const (
	maxFile     = 600
	maxFunction = 100
	maxLine     = 140
)

type source struct {
	path, pkg string // relative to the module; pkg is its directory
	text      []byte
	file      *ast.File
	test      bool
}

// load gives all Go files, which are read once. With -short nothing is: the house has a check of its own.
func load(t *testing.T) ([]source, *token.FileSet) {
	t.Helper()
	if testing.Short() {
		t.Skip("make house reads the source")
	}
	out, err := readSource()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 50 {
		t.Fatalf("only %d Go files found: is the module not at ..?", len(out))
	}
	return out, fset
}

var fset = token.NewFileSet()

var readSource = sync.OnceValues(func() (out []source, err error) {
	err = filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel("..", path)
		out = append(out, source{rel, filepath.ToSlash(filepath.Dir(rel)), text, f, strings.HasSuffix(path, "_test.go")})
		return nil
	})
	return out, err
})

func floorOf(pkg string) (int, bool) {
	if f, ok := floors[pkg]; ok {
		return f, true
	}
	for p, f := range floors {
		if strings.HasSuffix(p, "*") && strings.HasPrefix(pkg, strings.TrimSuffix(p, "*")) {
			return f, true
		}
	}
	return 0, false
}

func TestHouseFloors(t *testing.T) {
	files, _ := load(t)
	for _, s := range files {
		if s.test {
			continue
		}
		own, ok := floorOf(s.pkg)
		if !ok {
			t.Errorf("%s: package %s stands on no floor: add it to the table", s.path, s.pkg)
			continue
		}
		for _, imp := range s.file.Imports {
			path := strings.Trim(imp.Path.Value, `"`)
			dep, inside := strings.CutPrefix(path, "streamsql/")
			if !inside {
				continue
			}
			if below, ok := floorOf(dep); !ok || below >= own {
				t.Errorf("%s: %s (floor %d) imports %s (floor %d)", s.path, s.pkg, own, dep, below)
			}
		}
	}
}

func TestHouseDoors(t *testing.T) {
	files, _ := load(t)
	for _, s := range files {
		if s.test {
			continue
		}
		for _, imp := range s.file.Imports {
			path := strings.Trim(imp.Path.Value, `"`)
			for what, places := range doors {
				if path != what && !(strings.HasSuffix(what, "/") && strings.HasPrefix(path, what)) {
					continue
				}
				if !allowed(s.pkg, places) {
					t.Errorf("%s: only %s may import %s", s.path, strings.Join(places, ", "), path)
				}
			}
		}
		if bytes.Contains(s.text, []byte("time.Now")) && !allowed(s.pkg, clocked) {
			t.Errorf("%s: only %s may read the clock", s.path, strings.Join(clocked, ", "))
		}
	}
}

func allowed(pkg string, places []string) bool {
	return slices.ContainsFunc(places, func(p string) bool {
		return pkg == strings.TrimSuffix(p, "/") || (strings.HasSuffix(p, "/") && strings.HasPrefix(pkg, p))
	})
}

func TestHousePackageComments(t *testing.T) {
	files, _ := load(t)
	documented := map[string]bool{}
	for _, s := range files {
		if s.test {
			continue
		}
		documented[s.pkg] = documented[s.pkg] || s.file.Doc != nil
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment that says what it is", pkg)
		}
	}
}

func TestHouseLengths(t *testing.T) {
	files, fset := load(t)
	for _, s := range files {
		lines := strings.Split(string(s.text), "\n")
		if len(lines) > maxFile+1 {
			t.Errorf("%s: %d lines, at most %d: split it by idea", s.path, len(lines)-1, maxFile)
		}
		for i, l := range lines {
			if n := len([]rune(strings.ReplaceAll(l, "\t", "    "))); n > maxLine && !strings.Contains(l, "`") && !strings.Contains(l, `"`) {
				t.Errorf("%s:%d: %d characters, at most %d", s.path, i+1, n, maxLine)
			}
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || flatSwitch(f) {
				continue
			}
			n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1
			if n > maxFunction {
				t.Errorf("%s: function %s has %d lines, at most %d", s.path, f.Name.Name, n, maxFunction)
			}
		}
	}
}

// flatSwitch tells a function that is one switch, or a few statements around one.
func flatSwitch(f *ast.FuncDecl) bool {
	if len(f.Body.List) > 4 {
		return false
	}
	return slices.ContainsFunc(f.Body.List, func(s ast.Stmt) bool {
		switch s.(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt:
			return true
		}
		return false
	})
}

func TestHouseWords(t *testing.T) {
	files, fset := load(t)
	for _, s := range files {
		if bannedNames.MatchString(filepath.Base(s.path)) {
			t.Errorf("%s: a file is named after its concept", s.path)
		}
		if s.path == filepath.Join("tests", "house_test.go") {
			continue
		}
		for _, g := range s.file.Comments {
			for _, c := range g.List {
				if w := banned.FindString(c.Text); w != "" {
					t.Errorf("%v: banned word %s", fset.Position(c.Pos()), w)
				}
			}
		}
	}
}

func TestHouseNoInit(t *testing.T) {
	files, _ := load(t)
	for _, s := range files {
		if s.pkg == "exec/function" {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: imports have no side effects: no init outside exec/function", s.path)
			}
		}
	}
}

// TestHouseQueries: every query has a golden.
func TestHouseQueries(t *testing.T) {
	results, err := os.ReadFile("testdata/nexmark/results.tsv")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../queries/*[0-9]*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("no queries found: %v", err)
	}
	for _, n := range names {
		q := strings.TrimSuffix(filepath.Base(n), ".sql")
		if q == "q12" {
			q = "q12e" // q12 goes by the clock
		}
		if !bytes.Contains(results, []byte(fmt.Sprintf("\n%s\t", q))) {
			t.Errorf("queries/%s.sql has no golden in testdata/nexmark/results.tsv", q)
		}
	}
}
