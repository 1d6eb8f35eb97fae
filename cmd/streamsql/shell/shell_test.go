package shell

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors"
	"streamsql/exec"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// newShell makes a shell without a terminal.
func newShell(t testing.TB) (s *Shell, out, errs *bytes.Buffer) {
	t.Helper()
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	r := &script.Runner{Session: planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now}), Result: render.Options{Format: "csv"}}
	in := strings.NewReader("")
	s = New(Options{Runner: r, In: in, Out: out, Err: errs, Terminal: NewTerminal(in, out, errs, false), Color: "never"})
	s.r.Out, s.r.Err = s.out, errs
	s.text = r.Text("")
	return s, out, errs
}

// TestKeys: what is typed comes as it is, under the names that the editor knows; what is pasted has no keys in it.
func TestKeys(t *testing.T) {
	for in, want := range map[string]string{
		"ab\r":             "ab\r",
		"a\x00b":           "ab",
		"é\x1b[1;5Dx":      "é\x1bbx",
		"\x1b[1~\x1b[4~":   "\x1b[H\x1b[F",
		"\x1b[A\x1bOB\x1b": "\x1b[A\x1bOB",
		"x\x1b[200~a\tb\r\nc\nd\x1b[31m\x03\x1b[201~y": "xa" + string(pastedTab) + "b\rc\rd[31my",
		"\x1b[200~\x1b[201\x1b[201~z":                  "[201z",
	} {
		for _, size := range []int{1, 2, 3, 100} {
			k := &keys{from: &slow{in, size}}
			got, err := io.ReadAll(k)
			if err != nil || string(got) != want {
				t.Errorf("%q in pieces of %d: %q, want %q; %v", in, size, got, want, err)
			}
		}
	}
}

// slow gives a text in pieces.
type slow struct {
	text string
	size int
}

func (s *slow) Read(b []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	n := copy(b, s.text[:min(s.size, len(s.text))])
	s.text = s.text[n:]
	return n, nil
}

// TestOneLine: a statement of many lines is one line that means the same.
func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT 1,\n  2;\n":                         "SELECT 1,   2;",
		"SELECT 1 -- one\n, 2;":                     "SELECT 1 /* one */ , 2;",
		"SELECT 1 // a */ b\n;":                     "SELECT 1 /* a * / b */ ;",
		"SELECT '--\n', `//`, \"/*\" /* a\n  b */;": "SELECT '--\ue00a', `//`, \"/*\" /* a b */;",
		"SELECT 1 -- last":                          "SELECT 1 /* last */",
		"SELECT 'it''s';":                           "SELECT 'it''s';",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		values := func(text string) (out []string) {
			for _, k := range parse.Tokens(text) {
				out = append(out, strings.ReplaceAll(k.Value, string(lineEnd), "\n")+k.Upper)
			}
			return out
		}
		if a, b := values(in), values(want); !reflect.DeepEqual(a, b) {
			t.Errorf("%q has the tokens %q, %q has %q", in, a, want, b)
		}
	}
}

// TestHistory: what is remembered lasts, is nobody else's to read, has no secrets in it and has an end.
func TestHistory(t *testing.T) {
	name := filepath.Join(t.TempDir(), "deep", "history")
	h, err := openHistory(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"SELECT 1;", "SELECT 1;", "SELECT\n2;", "SET 'my.password' = 'x';", "", strings.Repeat("x", longestEntry+1)} {
		if err := h.add(text); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"SELECT 1;", "SELECT 2;"}
	if h, err = openHistory(name); err != nil || !reflect.DeepEqual(h.lines, want) {
		t.Errorf("%q, %v", h.lines, err)
	}
	if err := os.WriteFile(name, bytes.Repeat([]byte("SELECT 3;\xff\n"), historyLimit+5), 0o644); err != nil {
		t.Fatal(err)
	}
	h, err = openHistory(name)
	if info, e := os.Stat(name); err != nil || e != nil || len(h.lines) != historyLimit || info.Mode().Perm() != 0o600 {
		t.Errorf("%d entries, %v, %v", len(h.lines), err, e)
	}
	if _, err := openHistory("/dev/null/history"); err == nil {
		t.Error("a history below a file opened")
	}
}

