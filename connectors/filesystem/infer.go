package filesystem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

// files opens files without a declaration: their columns are those of the first file, by a sample of its rows where the
// format does not tell them.
var files = &connector.Files{Formats: inferable, Infer: infer, Target: target}

// inferable are the formats of files that need no declaration.
var inferable = []string{"csv", "json", "parquet"}

// inference is what is known while columns are found.
type inference struct {
	o       *options
	options map[string]string
	first   string // the file that is looked into
	columns []connector.Column
}

// parquetMagic begins and ends a file of Parquet.
const parquetMagic = "PAR1"

// sampleSize is how much of a file of text is looked into.
const sampleSize = 1 << 20

func infer(format, path string, given map[string]string) (*connector.Inferred, error) {
	x := &inference{options: map[string]string{"path": path}}
	var all []found
	var err error
	if path == standardPath {
		all = []found{{path: path}}
	} else if all, err = placeOf(path).list(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &connector.Error{Err: fmt.Errorf("there are no files at %s", path), Hint: unended(path)}
	}
	x.first = all[0].path
	if format == "" {
		if format, err = x.guess(); err != nil {
			return nil, err
		}
	}
	x.options["format"] = format
	if err := x.take(format, given); err != nil {
		return nil, err
	}
	switch format {
	case "csv":
		err = x.csv()
	case "json":
		err = x.json()
	case "parquet":
		err = x.parquet()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x.first, err)
	}
	out := &connector.Inferred{Columns: x.columns, Options: x.options}
	return out, addKeys(out, placeOf(path).base(), all)
}

// target finds the options of files that are to be written.
func target(format, path string, given map[string]string) (set map[string]string, taken bool, err error) {
	x := &inference{first: path, options: map[string]string{"path": path}}
	if path == standardPath {
		return nil, false, &option.Error{Key: "path", Msg: "the standard output is no directory of files"}
	}
	if format == "" {
		if format = formatsBy[strings.ToLower(filepath.Ext(path))]; format == "" {
			return nil, false, formatless(path, given)
		}
	}
	x.options["format"] = format
	if err := x.take(format, given); err != nil {
		return nil, false, err
	}
	if _, err := os.Stat(localPath(path)); errors.Is(err, fs.ErrNotExist) {
		return x.options, false, nil
	}
	all, err := placeOf(path).list()
	return x.options, len(all) > 0, err
}

// formatless is what is wrong where nothing tells the format: an option that no format has is likelier misspelt.
func formatless(path string, given map[string]string) error {
	for _, k := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(inferable, func(f string) bool { return longName(f, k) != "" }) {
			return unknown(k, nil)
		}
	}
	return &option.Error{Key: "format", Msg: "there is no format", Hint: "TO '" + path + "' (FORMAT parquet)"}
}

// formatsBy are the formats by the extension of a file, without one that says how it is compressed.
var formatsBy = map[string]string{".csv": "csv", ".tsv": "csv", ".txt": "csv", ".json": "json", ".jsonl": "json",
	".ndjson": "json", ".parquet": "parquet", ".pq": "parquet"}

