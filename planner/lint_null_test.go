package planner_test

import (
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
)

// TestLintNull: lint names comparisons with NULL, wherever they stand, and what was meant.
func TestLintNull(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT price FROM nexmark.bid WHERE auction = NULL":                                             "write IS NULL",
		"SELECT price FROM nexmark.bid WHERE price > 1 AND NULL <> auction":                              "write IS NOT NULL",
		"SELECT price FROM nexmark.bid WHERE auction < NULL":                                             "in no order",
		"SELECT price FROM nexmark.bid WHERE auction IN (1, NULL)":                                       "OR x IS NULL",
		"SELECT price FROM nexmark.bid WHERE auction NOT IN (1, NULL)":                                   "leave NULL out",
		"CREATE VIEW v AS SELECT CASE WHEN price = NULL THEN 1 END AS x FROM nexmark.bid":                "write IS NULL",
		"SELECT price FROM nexmark.bid WHERE auction IS NULL OR auction IN (1, 2)":                       "",
		"SELECT price FROM nexmark.bid WHERE auction IS NOT DISTINCT FROM NULL AND COALESCE(NULL,1) = 1": "",
	} {
		l, err := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now}).Lint(sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		got := ""
		for _, r := range l.Remarks {
			if strings.Contains(r.Msg, "NULL") {
				got += r.Msg
			}
		}
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}
