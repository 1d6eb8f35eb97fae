package bench

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"streamsql/exec"
)

// Table is a table of an operator's state, over all subtasks, when the operator took the most memory.
type Table struct {
	Operator string `json:"operator"`
	Table    string `json:"table"`
	Keys     int64  `json:"keys"`
	Bytes    int64  `json:"bytes"`
}

// tablesOf lists the state of operators. What sinks keep is not of the query.
func tablesOf(stats exec.Stats) (out []Table) {
	for _, n := range stats.Nodes {
		if strings.HasPrefix(n.Name, "Sink: ") {
			continue
		}
		for _, u := range n.Tables {
			out = append(out, Table{n.Name, u.Table, u.Keys, u.Bytes})
		}
	}
	return out
}

// WriteState writes one line per table of each query's state.
func (r *Report) WriteState(w io.Writer) error {
	t := plain(table.Row{"query", "operator", "table", "keys", "bytes", "bytes/key"}, 4, 6)
	for i := range r.Queries {
		for _, x := range r.Queries[i].Tables {
			per := ""
			if x.Keys > 0 {
				per = fmt.Sprintf("%.1f", float64(x.Bytes)/float64(x.Keys))
			}
			operator, _, _ := strings.Cut(x.Operator, "(")
			t.AppendRow(table.Row{r.Queries[i].ID, operator, x.Table, x.Keys, x.Bytes, per})
		}
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}
