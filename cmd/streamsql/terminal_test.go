package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// terminalUnderTest is a shell of the system in a terminal, from which the program is started as its user does.
type terminalUnderTest struct {
	t      *testing.T
	socket string
	home   string
}

// newTerminal opens one of a size. Where there is no tmux the test is left out.
func newTerminal(t *testing.T, width, height int) *terminalUnderTest {
	t.Helper()
	for _, p := range []string{"tmux", "bash"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("there is no %s to have a terminal by", p)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := &terminalUnderTest{t: t, home: t.TempDir()}
	x.socket = filepath.Join(x.home, "socket")
	if err := os.Symlink(self, filepath.Join(x.home, "streamsql")); err != nil { // the name that TestMain goes by
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", x.socket, "kill-server").Run() })
	x.tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "bash --norc --noprofile")
	x.line("export PS1='$ ' GORACE=atexit_sleep_ms=0 TERM=screen HOME=" + x.home + " PATH=" + x.home + ":$PATH; " +
		"unset NO_COLOR PAGER XDG_STATE_HOME XDG_CONFIG_HOME LESS; cd; clear")
	x.see(`(?m)\A\$ *$`)
	return x
}

// tmux carries out one of its commands.
func (x *terminalUnderTest) tmux(args ...string) string {
	x.t.Helper()
	c := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// say types a text.
func (x *terminalUnderTest) say(text string) {
	x.t.Helper()
	if strings.HasSuffix(text, ";") { // which tmux takes for the end of its command
		text = strings.TrimSuffix(text, ";") + `\;`
	}
	x.tmux("send-keys", "-l", "--", text)
}

// line types a line.
func (x *terminalUnderTest) line(text string) {
	x.t.Helper()
	x.say(text)
	x.keys("Enter")
}

// keys presses keys by their names.
func (x *terminalUnderTest) keys(names ...string) {
	x.t.Helper()
	x.tmux(append([]string{"send-keys"}, names...)...)
}

// screen is what stands there, without blanks at the ends of lines.
func (x *terminalUnderTest) screen() string {
	x.t.Helper()
	return strings.TrimRight(x.tmux("capture-pane", "-p"), "\n")
}

// patience is how long a screen may take to come.
const patience = 20 * time.Second

// see waits for a screen that a pattern fits.
func (x *terminalUnderTest) see(pattern string) string {
	x.t.Helper()
	re := regexp.MustCompile(pattern)
	for from := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		s := x.screen()
		if re.MatchString(s) {
			return s
		}
		if time.Since(from) > patience {
			x.t.Fatalf("no screen like %q came:\n%s", pattern, s)
		}
	}
}

// program starts the program and waits for its prompt.
func (x *terminalUnderTest) program(args string) {
	x.t.Helper()
	x.line("clear; streamsql " + args)
	x.see(`(?m)^(streamsql)?> *$`)
}

// modes are those of the terminal, as the system's shell sees them.
func (x *terminalUnderTest) modes() string {
	x.t.Helper()
	x.line("clear; stty -g < /dev/tty > modes; echo written")
	x.see(`(?m)^written$`)
	b, err := os.ReadFile(filepath.Join(x.home, "modes"))
	if err != nil {
		x.t.Fatal(err)
	}
	return string(b)
}

const prompt = `(?m)^streamsql> *\z`

// TestTerminalEditing: a statement over several lines is one entry of the history, which lasts; a quote that is open keeps
// the statement open; Ctrl-C clears the line, Ctrl-D leaves, and the terminal is as it was.
func TestTerminalEditing(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 80, 30)
	before := x.modes()
	x.program("")
	x.line("SELECT 'a")
	x.see(`(?m)^ +'> *\z`)
	x.line("b;' AS one, -- a note")
	x.line("2 AS two;")
	x.see(`\| a +\| +2 \|\n\| b;`)
	x.line("/* open")
	x.see(`(?m)^ +\*> *\z`)
	x.line("; */ SELECT 'shut' AS x;")
	x.see(`(?s)\| shut \|.*` + prompt)
	x.say("SELECT 'never'")
	x.keys("C-c")
	x.see(`never'\^C\n` + prompt)
	x.keys("Up", "Up")
	x.see(`SELECT 'a⏎b;' AS one, /\* a note \*/ 2 AS two;\z`)
	x.keys("C-c")
	x.see(`\^C\n` + prompt)
	x.say("SELECT 5 AS")
	x.keys("Home", "C-Right") // to the 5
	x.say("4")
	x.keys("End")
	x.line(" begun;")
	x.see(`(?s)begun.*\| +45 \|.*` + prompt)
	x.keys("C-r")
	x.say("shut")
	x.keys("Enter")
	x.see(`(?s)\| shut \|.*\| shut \|.*` + prompt)
	x.line("CREATE TABLE s (a INT) WITH ('connector' = 'blackhole', 'password' = 'p');")
	x.see(prompt)
	x.keys("C-d")
	x.see(`(?m)^\$ *\z`)
	if after := x.modes(); after != before {
		t.Errorf("the modes were %s and are %s", before, after)
	}
	name := filepath.Join(x.home, ".local", "state", "streamsql", "history")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); !strings.HasPrefix(text, "SELECT 'a\ue00ab;' AS one, /* a note */ 2 AS two;\n/* open ; */ SELECT 'shut' AS x;\n") ||
		strings.Contains(text, "password") || strings.Contains(text, "never") {
		t.Errorf("the history is\n%s", text)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history has the mode %v, %v", info.Mode(), err)
	}
	x.program("")
	x.keys("Up", "Up")
	x.see(`SELECT 45 AS begun;\z`)
	x.keys("C-c", "C-d")
}