// TestPaint: colours change no character, in whatever state a statement is.
func TestPaint(t *testing.T) {
	s, _, _ := newShell(t)
	s.color = true
	plainOf := func(colored string) string {
		for _, c := range []string{colorKeyword, colorText, colorNumber, colorComment, colorOff} {
			colored = strings.ReplaceAll(colored, c, "")
		}
		return colored
	}
	for _, c := range []struct{ before, line, has string }{
		{"", "SELECT 'a', 1.5 -- note", colorKeyword + "SELECT" + colorOff},
		{"SELECT 'a\n", "b', 2", colorText + "b'" + colorOff},
		{"/* open\n", "still", colorComment + "still"},
		{"", "SELECT 'ü 表' \\ ?", colorText + "'ü 表'"},
		{"", `\d select`, `\d select`},
		{"", "", ""},
	} {
		s.text.Clear()
		if err := s.text.Take(t.Context(), []byte(c.before), false); err != nil {
			t.Fatal(err)
		}
		got := string(s.paint([]rune(c.line)))
		if plainOf(got) != c.line || !strings.Contains(got, c.has) {
			t.Errorf("%q behind %q: %q", c.line, c.before, got)
		}
	}
}

// TestComplete: what is offered at places of statements and commands, and that it does not take long.
func TestComplete(t *testing.T) {
	s, _, _ := newShell(t)
	ddl := "CREATE TABLE orders (id INT, amount DECIMAL(8, 2)) WITH ('connector' = 'blackhole');"
	if err := s.Script(t.Context(), ddl, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want string // one of the offers
		not  string
	}{
		{"", "SELECT", "TABLE"},
		{"SELECT 1; ins", "insert", "inner"},
		{"SHOW ", "TABLES", "SELECT"},
		{"DESCRIBE ", "orders", "SELECT"},
		{"INSERT INTO ord", "orders", "ORDER"},
		{"SELECT * FROM nexmark.", "bid", "orders"},
		{"SELECT * FROM orders AS o WHERE o.", "amount", "orders"},
		{"SELECT * FROM orders WHERE ", "id", "SELECT"},
		{"SELECT uppe", "upper(", "UPPER("},
		{"CREATE TABLE x (a INT) WITH ('", "connector'", "path'"},
		{"CREATE TABLE x (a INT) WITH ('connector' = '", "blackhole'", ""},
		{"CREATE TABLE x (a INT) WITH ('connector' = 'filesystem', 'form", "format'", "connector'"},
		{"CREATE TABLE x (a INT) WITH ('connector' = 'filesystem', 'path' = 'shell_t", "shell_test.go", ""},
		{"SET 'execution.runtime-mode' = '", "BATCH'", ""},
		{`\ti`, `\timing `, ""},
		{`\pset format n`, "ndjson", "csv"},
		{`\h create t`, "create table", ""},
		{`\i shell_t`, "shell_test.go", ""},
		{"SELECT 'a quote that is open", "", ""},
	} {
		began := time.Now()
		o := s.complete("", c.text)
		if d := time.Since(began); d > 200*time.Millisecond {
			t.Errorf("%q took %v", c.text, d)
		}
		list := strings.Join(o.words, "\n")
		has := func(w string) bool { return strings.Contains("\n"+list+"\n", "\n"+w+"\n") }
		if c.want != "" && !has(c.want) || c.not != "" && has(c.not) || c.want == "" && list != "" {
			t.Errorf("%q: %q", c.text, o.words)
		}
	}
}

