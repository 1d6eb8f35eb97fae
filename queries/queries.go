// Package queries holds the SQL of the Nexmark benchmark: the tables and views (ddl.sql) and one script per query, each
// of which creates its sink and inserts into it. It does not know how scripts are run or what their answers are.
//
//  1. Every script opens with a comment of one line that says what it asks.
//  2. The placeholders ${NAME} are those of the benchmark's own scripts; Variables has a value for each.
//  3. A query q writes into the table nexmark_q; one of files, below ${NEXMARK_DIR}.
package queries

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

//go:embed *.sql
var files embed.FS

// DDL is the script that creates the event table and the views person, auction and bid.
func DDL() string {
	text, _ := read("ddl")
	return text
}

// List names the queries in the order of their numbers, those of patterns behind the others.
func List() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	var names []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".sql"); name != "ddl" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		switch {
		case Pattern(a) != Pattern(b):
			return strings.Compare(b, a) // q is behind c
		case number(a) != number(b):
			return number(a) - number(b)
		}
		return strings.Compare(a, b)
	})
	return names
}

// Variant tells the queries that stand beside one of the benchmark: q12e beside q12. They ask the same another way, so that
// the answer can be checked, or read it another way.
func Variant(name string) bool {
	return name != "" && !unicode.IsDigit(rune(name[len(name)-1]))
}

// Pattern tells the queries of the benchmark's category of patterns, which stand apart from the others: cep0 to cep3.
func Pattern(name string) bool { return strings.HasPrefix(name, "cep") }

// number is the number in a query's name.
func number(name string) int {
	digits := strings.TrimPrefix(strings.TrimPrefix(name, "q"), "cep")
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// Text is the script of a query.
func Text(name string) (string, error) {
	if !slices.Contains(List(), name) {
		return "", fmt.Errorf("queries: no query %q; there are %s", name, strings.Join(List(), ", "))
	}
	return read(name)
}

// Summary is what a query asks, in one line.
func Summary(name string) (string, error) {
	text, err := Text(name)
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(first, "-- "), err
}

// Variables has the default value of each placeholder. The caller may change the map.
func Variables() map[string]string {
	return map[string]string{
		"NEXMARK_TABLE":      "datagen",
		"TPS":                "10000",
		"EVENTS_NUM":         "100000",
		"PERSON_PROPORTION":  "1",
		"AUCTION_PROPORTION": "3",
		"BID_PROPORTION":     "46",
		"NEXMARK_DIR":        "nexmark",
		SideInputVariable:    "side_input.txt",
	}
}

// SideInputVariable is the placeholder of the file that q13 looks bids up in.
const SideInputVariable = "SIDE_INPUT"

// sideInputLines is the number of keys in it.
const sideInputLines = 10000

// SideInput is what that file holds: as CSV, each key and a value that is the same number as text.
func SideInput() []byte {
	var out []byte
	for i := range int64(sideInputLines) {
		out = append(strconv.AppendInt(out, i, 10), ',')
		out = append(strconv.AppendInt(out, i, 10), '\n')
	}
	return out
}

// Files tells that a query writes files.
func Files(name string) bool {
	text, _ := read(name)
	return strings.Contains(text, "${NEXMARK_DIR}")
}

func read(name string) (string, error) {
	b, err := files.ReadFile(name + ".sql")
	return string(b), err
}
