package shell

import (
	"slices"
	"strings"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec/option"
	"streamsql/planner/parse"
)

// begins are the words that statements begin with: those that \h explains, and those that it explains under another name.
var begins = beginnings("DESC", "END", "EXIT", "FROM", "REPLACE", "WITH")

func beginnings(others ...string) []string {
	for _, name := range statementNames() {
		first, _, _ := strings.Cut(name, " ")
		if first != "WINDOW" { // which is a part of one
			others = append(others, first)
		}
	}
	slices.Sort(others)
	return slices.Compact(others)
}

// follows are the words that go with the one before them.
var follows = map[string][]string{
	"SHOW": {"CATALOGS", "COLUMNS", "CREATE", "CURRENT", "DATABASES", "FULL", "FUNCTIONS", "JOBS", "MODULES", "PARTITIONS", "TABLES",
		"USER", "VIEWS"},
	"CREATE":   {"CATALOG", "DATABASE", "FUNCTION", "OR", "TABLE", "TEMPORARY", "VIEW"},
	"DROP":     {"CATALOG", "DATABASE", "FUNCTION", "TABLE", "TEMPORARY", "VIEW"},
	"ALTER":    {"CATALOG", "DATABASE", "FUNCTION", "TABLE", "TEMPORARY", "VIEW"},
	"INSERT":   {"INTO", "OVERWRITE"},
	"STOP":     {"JOB"},
	"EXECUTE":  {"STATEMENT"},
	"BEGIN":    {"STATEMENT"},
	"USE":      {"CATALOG"},
	"GROUP":    {"BY"},
	"ORDER":    {"BY"},
	"IS":       {"NOT", "NULL", "TRUE", "FALSE", "DISTINCT"},
	"EXPLAIN":  {"CHANGELOG_MODE", "INSERT", "PLAN", "SELECT", "STATEMENT"},
	"INTERVAL": {"'"},
}

// tableWords are those behind which the name of a table stands.
var tableWords = map[string]bool{"FROM": true, "JOIN": true, "INTO": true, "TABLE": true, "DESCRIBE": true, "DESC": true, "UPDATE": true,
	"VIEW": true, "OVERWRITE": true, "COLUMNS": true}

// completeWord is about a word, or none yet, behind tokens of its statement.
func (s *Shell) completeWord(toks []parse.Token, typed string) offers {
	if len(toks) == 0 {
		return fitting(typed, begins)
	}
	last := toks[len(toks)-1]
	if last.Upper == "." && len(toks) > 1 {
		return fitting(typed, s.members(toks))
	}
	if last.Kind == parse.WordToken {
		if tableWords[last.Upper] {
			return fitting(typed, s.tables(), tableFunctions(typed))
		}
		if list := follows[last.Upper]; list != nil {
			return fitting(typed, list)
		}
	}
	columns := s.columnsIn(toks)
	if typed == "" {
		if len(columns) > 0 {
			return fitting("", columns)
		}
		return offers{}
	}
	functions := upper(s.names("SHOW FUNCTIONS"))
	calls := make([]string, len(functions))
	for i, f := range functions {
		calls[i] = f + "("
	}
	o := fitting(typed, columns, s.aliases(toks), calls, parse.Keywords())
	if slices.Contains(functions, strings.ToUpper(typed)) || len(o.words) == 1 && strings.HasSuffix(o.words[0], "(") {
		name := strings.TrimSuffix(o.words[0], "(")
		if slices.Contains(functions, strings.ToUpper(typed)) {
			name = typed
		}
		o.note = s.forms(name)
	}
	return o
}

// tableFunctions are the words that may stand in the place of a table, once one is begun.
func tableFunctions(typed string) []string {
	if typed == "" {
		return nil
	}
	return []string{"TABLE(", "LATERAL", "UNNEST("}
}

// tables lists tables and views, those of other databases with their databases.
func (s *Shell) tables() []string {
	cat := s.r.Session.Catalog()
	current, database := cat.Current()
	out := s.r.Session.BuiltInTables()
	for _, db := range cat.Databases(current) {
		for _, t := range cat.Tables(current, db) {
			name := t.Name.Object
			if db != database {
				name = db + "." + name
			}
			out = append(out, name)
		}
	}
	return out
}