// TestWhy names the input that holds the watermark, and what would help.
func TestWhy(t *testing.T) {
	window := exec.NodeStats{Name: "WindowAggregate(…)", Waits: true, WaitsFor: 10_000}
	late := exec.NodeStats{Name: "W", Noted: []op.Counter{{Name: "late rows dropped", Value: 7}}}
	for want, s := range map[string]exec.Stats{
		"no input has given a row":   {Inputs: []exec.InputStats{{Name: "a", Watermark: types.MinTime}}},
		"all inputs are finished":    {Inputs: []exec.InputStats{{Name: "a", Rows: 1, Ended: true}}},
		"every row was filtered out": {Inputs: []exec.InputStats{{Name: "a", Rows: 9, Watermark: types.MinTime}}},
		"WATERMARK FOR":              {Nodes: []exec.NodeStats{window}, Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Watermark: types.MinTime}}},
		"held by b at 1970-01-01 00:00:05.000, the others are at 1970-01-01 00:00:20.000": {Nodes: []exec.NodeStats{window},
			Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Watermark: 20_000}, {Name: "b", Rows: 1, Kept: 1, Watermark: 5_000}}},
		"SET 'table.exec.source.idle-timeout'": {Nodes: []exec.NodeStats{window},
			Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Watermark: 20_000}, {Name: "b", Rows: 1, Kept: 1, Watermark: 5_000}}},
		"waits for 1970-01-01 00:00:10.000, 5s of event time from now": {Nodes: []exec.NodeStats{window},
			Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Watermark: 5_000}}},
		"held by b at none, the others are at the end": {Nodes: []exec.NodeStats{window},
			Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Ended: true}, {Name: "b", Watermark: types.MinTime}}},
		"held by c at 1970-01-01 00:00:05.000: later rows of it": {Nodes: []exec.NodeStats{window},
			Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Ended: true}, {Name: "c", Rows: 1, Kept: 1, Watermark: 5_000}}},
		"it is made by M(…)\n  where the rows are less out of order than that allows for, a shorter interval lets windows end sooner:\n" +
			"    CREATE TABLE a ( …, WATERMARK FOR": {Nodes: []exec.NodeStats{window, {Name: "M(…)", Delays: true}},
			Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Watermark: 5_000}}},
		"nothing holds it: 8 rows have come out": {Nodes: []exec.NodeStats{{Name: "Sink", Sink: true, Counters: exec.Counters{RowsIn: 8}}},
			Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9, Watermark: 5_000}}},
		"late rows dropped: 7": {Nodes: []exec.NodeStats{late}, Inputs: []exec.InputStats{{Name: "a", Rows: 9, Kept: 9}}},
	} {
		if got := why(s, time.UTC); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestSurvives: a panic ends a statement.
func TestSurvives(t *testing.T) {
	s, _, _ := newShell(t)
	err := s.foreground(t.Context(), func(context.Context) error { panic("oops") })
	if err == nil || !strings.Contains(err.Error(), "oops") {
		t.Error(err)
	}
	if got := string(painter(func([]rune) []rune { panic("oops") }).Paint([]rune("SELECT"), 0)); got != "SELECT" {
		t.Errorf("a line without colours is %q", got)
	}
}

// TestHelpExamples: every example of \h is a statement.
func TestHelpExamples(t *testing.T) {
	for _, h := range statements {
		for _, p := range parse.Script(h.example) {
			if _, err := p.Parse(); err != nil {
				t.Errorf("%s: %v", h.name, err)
			}
		}
	}
}

// TestErrorsPointToHelp: every statement that an error of the parser points to is explained.
func TestErrorsPointToHelp(t *testing.T) {
	for _, topic := range parse.Topics() {
		if len(helpOf(topic)) == 0 {
			t.Errorf(`\h %s explains nothing`, topic)
		}
	}
}

// TestWordsOfTheGrammar: every statement that the parser takes is explained and completed, and so are the words that follow
// SHOW, CREATE, ALTER, DROP and their like. The words are those that stand in the parser's own files.
func TestWordsOfTheGrammar(t *testing.T) {
	files, err := filepath.Glob("../../../planner/parse/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no parser", err)
	}
	words := map[string]bool{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"([A-Z]{2,})"`).FindAllStringSubmatch(string(b), -1) {
			words[m[1]] = true
		}
	}
	// taken tells a word that the parser takes behind what stands before it: its error, if there is one, is not at the word.
	taken := func(before, word string) bool {
		st, err := parse.Statement(before + word)
		if _, unsupported := st.(*syntax.Unsupported); unsupported {
			return false
		}
		var e *syntax.Error
		return err == nil || errors.As(err, &e) && e.Pos >= len(before)+len(word)
	}
	// What is taken to be refused with a reason, what is another word's way of saying it, and what is of a session.
	others := []string{"COMPILE", "DELETE", "LOAD", "STATEMENT", "TABLE", "TRUNCATE", "UNLOAD", "UPDATE", "UPSERT", "CLEAR",
		"JARS", "MATERIALIZED", "MODEL", "MODELS", "PROCEDURES"}
	whole := map[string]string{"OR": "OR REPLACE", "PLAN": "PLAN FOR"} // words that come in twos
	n := 0
	for w := range words {
		if taken("", w) && !slices.Contains(others, w) {
			n++
			if !slices.Contains(begins, w) {
				t.Errorf("statements begin with %s, which is not completed", w)
			}
		}
		for before, list := range follows {
			if slices.Contains([]string{"SHOW", "CREATE", "ALTER", "DROP", "INSERT", "STOP"}, before) && taken(before+" ", w) &&
				!slices.Contains(list, w) && !slices.Contains(others, w) {
				t.Errorf("%s is taken behind %s, and is not completed", w, before)
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d words that statements begin with", n)
	}
	for _, w := range begins {
		if !taken("", w) {
			t.Errorf("%s is completed, and no statement begins with it", w)
		}
	}
	for before, list := range follows {
		for _, w := range list {
			if slices.Contains(begins, before) && !taken(before+" ", cmp.Or(whole[w], w)) {
				t.Errorf("%s is completed behind %s, and is not taken there", w, before)
			}
		}
	}
}

// TestHistoryOfTwo: sessions that write one history at once, and one that cuts it short meanwhile, lose no statement and
// tear none.
func TestHistoryOfTwo(t *testing.T) {
	name := filepath.Join(t.TempDir(), "history")
	const sessions, each = 4, 300
	var wg sync.WaitGroup
	for k := range sessions {
		wg.Go(func() {
			h, err := openHistory(name)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range each {
				if err := h.add(fmt.Sprintf("SELECT %d, %d, '%s';", k, i, strings.Repeat("x", 5000))); err != nil {
					t.Error(err)
				}
				if i%50 == 49 {
					if h, err = openHistory(name); err != nil { // as a session that begins
						t.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	h, err := openHistory(name)
	if err != nil || len(h.lines) != sessions*each {
		t.Fatalf("%d statements, %v", len(h.lines), err)
	}
	next := make([]int, sessions)
	for _, l := range h.lines {
		var k, i int
		if _, err := fmt.Sscanf(l, "SELECT %d, %d, ", &k, &i); err != nil || !strings.HasSuffix(l, "xx';") || next[k] != i {
			t.Fatalf("%.40s: %v", l, err)
		}
		next[k]++
	}
	before, err := openHistory(name) // the file is cut short below a session that has it
	if err != nil {
		t.Fatal(err)
	}
	for i := range historyLimit {
		if err := before.add(fmt.Sprintf("SELECT %d;", i)); err != nil {
			t.Fatal(err)
		}
	}
	wg.Go(func() {
		for range 20 {
			if _, err := openHistory(name); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 500 {
		if err := before.add(fmt.Sprintf("SELECT 'late', %d;", i)); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	h, err = openHistory(name)
	if err != nil || len(h.lines) != historyLimit || h.lines[historyLimit-500] != "SELECT 'late', 0;" ||
		h.lines[historyLimit-1] != "SELECT 'late', 499;" {
		t.Errorf("%d statements, the last ones %.80q, %v", len(h.lines), h.lines[len(h.lines)-2:], err)
	}
}

// TestProgramReadsEnough: a program behind \o may end before the rows do; what follows is shown again.
func TestProgramReadsEnough(t *testing.T) {
	s, out, errs := newShell(t)
	for _, line := range []string{"\\o | head -1", "SELECT auction FROM nexmark.bid;", "SELECT 'here' AS x;"} {
		if err := s.text.Take(t.Context(), []byte(line+"\n"), false); err != nil {
			s.report(err)
		}
	}
	if got, want := errs.String(), "'head -1' has read what it wants: rows come here again\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := out.String(), "auction\nx\nhere\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHostileInput: no text crashes the reading of statements, commands or words to complete.
func TestHostileInput(t *testing.T) {
	for _, text := range []string{"\x7fELF\x00\xff\xfe;\n", "\\", "\\\\\\", "`", "'", "/*", "--", ";;;;", "SELECT \xff\xfe;", "${", ":'", "\\set\n\\set x\n:x;",
		strings.Repeat("(", 20000) + ";", "\\i\n", "\\g\n", "\\o |\n", "\\pset null\n", "\\h \x00\n", "\ufeff\ufeff;"} {
		s, _, _ := newShell(t)
		_ = s.Script(t.Context(), text, "") // an error is fine
		for i := range min(len(text), 50) {
			s.complete("", text[:i+1])
			s.paint([]rune(text[:i+1]))
		}
	}
}