// TestTerminalPaste: a script that is pasted runs statement by statement; a mistake in it does not end it, and TABs are
// kept.
func TestTerminalPaste(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 80, 40)
	x.program("")
	file := filepath.Join(x.home, "paste.sql")
	text := "SELECT 1 AS a; SELECT\t2 AS b\n;\nSELECT nope;\nSELECT 'x\ty' AS c,\n\t'z' AS d;\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x.tmux("load-buffer", file)
	x.tmux("paste-buffer", "-p")
	s := x.see(`(?s)\| x\\ty \| z \|.*` + prompt)
	for _, want := range []string{"| a |", "| 2 |", "error[SQ0203]: column 'nope' not found"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
}

// TestTerminalCompletion: a TAB completes from what there is.
func TestTerminalCompletion(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 100, 30)
	x.program("")
	for _, c := range []struct{ typed, want string }{
		{"SEL", "SELECT"},
		{"sel", "select"},
		{"SHOW FUN", "SHOW FUNCTIONS"},
		{"SELECT * FROM nexmark.bi", "SELECT * FROM nexmark.bid"},
		{"SELECT * FROM nexmark.bid WHERE pric", "SELECT * FROM nexmark.bid WHERE price"},
		{"SELECT b.pric", "SELECT b.pric"},
		{"SELECT * FROM nexmark.bid b WHERE b.pric", "SELECT * FROM nexmark.bid b WHERE b.price"},
		{"SELECT REGEXP_REP", "SELECT REGEXP_REPLACE("},
		{"CREATE TABLE t (a INT) WITH ('conn", "CREATE TABLE t (a INT) WITH ('connector'"},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'filesy", "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem'"},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'rows-p", "CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'rows-per-second'"},
		{"SET 'parallelism.d", "SET 'parallelism.default'"},
		{"SET 'table.dml-sync' = 'f", "SET 'table.dml-sync' = 'false'"},
		{`\tim`, `\timing`},
		{`\pset for`, `\pset format`},
		{`\i .loc`, `\i .local/`},
	} {
		x.say(c.typed)
		x.keys("Tab")
		x.see(`(?m)^streamsql> ` + regexp.QuoteMeta(c.want) + ` *\z`)
		x.keys("C-u")
	}
	x.say("SELECT regexp_replace")
	x.keys("Tab")
	x.see(`REGEXP_REPLACE\(<CHARACTER>`) // how it is called
	x.keys("C-c", "C-l")
	for _, tabs := range [][]string{{"Tab"}, {"Tab", "Tab"}} { // offered, and one of them chosen
		x.say("SELECT subs")
		x.keys(tabs...)
		x.see(`substring_index`)
		x.keys("C-c")
		x.say("SELECT 'whole' AS x;")
		x.see(`(?m)^streamsql> SELECT 'whole' AS x; *\z`)
		x.keys("C-c", "C-l")
	}
	x.keys("C-d")
}

