package bind

import (
	"fmt"
	"strconv"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// windowParameters are the names and the order of the arguments; a name in brackets may be left out.
var windowParameters = map[string][]string{
	"TUMBLE":   {"DATA", "TIMECOL", "SIZE", "[OFFSET]"},
	"HOP":      {"DATA", "TIMECOL", "SLIDE", "SIZE", "[OFFSET]"},
	"CUMULATE": {"DATA", "TIMECOL", "STEP", "SIZE", "[OFFSET]", "[emitOnlyOnUpdate]"},
	"SESSION":  {"DATA", "TIMECOL", "GAP"},
}

var windowForms = map[string]string{
	"TUMBLE":   "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES)",
	"HOP":      "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES): the slide, then the size",
	"CUMULATE": "CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' MINUTES, INTERVAL '10' MINUTES): the step, then the size",
	"SESSION":  "SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' MINUTES)",
}

// windowArgs gives the arguments by the names of their parameters.
func windowArgs(c *syntax.Call, name string, params []string) (map[string]syntax.Expr, error) {
	out := map[string]syntax.Expr{}
	least := 0
	for _, p := range params {
		if !strings.HasPrefix(p, "[") {
			least++
		}
	}
	if n := len(c.Args); n < least || n > len(params) {
		takes := strconv.Itoa(least)
		switch len(params) - least {
		case 0:
		case 1:
			takes += " or " + strconv.Itoa(len(params))
		default:
			takes += " to " + strconv.Itoa(len(params))
		}
		return nil, failf(c, CodeShape, "%s takes %s arguments, not %d", name, takes, n).WithHint("%s", windowForms[name])
	}
	for i, a := range c.Args {
		p := strings.Trim(params[i], "[]")
		if len(c.ArgNames) > 0 {
			if p = ""; c.ArgNames[i].Name == "" {
				return nil, failf(c.Name, syntax.CodeSyntax, "either all arguments have names or none")
			}
			for _, x := range params {
				if x = strings.Trim(x, "[]"); strings.EqualFold(x, c.ArgNames[i].Name) {
					p = x
				}
			}
			if p == "" {
				return nil, failf(c.ArgNames[i], CodeFunction, "%s has no argument '%s'", name, c.ArgNames[i].Name).
					WithHint("%s", suggest(strings.ToUpper(c.ArgNames[i].Name), "arguments", plainNames(params)))
			}
			if out[p] != nil {
				return nil, failf(c.ArgNames[i], CodeDuplicate, "the argument '%s' stands twice", p).
					WithHint("leave one of them out")
			}
		}
		out[p] = a
	}
	for _, p := range params[:least] {
		if out[p] == nil {
			return nil, failf(c, CodeShape, "%s needs its argument %s", name, p).WithHint("%s", windowForms[name])
		}
	}
	return out, nil
}

func plainNames(params []string) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = strings.Trim(p, "[]")
	}
	return out
}

// windowOf reads the lengths of a window.
func (w *work) windowOf(c *syntax.Call, name string, args map[string]syntax.Expr) (op.Window, error) {
	var win op.Window
	for _, x := range []struct {
		name string
		to   *int64
	}{{"SIZE", &win.Size}, {"GAP", &win.Size}, {"SLIDE", &win.Step}, {"STEP", &win.Step}, {"OFFSET", &win.Offset}} {
		if args[x.name] == nil {
			continue
		}
		v, err := w.length(args[x.name], name)
		if err != nil {
			return win, err
		}
		*x.to = v
	}
	if e := args["emitOnlyOnUpdate"]; e != nil {
		on, err := w.flag(e, name)
		if err != nil {
			return win, err
		}
		win.OnUpdate = on
	}
	switch name {
	case "HOP":
		win.Kind = op.Hop
	case "CUMULATE":
		win.Kind = op.Cumulate
	case "SESSION":
		win.Kind = op.Session
	}
	return win, checkWindow(c, name, win)
}

// flag is TRUE or FALSE as an argument.
func (w *work) flag(e syntax.Expr, name string) (bool, error) {
	x, err := w.expr(e, &scope{})
	if err != nil {
		return false, err
	}
	switch {
	case expr.Equal(x, expr.Bool(true)):
		return true, nil
	case expr.Equal(x, expr.Bool(false)):
		return false, nil
	}
	return false, failf(e, CodeType, "emitOnlyOnUpdate of %s is TRUE or FALSE, not %s", name, shortText(x)).
		WithHint("emitOnlyOnUpdate => TRUE, or leave it out")
}

// length is an interval in milliseconds.
func (w *work) length(e syntax.Expr, name string) (int64, error) {
	x, err := w.expr(e, &scope{})
	if err != nil {
		return 0, err
	}
	switch x.Type().Kind {
	case types.IntervalMonth:
		return 0, failf(e, CodeType, "%s takes seconds, minutes, hours and days, not months", name).
			WithHint("count days: INTERVAL '30' DAY")
	case types.IntervalDay:
	default:
		return 0, failf(e, CodeType, "%s takes an INTERVAL here, not %s", name, typeText(x)).
			WithHint("%s", windowForms[name])
	}
	k, err := expr.Value(x, w.env)
	if err != nil || k.Value.IsConstNull() {
		return 0, failf(e, CodeType, "%s takes a literal INTERVAL here", name).WithHint("%s", windowForms[name])
	}
	return constMillis(k), nil
}

func checkWindow(at syntax.Node, name string, w op.Window) error {
	switch {
	case w.Kind == op.Session && w.Size <= 0:
		return failf(at, CodeType, "the gap of %s must be positive, but it is %d ms", name, w.Size).
			WithHint("%s", windowForms[name])
	case w.Kind == op.Session:
		return nil
	case w.Size <= 0:
		return failf(at, CodeType, "the size of %s must be positive, but it is %d ms", name, w.Size).
			WithHint("%s", windowForms[name])
	case w.Kind != op.Tumble && w.Step <= 0:
		return failf(at, CodeType, "the step of %s must be positive, but it is %d ms", name, w.Step).
			WithHint("%s", windowForms[name])
	case w.Kind == op.Cumulate && !w.Sliced():
		return notSliced(at, w)
	case w.Offset >= w.Size || -w.Offset >= w.Size:
		return failf(at, CodeType, "the offset of %s must be less than its size, but they are %d ms and %d ms", name, w.Offset, w.Size).
			WithHint("%s", sameOffset(w))
	}
	return nil
}

// sameOffset is the hint for an offset that is as long as the window: the one that gives the same windows.
func sameOffset(w op.Window) string {
	every := w.Size
	if w.Kind == op.Hop {
		every = w.Step
	}
	offset := w.Offset % every
	switch {
	case offset == 0:
		return "leave it out: the windows are the same without"
	case offset >= w.Size || -offset >= w.Size:
		return "it moves the windows by less than one of them"
	}
	return fmt.Sprintf("INTERVAL '%s' SECOND gives the same windows", strconv.FormatFloat(float64(offset)/1000, 'f', -1, 64))
}

// notSliced is the error for a window whose size is no multiple of its step, where it has to be.
func notSliced(at syntax.Node, w op.Window) error {
	name := map[op.WindowKind]string{op.Hop: "HOP", op.Cumulate: "CUMULATE"}[w.Kind]
	return failf(at, CodeType, "the size of %s must be a multiple of its step, but %d ms is none of %d ms", name, w.Size, w.Step).
		WithHint("%s", windowForms[name])
}
