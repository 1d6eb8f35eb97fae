package shell

import "testing"

// TestColorsCanBeTurnedOff: the flag goes before NO_COLOR, that before CLICOLOR_FORCE, that before TERM and the stream.
func TestColorsCanBeTurnedOff(t *testing.T) {
	for _, c := range []struct {
		flag, no, force, term string
		terminal, want        bool
	}{
		{"auto", "", "", "xterm", true, true},
		{"auto", "", "", "xterm", false, false},
		{"auto", "", "", "dumb", true, false},
		{"auto", "1", "", "xterm", true, false},
		{"auto", "1", "1", "xterm", true, false},
		{"auto", "", "1", "dumb", false, true},
		{"auto", "", "0", "xterm", false, false},
		{"always", "1", "", "dumb", false, true},
		{"never", "", "1", "xterm", true, false},
	} {
		t.Setenv("NO_COLOR", c.no)
		t.Setenv("CLICOLOR_FORCE", c.force)
		t.Setenv("TERM", c.term)
		if got := colored(c.flag, c.terminal); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestWordsFollowStatements: what may follow is offered behind every word that a statement begins with.
func TestWordsFollowStatements(t *testing.T) {
	s, _, _ := newShell(t)
	for line, want := range map[string]string{
		"SHOW TAB": "TABLES", "SHOW CREATE TABLE nexmark.b": "bid", "DESCRIBE nexmark.b": "bid", "EXPLAIN SEL": "SELECT",
		"COPY (SEL": "SELECT", "COPY nexmark.b": "bid",
		"INSERT IN": "INTO", "DROP V": "VIEW", "STOP J": "JOB", "SELECT price FROM nexmark.bid WHERE pri": "price",
	} {
		found := false
		words := s.complete("", line).words
		for _, w := range words {
			found = found || w == want
		}
		if !found {
			t.Errorf("%q: %q is not among %q", line, want, words)
		}
	}
}
