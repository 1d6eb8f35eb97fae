package queries

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestList(t *testing.T) {
	list := List()
	at := slices.IndexFunc(list, Pattern)
	for _, part := range [][]string{list[:at], list[at:]} {
		if !slices.IsSortedFunc(part, func(a, b string) int { return number(a) - number(b) }) {
			t.Errorf("out of order: %v", part)
		}
	}
	if want := []string{"cep0", "cep1", "cep2", "cep3"}; !slices.Equal(list[at:], want) {
		t.Errorf("patterns: %v, want %v", list[at:], want)
	}
	for _, q := range []string{"q0", "q1", "q2", "q14", "q21", "q22"} {
		if !slices.Contains(list, q) {
			t.Errorf("no %s in %v", q, list)
		}
	}
}

func TestVariants(t *testing.T) {
	for name, want := range map[string]bool{"q0": false, "q12": false, "q12e": true, "q18k": true, "q6beam": true, "": false} {
		if got := Variant(name); got != want {
			t.Errorf("%q is a variant: %t", name, got)
		}
	}
}

func TestTexts(t *testing.T) {
	placeholder := regexp.MustCompile(`\$\{(\w+)\}`)
	texts := map[string]string{"ddl": DDL()}
	for _, q := range List() {
		text, err := Text(q)
		if err != nil {
			t.Fatal(err)
		}
		texts[q] = text
		if !strings.Contains(text, "INSERT INTO nexmark_"+q+"\n") || !strings.Contains(text, "CREATE TABLE nexmark_"+q+" (") {
			t.Errorf("%s does not write into its own table", q)
		}
		if s, err := Summary(q); err != nil || s == "" || strings.HasPrefix(s, "CREATE") {
			t.Errorf("%s: summary %q, %v", q, s, err)
		}
	}
	for name, text := range texts {
		if !strings.HasPrefix(text, "-- ") {
			t.Errorf("%s does not open with a comment", name)
		}
		for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
			if _, ok := Variables()[m[1]]; !ok {
				t.Errorf("%s: no value for ${%s}", name, m[1])
			}
		}
	}
	if _, err := Text("q99"); err == nil || !strings.Contains(err.Error(), "q0, q1, q2") {
		t.Errorf("unknown query: %v", err)
	}
}