// TestTerminalLive: a table is drawn again while its query runs, over a line that tells how it gets on; q leaves it,
// another size of the terminal too changes it, and Ctrl-C stops a query within a second.
func TestTerminalLive(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 100, 20)
	before := x.modes()
	x.program("")
	x.line("SELECT auction, COUNT(*) AS n FROM nexmark.bid GROUP BY auction;")
	x.see(`(?m)^rows 1-15 of \d+  00:\d\d  in [0-9.]+M?k?/s  out .*\[q leaves\]$`)
	x.tmux("resize-window", "-x", "60", "-y", "12")
	x.see(`(?m)^rows 1-7 of `)
	x.keys("Down", "Down")
	x.see(`(?m)^rows 3-9 of `)
	x.keys("q")
	x.see(`(?s)more rows are not shown.*rows\).*` + prompt)
	x.line("CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '500');")
	x.line("CREATE TABLE o (a BIGINT) WITH ('connector' = 'blackhole');")
	x.line("INSERT INTO o SELECT a FROM n;")
	x.see(`job '[0-9a-f]{16}' runs in the background`)
	x.line("INSERT INTO o SELECT CAST('x' || CAST(a AS STRING) AS BIGINT) FROM n;")
	x.see(`(?s)cannot parse .*` + prompt) // above the line that is edited; its begin may be off the screen
	x.line("SELECT a FROM n WHERE CHAR_LENGTH(CAST(a AS STRING)) > 90;")
	x.see(`(?m)^00:\d\d  in \S+  out 0/s`)
	from := time.Now()
	x.keys("C-c")
	x.see(`(?s)stopped; 1 job runs in the background and goes on: \\jobs\n` + prompt)
	if d := time.Since(from); d > 3*time.Second {
		t.Errorf("Ctrl-C took %v", d)
	}
	x.line(`\why`)
	x.see(`(?s)input n: \d+ rows read, \d+ filtered out.*every row was filtered out`)
	x.line(`\fg`)
	x.see(`(?m)^00:\d\d  in `)
	x.keys("C-c")
	x.see(`goes on: \\jobs\n` + prompt)
	x.keys("C-d")
	x.see(`1 job runs in the background and would end with the session`)
	x.keys("C-d")
	x.see(`(?m)^\$ *\z`)
	if after := x.modes(); after != before {
		t.Errorf("the modes were %s and are %s", before, after)
	}
}

// TestTerminalResize: nothing of a table that was drawn at another width stays behind it, and no line loses its end.
func TestTerminalResize(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 10, 24)
	x.program("-q")
	x.line("SELECT price >= 0 AS k, COUNT(*) AS n FROM nexmark.bid GROUP BY price >= 0;")
	x.see(`(?m)^1 row `)
	x.tmux("resize-window", "-x", "80", "-y", "24")
	x.see(`(?m)^1 row .* in .*\[q leaves\]$`)
	x.keys("q")
	if s := x.see(`(?s)FROM nexmark.bid.*\| TRUE +\| +\d+ \|.*` + prompt); strings.Count(s, "| TRUE") != 1 {
		t.Errorf("a table is left there twice:\n%s", s)
	}
}