// TestStatus is the line about a job: with a bar where its inputs end and tell how far they are.
func TestStatus(t *testing.T) {
	s := exec.Stats{Wall: 10 * time.Second, Inputs: []exec.InputStats{{Name: "a", Rows: 5000, Bounded: true, Share: 0.5},
		{Name: "b", Rows: 5000, Bounded: true, Share: 1}}, Nodes: []exec.NodeStats{{Sink: true, Watermark: 0, Counters: exec.Counters{RowsIn: 20}}}}
	p := &progress{}
	p.see(s)
	if got, want := strings.Join(p.parts(), "  "), "00:10  [#########...] 75% ~00:03 left  in 1.00k/s  out 2/s  wm 1970-01-01 00:00:00"; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	s.Inputs[0].Bounded = false
	p.see(s)
	if got := strings.Join(p.parts(), "  "); strings.Contains(got, "#") {
		t.Error(got)
	}
}

// TestBottleneck is that of the last moments: what was busy once and waits now holds nobody up.
func TestBottleneck(t *testing.T) {
	s := exec.Stats{Wall: time.Second, Nodes: []exec.NodeStats{{Name: "Source: a, need=[x]"}, {Stage: 1, Name: "Join(of=[a])"}},
		Tasks: []exec.TaskStats{{Busy: 200 * time.Millisecond, Soft: 800 * time.Millisecond}, {Stage: 1, Busy: time.Second}}}
	p := &progress{}
	p.see(s)
	if got := strings.Join(p.parts(), "  "); !strings.Contains(got, "  busy Join 100%  mem ") || !strings.HasSuffix(got, "  back-pressure 80%") {
		t.Error(got)
	}
	for range 2 {
		p.at = time.Now().Add(-rateSpan)
		s.Wall += 10 * time.Second
		p.see(s)
	}
	if got, held := p.bottleneck(); got != "" || held != 0 {
		t.Errorf("all wait: %q, %d", got, held)
	}
}

// TestEndlessFlows: a table of a query without end is not held until its end, where no terminal shows it either.
func TestEndlessFlows(t *testing.T) {
	s, _, _ := newShell(t)
	for q, flows := range map[*script.Query]bool{
		{Endless: true}:  true,
		{Endless: false}: false,
		{Endless: true, Options: render.Options{Limit: 3}}:       false,
		{Endless: true, Options: render.Options{Updating: true}}: false,
	} {
		q.Options.Format = "table"
		got, err := s.show(*q)
		if _, is := got.(*counter); err != nil || is != flows {
			t.Errorf("%+v: %T, %v", q, got, err)
		}
	}
}
