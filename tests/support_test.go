package tests

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/reference"
	"streamsql/connectors"
	"streamsql/exec/function"
	"streamsql/planner"
)

// supportPage says how much of Flink there is: by the cases of the corpus, and by the functions.
func supportPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# What there is of Flink\n\n" + reference.Generated + "Each case of the corpus is a statement with the outcome that a real Flink 2.3 gave. " +
		"A case\nis equal when the rows, the kinds of their changes and the types of the columns are, or the refusal is.\n\n" +
		"| topic | cases | equal | other |\n|---|---|---|---|\n")
	gaps := readGaps(t)
	cases, other := 0, 0
	var list []string
	for _, f := range judgedFiles {
		all, err := readCorpus(corpusDir + "/" + f + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range all {
			if reason, ok := gaps[c.id]; ok {
				n++
				list = append(list, "| "+reference.Code(c.id)+" | "+reference.Code(strings.TrimSpace(c.sql))+" | "+reference.Escape(strings.TrimSpace(reason))+" |\n")
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", f, len(all), len(all)-n, n)
		cases, other = cases+len(all), other+n
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d |\n\n## Other outcomes\n\n| case | statement | why |\n|---|---|---|\n%s\n", cases, cases-other, other, strings.Join(list, ""))
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	r, err := s.Prepare("SHOW FUNCTIONS")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, row := range r.Rows {
		have[strings.ToUpper(row[0])] = true
	}
	var missing []string
	for _, f := range planner.FlinkFunctions() {
		bound := slices.ContainsFunc(reference.BoundFunctions, func(b reference.Bound) bool { return b.Name == f })
		if !have[f] && !bound && function.Lookup(f) == nil && function.LookupAggregate(f) == nil {
			missing = append(missing, reference.Code(f))
		}
	}
	if len(missing) == 0 {
		missing = []string{"None."}
	}
	b.WriteString("## Functions of Flink that are missing\n\n" + strings.Join(missing, ", ") + "\n\nThose that there are: [functions.md](functions.md). " +
		"What else differs: [differences.md](../differences.md).\n")
	return b.String()
}
