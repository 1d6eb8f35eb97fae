package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A place is where the files of a table are: a file, a directory or a pattern.
type place struct {
	// root is a file or a directory, below which a pattern matches by its parts; none are no pattern.
	root    string
	pattern []string
}

// deep is the part of a pattern that stands for any number of directories.
const deep = "**"

func placeOf(path string) place {
	path = localPath(path)
	if !isPattern(path) {
		return place{root: path}
	}
	if _, err := os.Lstat(path); err == nil {
		return place{root: path} // a name with such characters
	}
	parts := strings.Split(path, string(filepath.Separator))
	n := slices.IndexFunc(parts, isPattern)
	root := strings.Join(parts[:n], string(filepath.Separator))
	switch {
	case root == "" && filepath.IsAbs(path):
		root = string(filepath.Separator)
	case root == "":
		root = "."
	}
	return place{root, slices.CompactFunc(parts[n:], func(a, b string) bool { return a == deep && b == deep })}
}

func isPattern(s string) bool { return strings.ContainsAny(s, "*?[") }

// base is the directory below which partitions are: of a pattern all of a path counts.
func (p place) base() string {
	if len(p.pattern) > 0 {
		return ""
	}
	return p.root
}

// found is a file of a table.
type found struct {
	path string
	info fs.FileInfo
}

// list finds the files in the order of their names. What has a hidden name, or stands below a directory that has one, is not
// there, unless the pattern says it. Files that vanish meanwhile are left out.
func (p place) list() ([]found, error) {
	info, err := os.Stat(p.root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("file %s %w", p.root, errNoFiles)
	case err != nil:
		return nil, fmt.Errorf("filesystem: list files: %w", err)
	case !info.IsDir() && len(p.pattern) > 0:
		return nil, fmt.Errorf("%s is no directory", p.root)
	case !info.IsDir():
		return []found{{p.root, info}}, nil
	}
	if _, err := filepath.Match(strings.Join(p.pattern, ""), ""); err != nil {
		return nil, fmt.Errorf("the pattern %s is not well formed", strings.Join(p.pattern, string(filepath.Separator)))
	}
	w := walk{seen: map[string]bool{}}
	if err := w.dir(p.root, p.pattern, 0); err != nil {
		return nil, fmt.Errorf("filesystem: list files: %w", err)
	}
	slices.SortFunc(w.out, func(a, b found) int { return strings.Compare(a.path, b.path) })
	return w.out, nil
}

var errNoFiles = errors.New("does not exist")

// walk goes through directories.
type walk struct {
	out []found
	// seen are the files found, which `**` may reach in several ways.
	seen map[string]bool
}

// maxDepth ends what links make endless.
const maxDepth = 64

// dir takes what matches the pattern's parts, or everything behind them.
func (w *walk) dir(path string, parts []string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s is more than %d directories deep", path, maxDepth)
	}
	entries, err := os.ReadDir(path)
	if depth > 0 && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(parts) > 0 && parts[0] == deep {
		if err := w.match(path, entries, parts[1:], depth); err != nil {
			return err
		}
	}
	return w.match(path, entries, parts, depth)
}

func (w *walk) match(path string, entries []fs.DirEntry, parts []string, depth int) error {
	for _, e := range entries {
		name := e.Name()
		rest := parts
		if len(parts) > 0 && parts[0] != deep {
			rest = parts[1:]
			if ok, _ := filepath.Match(parts[0], name); !ok || hidden(name) && !hidden(parts[0]) && !isPartition(e) {
				continue
			}
		} else if hidden(name) && !isPartition(e) {
			continue
		}
		full := filepath.Join(path, name)
		info, err := os.Stat(full) // links are what they point to
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.IsDir():
			if err := w.dir(full, rest, depth+1); err != nil {
				return err
			}
		case !w.seen[full] && (len(rest) == 0 || len(rest) == 1 && rest[0] == deep):
			w.seen[full] = true
			w.out = append(w.out, found{full, info})
		}
	}
	return nil
}

// isPartition tells the directory of a partition, whose key may begin as hidden names do.
func isPartition(e fs.DirEntry) bool { return e.IsDir() && strings.Contains(e.Name(), "=") }
