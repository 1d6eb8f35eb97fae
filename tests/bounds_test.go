package tests

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// elementwise are the kernel files whose loops go over slices row by row.
var elementwise = []string{"arith", "bitmap", "compare", "convert", "decimal", "take", "temporal"}

var boundsLine = regexp.MustCompile(`exec/kernel/([a-z0-9_]+\.go):(\d+):\d+: Found IsInBounds`)

// TestBoundsChecks: the compiler leaves no bounds check in a row loop of a kernel but those of gathers and of
// rare paths, which testdata/bounds.txt lists by function. The list only shrinks; `make golden` rewrites it. Cold it takes
// some 15 seconds, for the packages are compiled again.
func TestBoundsChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package again; not with -short")
	}
	// Generic kernels are compiled where they are used, so the packages that use them are built as well.
	cmd := exec.Command("go", "build", "-gcflags=streamsql/exec/...=-d=ssa/check_bce", "./exec/function", "./exec/op")
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	functions := kernelFunctions(t)
	seen := map[string]bool{}
	found := map[string]int{}
	for _, m := range boundsLine.FindAllStringSubmatch(string(out), -1) {
		if seen[m[0]] || !slices.ContainsFunc(elementwise, func(p string) bool { return strings.HasPrefix(m[1], p) }) {
			continue
		}
		seen[m[0]] = true
		line, _ := strconv.Atoi(m[2])
		found[m[1]+" "+functions.at(m[1], line)]++
	}
	if len(found) == 0 {
		t.Fatal("the compiler reported nothing at all: does the flag still exist?")
	}
	compareBounds(t, found)
}

func compareBounds(t *testing.T, found map[string]int) {
	t.Helper()
	const list = "testdata/bounds.txt"
	if *updateGaps {
		var lines []string
		for f, n := range found {
			lines = append(lines, fmt.Sprintf("%s %d\n", f, n))
		}
		slices.Sort(lines)
		if err := os.WriteFile(list, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{}
	s := bufio.NewScanner(bytes.NewReader(text))
	for s.Scan() {
		name, n, _ := cutLast(s.Text())
		known[name], _ = strconv.Atoi(n)
	}
	for f, n := range found {
		if n > known[f] {
			t.Errorf("%s has %d bounds checks, listed are %d: re-slice the inputs to len(out)", f, n, known[f])
		}
	}
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// span is a function's lines.
type span struct {
	name     string
	from, to int
}

type spans map[string][]span

func (s spans) at(file string, line int) string {
	for _, f := range s[file] {
		if f.from <= line && line <= f.to {
			return f.name
		}
	}
	return "?"
}

func kernelFunctions(t *testing.T) spans {
	t.Helper()
	files, err := filepath.Glob("../exec/kernel/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := spans{}
	for _, path := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := filepath.Base(path)
				out[name] = append(out[name], span{fn.Name.Name, fset.Position(fn.Pos()).Line, fset.Position(fn.End()).Line})
			}
		}
	}
	return out
}
