// Package reference words what there is: functions, types, connectors with their options, settings, error codes and what is
// beyond Flink's dialect, each from its declaration, as text for a terminal and as the pages of docs/reference.
//
// It does not know flags or files.
//
// Invariants:
//
//	R1 what it says of a thing is what the declaration says, or what the session answers.
//	R2 every example can be run: tests run all of them.
package reference

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/option"
)

// Topic is one kind of things.
type Topic struct {
	// Name is the word for one of them, Title that of the page.
	Name, Title string
	// About is what stands above the list.
	About   string
	Entries []Entry
}

// Entry is a thing with what is known of it.
type Entry struct {
	Name    string
	Aliases []string
	// Group is where it stands in the list; often empty.
	Group string
	// Text is what it is, in a sentence or two.
	Text string
	// Facts are named particulars, in order; those without a value are left out.
	Facts []Fact
	// Code is an example to be run, of several lines perhaps.
	Code string
	// Rows are a table of particulars below a head, such as options.
	Head []string
	Rows [][]string
}

// Fact is one particular.
type Fact struct{ Key, Value string }

// Find gives the entry of a name, whatever its case; nearest is the name that is closest where there is none.
func (t Topic) Find(name string) (e *Entry, nearest string) {
	var names []string
	for i := range t.Entries {
		for _, n := range append([]string{t.Entries[i].Name}, t.Entries[i].Aliases...) {
			bare, _, _ := strings.Cut(strings.ReplaceAll(n, "<", "("), "(")
			if bare == "" {
				bare = n // an operator
			}
			if strings.EqualFold(n, name) || strings.EqualFold(bare, name) {
				return &t.Entries[i], ""
			}
			names = append(names, bare)
		}
	}
	if near := option.Nearest(strings.ToUpper(name), names); near != "" {
		return nil, near
	}
	return nil, option.Nearest(strings.ToLower(name), names)
}

// List is a line for each entry whose name has a text in it, whatever its case, with its group where they have some.
func (t Topic) List(part string) string {
	width := 0
	for _, e := range t.Entries {
		width = max(width, len([]rune(e.title())))
	}
	width = min(width, 44)
	var b strings.Builder
	group := ""
	for _, e := range t.Entries {
		if !strings.Contains(strings.ToUpper(e.title()), strings.ToUpper(part)) {
			continue
		}
		if e.Group != group {
			group = e.Group
			fmt.Fprintf(&b, "%s\n", group)
		}
		fmt.Fprintf(&b, "  %-*s  %s\n", width, e.title(), firstSentence(e.Text))
	}
	return b.String()
}

func (e *Entry) title() string { return strings.Join(append([]string{e.Name}, e.Aliases...), ", ") }

// firstSentence is a text up to its first full stop.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}

// Plain is all that is known of an entry, for a terminal.
func (e *Entry) Plain() string {
	var b strings.Builder
	b.WriteString(e.title() + "\n")
	if e.Text != "" {
		b.WriteString("  " + e.Text + "\n")
	}
	for _, f := range e.Facts {
		if f.Value != "" {
			b.WriteString("\n" + f.Key + "\n  " + strings.ReplaceAll(f.Value, "\n", "\n  ") + "\n")
		}
	}
	if e.Code != "" {
		b.WriteString("\nexample\n  " + strings.ReplaceAll(e.Code, "\n", "\n  ") + "\n")
	}
	if len(e.Rows) > 0 {
		b.WriteByte('\n')
		for _, r := range e.Rows {
			b.WriteString("  " + r[0])
			if len(r) > 1 && r[1] != "" {
				b.WriteString(" = " + r[1])
			}
			if len(r) > 2 && r[2] != "" {
				b.WriteString("  (" + r[2] + ")")
			}
			b.WriteByte('\n')
			if len(r) > 3 {
				b.WriteString("      " + r[3] + "\n")
			}
		}
	}
	return b.String()
}

// Generated stands below the title of a page that is made.
const Generated = "Made from the declarations in the code by `make golden`; edit those.\n\n"

// Page is the topic as a page of Markdown.
func (t Topic) Page() string {
	var b strings.Builder
	b.WriteString("# " + t.Title + "\n\n" + Generated)
	if t.About != "" {
		b.WriteString(t.About + "\n\n")
	}
	group, level := "", "##"
	for _, e := range t.Entries {
		if e.Group != group {
			group, level = e.Group, "###"
			b.WriteString("## " + group + "\n\n")
		}
		b.WriteString(level + " " + heading(e.title()) + "\n\n")
		e.section(&b)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// section is what stands below the heading of an entry.
func (e *Entry) section(b *strings.Builder) {
	if e.Text != "" {
		b.WriteString(e.Text + "\n\n")
	}
	facts := slices.DeleteFunc(slices.Clone(e.Facts), func(f Fact) bool { return f.Value == "" })
	for _, f := range facts {
		if strings.Contains(f.Value, "\n") {
			b.WriteString("- " + f.Key + ":\n\n      " + strings.ReplaceAll(f.Value, "\n", "\n      ") + "\n\n")
			continue
		}
		b.WriteString("- " + f.Key + ": " + quoted(f.Value) + "\n")
	}
	if len(facts) > 0 {
		b.WriteByte('\n')
	}
	if e.Code != "" {
		b.WriteString("```sql\n" + e.Code + "\n```\n\n")
	}
	if len(e.Rows) > 0 {
		b.WriteString("| " + strings.Join(e.Head, " | ") + " |\n|" + strings.Repeat("---|", len(e.Head)) + "\n")
		for _, r := range e.Rows {
			cells := make([]string, len(r))
			for i, c := range r {
				if cells[i] = Escape(c); i < 2 {
					cells[i] = Code(c)
				}
			}
			b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		}
		b.WriteByte('\n')
	}
}

// heading keeps signs from being read as Markdown.
func heading(s string) string {
	return strings.NewReplacer("<", `\<`, ">", `\>`, "*", `\*`, "_", `\_`, "[", `\[`).Replace(s)
}

// quoted shows what is code as code: values that are a sentence stay as they are.
func quoted(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return Code(s)
}

// Escape keeps a cell of a table one line.
func Escape(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

// Code is a text as code in Markdown, in a cell of a table or elsewhere; nothing is nothing.
func Code(s string) string {
	switch {
	case s == "":
		return ""
	case strings.Contains(s, "`"):
		return "`` " + Escape(s) + " ``"
	}
	return "`" + Escape(s) + "`"
}