// TestTerminalProgress: an input of a known size has a bar that tells how much is left, on a terminal alone.
func TestTerminalProgress(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 100, 20)
	script := "CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100', 'number-of-rows' = '150');\n" +
		"CREATE TABLE o (a BIGINT) WITH ('connector' = 'blackhole');\nINSERT INTO o SELECT a FROM n;\n"
	if err := os.WriteFile(filepath.Join(x.home, "known.sql"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	x.line("clear; streamsql sql -f known.sql; echo ended")
	x.see(`(?m)^00:\d\d  \[#+\.+\] \d\d% ~00:0\d left  in `)
	if s := x.see(`(?m)^ended$`); strings.Contains(s, "[#") {
		t.Errorf("the bar stays:\n%s", s)
	}
	x.line("clear; streamsql sql -f known.sql > both 2>&1; streamsql sql -f known.sql 2>&1 | cat >> both; echo both ended")
	x.see(`(?m)^both ended$`)
	b, err := os.ReadFile(filepath.Join(x.home, "both"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(b), "\x1b\r#%") {
		t.Errorf("progress went into a file: %q", b)
	}
}

// TestTerminalEndings: however the program ends or stops, the terminal is as it was.
func TestTerminalEndings(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 80, 24)
	before := x.modes()
	live := "SELECT a, COUNT(*) AS n FROM nexmark.bid AS t(a, b, c, d, e, f, g) GROUP BY a;"
	ends := []string{"TERM", "INT", "QUIT"}
	if !signal.Ignored(syscall.SIGHUP) { // as of a test that outlives its terminal
		ends = append(ends, "HUP")
	}
	for _, end := range ends {
		for _, running := range []bool{false, true} {
			x.program("")
			if running {
				x.line(live)
				x.see(`\[q leaves\]`)
			}
			pid := x.pid()
			if out, err := exec.Command("kill", "-"+end, pid).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			if end == "INT" { // which ends a query, not the session
				x.see(prompt)
				x.keys("C-d")
			}
			x.see(`(?m)^\$ *\z`)
			x.line("clear")
			if after := x.modes(); after != before {
				t.Fatalf("after %s, running %v: the modes were %s and are %s", end, running, before, after)
			}
		}
	}
	for _, running := range []bool{false, true} {
		x.program("")
		if running {
			x.line(live)
			x.see(`\[q leaves\]`)
		}
		x.keys("C-z")
		x.see(`Stopped`)
		if after := x.modes(); after != before {
			t.Fatalf("stopped, running %v: the modes were %s and are %s", running, before, after)
		}
		x.line("fg")
		if running {
			x.see(`\[q leaves\]`)
			x.keys("q")
			x.see(prompt)
		}
		x.keys("C-u")
		x.line("SELECT 'again' AS x;")
		x.see(`(?s)\| again \|.*` + prompt)
		x.keys("C-d")
		x.see(`(?m)^\$ *\z`)
	}
}

// pid is the program's that runs in the terminal.
func (x *terminalUnderTest) pid() string {
	x.t.Helper()
	shell := strings.TrimSpace(x.tmux("display-message", "-p", "#{pane_pid}"))
	out, err := exec.Command("pgrep", "-P", shell).Output()
	if err != nil {
		x.t.Fatalf("no program runs: %v\n%s", err, x.screen())
	}
	return strings.TrimSpace(string(out))
}

// TestTerminalNarrow: ten columns are few, and no reason to end.
func TestTerminalNarrow(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 10, 8)
	x.program("sql -q")
	x.say("SEL")
	x.keys("Tab", "Tab")
	x.say(" 1 AS a")
	x.keys("Tab", "Tab")
	x.line(";")
	x.see(`(?s)\| 1 \|.*> *\z`)
	x.line("SELECT bidder, COUNT(*) FROM nexmark.bid GROUP BY bidder;")
	x.see(`(?m)^rows 1-`)
	x.tmux("resize-window", "-x", "4", "-y", "2")
	time.Sleep(200 * time.Millisecond)
	x.tmux("resize-window", "-x", "90", "-y", "20")
	x.see(`\[q leaves\]`)
	x.keys("q")
	x.see(`> *\z`)
	x.keys("C-d")
	x.see(`\$ *\z`)
}