// from are the tables that a statement names, by what they are called in it.
func from(toks []parse.Token) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(toks); i++ {
		if toks[i].Kind != parse.WordToken || !tableWords[toks[i].Upper] {
			continue
		}
		name, k := "", i+1
		for ; k < len(toks) && (toks[k].Kind == parse.WordToken && !keywords[toks[k].Upper] || toks[k].Kind == parse.NameToken); k += 2 {
			if name += quotedName(toks[k].Value); k+1 >= len(toks) || toks[k+1].Upper != "." {
				k++
				break
			}
			name += "."
		}
		if name == "" {
			continue
		}
		called := strings.Trim(name[strings.LastIndex(name, ".")+1:], "`")
		if k < len(toks) && toks[k].Upper == "AS" {
			k++
		}
		if k < len(toks) && (toks[k].Kind == parse.WordToken && !keywords[toks[k].Upper] || toks[k].Kind == parse.NameToken) {
			called = toks[k].Value
		}
		out[called] = name
	}
	return out
}

func (s *Shell) aliases(toks []parse.Token) []string {
	var out []string
	for a := range from(toks) {
		out = append(out, a)
	}
	return out
}

// columnsIn are the columns of the tables that a statement names.
func (s *Shell) columnsIn(toks []parse.Token) []string {
	var out []string
	for _, t := range from(toks) {
		out = append(out, s.names("DESCRIBE "+t)...)
	}
	return out
}

// members are what may stand behind a point: columns of a table, or tables of a database.
func (s *Shell) members(toks []parse.Token) []string {
	name := toks[len(toks)-2].Value
	if t, ok := from(toks)[name]; ok {
		return s.names("DESCRIBE " + t)
	}
	var out []string
	for _, t := range s.tables() {
		if member, ok := strings.CutPrefix(t, name+"."); ok {
			out = append(out, member)
		}
	}
	return out
}

func formats() []string { return render.Formats }

// completeText is about a text in quotes: keys and values of options and settings, or a file.
func (s *Shell) completeText(toks []parse.Token, typed string) offers {
	closed := func(list []string) offers {
		for i := range list {
			list[i] += "'"
		}
		o := offers{typed: typed}
		for _, w := range list {
			if strings.HasPrefix(w, typed) {
				o.words = append(o.words, w)
			}
		}
		slices.Sort(o.words)
		o.words = slices.Compact(o.words)
		return o
	}
	if len(toks) == 0 {
		return offers{}
	}
	value := toks[len(toks)-1].Upper == "=" && len(toks) > 1
	key := ""
	if value {
		key = toks[len(toks)-2].Value
	}
	fields, ok := s.fields(toks)
	switch {
	case ok && !value:
		return closed(optionNames(fields))
	case ok && key == "connector":
		return closed(s.r.Session.Catalog().Connectors())
	case ok && (key == "path" || strings.HasSuffix(key, ".path")):
		return files(typed)
	case ok:
		return closed(valuesOf(fields, key))
	}
	if toks[len(toks)-1].Upper == "FROM" || toks[len(toks)-1].Upper == "TO" {
		return files(typed)
	}
	return offers{}
}

// fields are the options or settings that a statement is at; false when it is at none.
func (s *Shell) fields(toks []parse.Token) ([]option.Field, bool) {
	if first := toks[0].Upper; first == "SET" || first == "RESET" {
		return option.Describe(s.r.Session.Settings()), true
	}
	depth, open := 0, -1
	for i := len(toks) - 1; i >= 0 && open < 0; i-- {
		switch toks[i].Upper {
		case ")":
			depth++
		case "(":
			if depth--; depth < 0 {
				open = i
			}
		}
	}
	if open < 1 || toks[open-1].Upper != "WITH" && toks[open-1].Upper != "OPTIONS" && toks[open-1].Upper != "SET" {
		return nil, false
	}
	list := []option.Field{{Name: "connector"}}
	for i := open; i+2 < len(toks); i++ {
		if toks[i].Value == "connector" && toks[i+1].Upper == "=" {
			if d := s.r.Session.Catalog().Connector(toks[i+2].Value); d != nil {
				list = append(list, option.Describe(d.Options())...)
			}
		}
	}
	return list, true
}

func optionNames(fields []option.Field) []string {
	var out []string
	for _, f := range fields {
		if !strings.HasSuffix(f.Name, "*") {
			out = append(out, f.Name)
		}
	}
	return out
}

// valuesOf are the values that an option takes, where they can be listed.
func valuesOf(fields []option.Field, key string) []string {
	for _, f := range fields {
		switch {
		case f.Name != key && !slices.Contains(f.Aliases, key):
		case len(f.Enum) > 0:
			return slices.Clone(f.Enum)
		case f.Kind == "boolean":
			return []string{"true", "false"}
		case f.Default != "":
			return []string{f.Default}
		}
	}
	return nil
}
