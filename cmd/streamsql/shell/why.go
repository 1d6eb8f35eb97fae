package shell

import (
	"fmt"
	"strings"
	"time"

	"streamsql/exec"
	"streamsql/exec/types"
)

// why tells of each input of a job what came of it, what its results wait for, and what would let them go on.
func why(s exec.Stats, zone *time.Location) string {
	var b strings.Builder
	stamp := func(t types.EventTime) string {
		switch t {
		case types.MinTime:
			return "none"
		case types.MaxTime:
			return "the end"
		}
		return time.UnixMilli(int64(t)).In(zone).Format("2006-01-02 15:04:05.000")
	}
	for _, in := range s.Inputs {
		fmt.Fprintf(&b, "  input %s: %d rows read", in.Name, in.Rows)
		if out := in.Rows - in.Kept; out > 0 {
			fmt.Fprintf(&b, ", %d filtered out", out)
		}
		switch {
		case in.Ended:
			b.WriteString(", finished")
		case in.Resting:
			fmt.Fprintf(&b, ", idle, watermark %s", stamp(in.Watermark))
		default:
			fmt.Fprintf(&b, ", watermark %s", stamp(in.Watermark))
		}
		b.WriteByte('\n')
	}
	var oldest *exec.NodeStats
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Waits && (oldest == nil || n.WaitsFor < oldest.WaitsFor) {
			oldest = n
		}
	}
	if oldest != nil {
		fmt.Fprintf(&b, "  the oldest open window waits for %s%s\n    in %s\n", stamp(oldest.WaitsFor), missing(&s, oldest.WaitsFor),
			shortened(oldest.Name))
	}
	b.WriteString(verdict(&s, oldest != nil, stamp))
	for _, n := range s.Nodes {
		for _, c := range n.Noted {
			if c.Value > 0 {
				fmt.Fprintf(&b, "  %s: %d\n", c.Name, c.Value)
			}
		}
	}
	return b.String()
}

// missing is the event time that lies between the watermark and a point.
func missing(s *exec.Stats, point types.EventTime) string {
	if held := holder(s); held != nil && held.Watermark > types.MinTime && held.Watermark < point {
		return fmt.Sprintf(", %v of event time from now", (time.Duration(point-held.Watermark) * time.Millisecond).Round(time.Millisecond))
	}
	return ""
}

// verdict names what holds the job, and how that is mended.
func verdict(s *exec.Stats, waits bool, stamp func(types.EventTime) string) string {
	held := holder(s)
	switch {
	case len(s.Inputs) == 0:
		return "  the job has no inputs that can be told of\n"
	case allEnded(s):
		return "  all inputs are finished: there is nothing more to come\n"
	case rowsIn(s) == 0:
		return "  no input has given a row yet\n"
	case !waits && rowsOut(s) == 0 && allFiltered(s):
		return "  every row was filtered out: look at the conditions in WHERE and ON\n"
	case waits && held != nil && held.Watermark == types.MinTime && held.Rows > 0:
		return fmt.Sprintf("  the watermark is held by %[1]s, which has rows and makes none. Give its table one:\n"+
			"    CREATE TABLE %[1]s ( …, WATERMARK FOR <column> AS <column> - INTERVAL '5' SECOND ) WITH ( … );\n", held.Name)
	case waits && held != nil && len(s.Inputs) > 1 && held.Watermark < furthest(s, held.Rows == 0):
		return fmt.Sprintf("  the watermark is held by %s at %s, the others are at %s. An input without rows gives way by:\n"+
			"    SET 'table.exec.source.idle-timeout' = '5 s';\n", held.Name, stamp(held.Watermark), stamp(furthest(s, held.Rows == 0)))
	case waits && held != nil:
		return fmt.Sprintf("  the watermark is held by %s at %s: later rows of it will move it; without any more,\n"+
			"    the last windows come at the end of the input\n", held.Name, stamp(held.Watermark)) + delayed(s, held.Name)
	case rowsOut(s) > 0:
		return fmt.Sprintf("  nothing holds it: %d rows have come out\n", rowsOut(s))
	}
	return "  rows are read and none has come out yet\n"
}

// delayed shows how an input's watermark is made, where its table says that, and how windows would end sooner.
func delayed(s *exec.Stats, input string) string {
	var b strings.Builder
	for _, n := range s.Nodes {
		if n.Delays {
			fmt.Fprintf(&b, "    it is made by %s\n", shortened(n.Name))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + fmt.Sprintf("  where the rows are less out of order than that allows for, a shorter interval lets windows end sooner:\n"+
		"    CREATE TABLE %s ( …, WATERMARK FOR <column> AS <column> - INTERVAL '1' SECOND ) WITH ( … );\n", input)
}

// holder is the input that has the least watermark of those that count.
func holder(s *exec.Stats) *exec.InputStats {
	var held *exec.InputStats
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if !in.Ended && !in.Resting && (held == nil || in.Watermark < held.Watermark) {
			held = in
		}
	}
	return held
}

// furthest is the watermark of the input that is ahead of the others; ended says whether those count that are finished.
func furthest(s *exec.Stats, ended bool) types.EventTime {
	at := types.MinTime
	for _, in := range s.Inputs {
		switch {
		case in.Ended && ended:
			at = types.MaxTime
		case !in.Ended:
			at = max(at, in.Watermark)
		}
	}
	return at
}

func allEnded(s *exec.Stats) bool {
	for _, in := range s.Inputs {
		if !in.Ended {
			return false
		}
	}
	return true
}

func allFiltered(s *exec.Stats) bool {
	for _, in := range s.Inputs {
		if in.Kept > 0 {
			return false
		}
	}
	return true
}

// shortened is the beginning of an operator's line in EXPLAIN.
func shortened(name string) string {
	const most = 100
	if r := []rune(name); len(r) > most {
		return string(r[:most]) + "…"
	}
	return name
}