// TestTerminalBadSurroundings: no history, no pager and no editor are things to tell of, not to end with; a bad line of the
// user's own file is too.
func TestTerminalBadSurroundings(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 120, 30)
	if err := os.WriteFile(filepath.Join(x.home, "rc.sql"), []byte("SELECT nope;\nCREATE VIEW v AS SELECT 7 AS seven;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.line("export STREAMSQL_HISTORY=/dev/null/history STREAMSQL_RC=$HOME/rc.sql PAGER=nopager EDITOR=noeditor")
	x.program("")
	s := x.screen()
	for _, want := range []string{"statements are not remembered", "rc.sql goes on behind an error", "rc.sql:1:8"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	x.line("SELECT * FROM v;")
	x.see(`(?s)\| +7 \|.*` + prompt)
	x.line(`\e`)
	x.see(`the editor failed`)
	x.line("SHOW FUNCTIONS;")
	x.see(`(?s)year.*` + prompt)
	x.line("SELECT x FROM UNNEST(ARRAY[" + strings.TrimSuffix(strings.Repeat("1,", 40), ",") + "]) AS t(x);")
	x.see(`(?s)warning: there is no pager 'nopager'.*|40 rows`)
	x.see(prompt)
	x.line(`\! echo it runs`)
	x.see(`(?m)^it runs$`)
	x.line(";")
	x.line("export;")
	x.see(`(?s)error\[SQ0101\].*` + prompt)
	x.keys("C-d")
}

// TestTerminalPager: what does not fit goes through the pager, and the editor gives back a statement that runs.
func TestTerminalPager(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 80, 20)
	script := filepath.Join(x.home, "edit")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"SELECT 'edited' AS x;\" > \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	x.line("export PAGER='sed s/^/page:/' EDITOR=" + script)
	x.program("")
	x.line("SELECT x FROM UNNEST(ARRAY[" + strings.TrimSuffix(strings.Repeat("1,", 40), ",") + "]) AS t(x);")
	x.see(`(?s)page:\| 1 \|.*` + prompt)
	x.line(`\e`)
	x.see(`(?s)\| edited \|.*` + prompt)
	x.line(`\?`)
	x.see(`(?s)page:Keys.*` + prompt)
	x.line(`\pset pager off`)
	x.line("SELECT x FROM UNNEST(ARRAY[" + strings.TrimSuffix(strings.Repeat("2,", 40), ",") + "]) AS t(x);")
	x.see(`(?s)\n\| 2 \|.*` + prompt)
}

// TestTerminalOnce: at a terminal too, -c shows and ends; --timeout ends what does not.
func TestTerminalOnce(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, 80, 20)
	x.line(`streamsql sql -c "SELECT 1 AS x"; echo code $?`)
	x.see(`(?s)\| 1 \|.*code 0`)
	x.line(`clear; streamsql sql --timeout 1s -c "SELECT bidder, COUNT(*) FROM nexmark.bid GROUP BY bidder"; echo code $?`)
	x.see(`(?m)^code 124$`)
	x.line(`clear; streamsql sql --format csv -c "SELECT auction FROM nexmark.bid" | head -3; echo code ${PIPESTATUS[0]}`)
	x.see(`(?m)^code 0$`)
	x.line(`clear; streamsql sql -c "SELECT bidder, COUNT(*) FROM nexmark.bid GROUP BY bidder"; echo code $?`)
	x.see(`\[q leaves\]`)
	x.keys("C-c")
	x.see(`(?m)^code 130$`)
}