// guess finds the format by the name of the file, or of the standard input by its first character. What INSERT and COPY
// write has names without an extension: Parquet shows by how it begins, all else by the directory that COPY made.
func (x *inference) guess() (string, error) {
	if x.first == standardPath {
		head, _, err := standardInput.look()
		if err != nil {
			return "", err
		}
		if head = bytes.TrimSpace(head); len(head) > 0 && (head[0] == '{' || head[0] == '[') {
			return "json", nil
		}
		return "csv", nil
	}
	name := strings.ToLower(x.first)
	if unpackers[filepath.Ext(name)] != nil {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	if f := formatsBy[filepath.Ext(name)]; f != "" {
		return f, nil
	}
	if isParquet(x.first) {
		return "parquet", nil
	}
	if f := folderFormat(x.first); f != "" && filepath.Ext(name) == "" {
		return f, nil
	}
	return "", fmt.Errorf("the name of %s does not tell its format; write read_csv('…'), read_json('…') or read_parquet('…')", x.first)
}

// folderFormat is the format that the nearest directory above a file tells which is no partition, or empty.
func folderFormat(path string) string {
	dir := filepath.Dir(path)
	for strings.Contains(filepath.Base(dir), "=") {
		dir = filepath.Dir(dir)
	}
	return formatsBy[strings.ToLower(filepath.Ext(dir))]
}

// unended is what helps where a pattern with an extension finds nothing, and would find files without one.
func unended(path string) string {
	ext := filepath.Ext(path)
	format, plain := formatsBy[strings.ToLower(ext)], strings.TrimSuffix(path, ext)
	if format == "" || !isPattern(plain) {
		return ""
	}
	if all, err := placeOf(plain).list(); err != nil || len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("files that INSERT and COPY write have names without %s: read_%s('%s')", ext, format, plain)
}

// isParquet tells whether a file begins as Parquet does.
func isParquet(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	var head [len(parquetMagic)]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && string(head[:]) == parquetMagic
}

// take finds the options that are given, by their names or what is behind `csv.` and its like; `_` stands for `-`.
func (x *inference) take(format string, given map[string]string) error {
	for _, k := range slices.Sorted(maps.Keys(given)) {
		name := longName(format, k)
		if name == "" {
			var own []string
			for _, f := range option.Describe(&options{}) {
				if rest, ok := strings.CutPrefix(f.Name, format+"."); ok {
					own = append(own, strings.ReplaceAll(rest, "-", "_"))
				}
			}
			return unknown(k, own)
		}
		x.options[name] = given[k]
	}
	x.o = &options{}
	if err := option.Decode(x.o, x.options); err != nil {
		return err
	}
	if formatOf(x.o).scan != nil {
		return nil // its check is of columns alone
	}
	return formatOf(x.o).check(&connector.Table{}, x.o)
}

// longName is the name of a table's option that a key stands for, or empty.
func longName(format, key string) string {
	var names []string
	for _, f := range option.Describe(&options{}) {
		names = append(names, f.Name)
	}
	name := strings.ReplaceAll(key, "_", "-")
	for _, n := range []string{format + "." + name, name} {
		if slices.Contains(names, n) {
			return n
		}
	}
	return ""
}

// unknown says that there is no such option, and which of a format's own may be meant.
func unknown(key string, own []string) error {
	e := &option.Error{Key: key, Msg: fmt.Sprintf("there is no option '%s'", key), Unknown: true}
	if len(own) > 0 {
		e.Hint = "options: " + strings.Join(own, ", ")
	}
	if near := option.Nearest(key, own); near != "" {
		e.Near, e.Hint = true, fmt.Sprintf("did you mean '%s'?  %s", near, e.Hint)
	}
	return e
}

// set gives an option that was not given.
func (x *inference) set(key, value string) {
	if _, ok := x.options[key]; !ok {
		x.options[key] = value
	}
}

// sample reads the head of the first file, whole lines of it; all says that there is no more.
func (x *inference) sample() (head []byte, all bool, err error) {
	if x.first == standardPath {
		head, all, err = standardInput.look()
	} else {
		var in *input
		if in, err = openInput(x.first); err != nil {
			return nil, false, err
		}
		defer func() { _ = in.close() }()
		head, err = io.ReadAll(io.LimitReader(in, sampleSize))
		all = len(head) < sampleSize
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	head = bytes.TrimPrefix(head, []byte(byteOrderMark))
	if n := bytes.LastIndexByte(head, '\n') + 1; !all && n > 0 {
		head = head[:n]
	}
	return head, all, nil
}

// addKeys adds the partition keys that the folders of all files name. A key that also stands in the files counts.
func addKeys(out *connector.Inferred, base string, all []found) error {
	const enough = 10_000
	kinds := map[string]types.Type{}
	var keys []string
	for i, f := range all[:min(len(all), enough)] {
		for _, part := range strings.Split(folders(base, f.path), string(filepath.Separator)) {
			k, v, ok := strings.Cut(part, "=")
			if !ok || k == "" {
				continue
			}
			k, v = Unescape(k), Unescape(v)
			if i == 0 && !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
			if v != flinkNull && v != hiveNull {
				kinds[k] = joinTypes(kinds[k], keyType(v))
			}
		}
	}
	for _, k := range keys {
		c := connector.Column{Name: k, Type: known(kinds[k])}
		at := slices.IndexFunc(out.Columns, func(c connector.Column) bool { return c.Name == k })
		switch {
		case at < 0:
			at = len(out.Columns)
			out.Columns = append(out.Columns, c)
		case out.Options["format"] == "csv":
			return fmt.Errorf("'%s' is a column of the files and a folder above them: declare the table with CREATE TABLE", k)
		default:
			out.Columns[at] = c
		}
		out.PartitionKeys = append(out.PartitionKeys, at)
	}
	return nil
}

// keyType is the type of a partition's value.
func keyType(v string) types.Type {
	if t := textType([]byte(v), sqlForms); t.Kind == types.BigInt || t.Kind == types.Date {
		return t
	}
	return types.String()
}

// named makes names of columns that differ: f0, f1 … where there is none, and a number behind those that stand twice.
func named(names []string) []string {
	seen := map[string]bool{}
	out := make([]string, len(names))
	for i, n := range names {
		if n = strings.TrimSpace(n); n == "" {
			n = "f" + strconv.Itoa(i)
		}
		for base, k := n, 1; seen[n]; k++ {
			n = base + "_" + strconv.Itoa(k)
		}
		seen[n], out[i] = true, n
	}
	return out
}
