package function

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errUnsupported wraps what JSON paths have elsewhere and not here.
var errUnsupported = errors.New("not supported")

// jsonPath is a compiled path. In strict mode what is missing is an error, in lax mode it is empty.
type jsonPath struct {
	lax   bool
	steps []jsonStep
	// indefinite paths, with a wildcard or the like, give the list of what they find.
	indefinite bool
}

type jsonStepKind uint8

const (
	stepNames  jsonStepKind = iota // .a ['a', 'b']
	stepItems                      // [0] [-1] [0, 2]
	stepSlice                      // [1:3]
	stepAll                        // .* [*]
	stepDeeper                     // ..
)

type jsonStep struct {
	kind     jsonStepKind
	names    [][]byte
	items    []int
	from, to int // of a slice; to is exclusive
	open     bool
}

var errJSONPath = errors.New("bad JSON path")

// compileJSONPath reads `[strict|lax] $.a['b'][0]..`. A path that does not start with a dollar is taken
// for a name, as JsonPath does.
func compileJSONPath(text string) (*jsonPath, error) {
	p := &jsonPath{}
	s := strings.TrimSpace(text)
	if len(s) >= 3 && strings.EqualFold(s[:3], "lax") {
		p.lax, s = true, s[3:]
	} else if len(s) >= 6 && strings.EqualFold(s[:6], "strict") {
		s = s[6:]
	}
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return nil, errJSONPath
	case s[0] == '$':
		s = s[1:]
	default:
		s = "." + s
	}
	for s != "" {
		rest, err := p.step(s)
		if err != nil {
			return nil, err
		}
		s = rest
	}
	for i := range p.steps {
		p.indefinite = p.indefinite || p.steps[i].indefinite()
	}
	return p, nil
}

func (p *jsonPath) step(s string) (rest string, err error) {
	switch {
	case strings.HasPrefix(s, ".."):
		p.steps = append(p.steps, jsonStep{kind: stepDeeper})
		s = s[2:]
		if s == "" {
			return "", errJSONPath
		}
		if s[0] == '[' {
			return s, nil
		}
	case s[0] == '.':
		s = s[1:]
	case s[0] == '[':
		return p.bracket(s)
	default:
		return "", errJSONPath
	}
	n := strings.IndexAny(s, ".[")
	if n < 0 {
		n = len(s)
	}
	switch name := s[:n]; {
	case name == "":
		return "", errJSONPath
	case name == "*":
		p.steps = append(p.steps, jsonStep{kind: stepAll})
	case strings.HasSuffix(name, ")"):
		return "", fmt.Errorf("%w: functions in JSON paths", errUnsupported)
	default:
		p.steps = append(p.steps, jsonStep{kind: stepNames, names: [][]byte{[]byte(name)}})
	}
	return s[n:], nil
}

// bracket reads a step in brackets.
func (p *jsonPath) bracket(s string) (rest string, err error) {
	s = strings.TrimSpace(s[1:])
	switch {
	case strings.HasPrefix(s, "?"):
		return "", fmt.Errorf("%w: filters in JSON paths", errUnsupported)
	case strings.HasPrefix(s, "*"):
		p.steps = append(p.steps, jsonStep{kind: stepAll})
		return closeBracket(s[1:])
	case strings.HasPrefix(s, "'"), strings.HasPrefix(s, `"`):
		return p.quotedNames(s)
	}
	inside, _, ok := strings.Cut(s, "]")
	if !ok {
		return "", errJSONPath
	}
	rest = s[len(inside)+1:]
	if from, to, ok := strings.Cut(inside, ":"); ok {
		x := jsonStep{kind: stepSlice, open: strings.TrimSpace(to) == ""}
		if x.from, err = pathNumber(from); err != nil {
			return "", err
		}
		if x.to, err = pathNumber(to); err != nil {
			return "", err
		}
		p.steps = append(p.steps, x)
		return rest, nil
	}
	x := jsonStep{kind: stepItems}
	for _, item := range strings.Split(inside, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil {
			return "", errJSONPath
		}
		x.items = append(x.items, n)
	}
	p.steps = append(p.steps, x)
	return rest, nil
}

func pathNumber(s string) (int, error) {
	if s = strings.TrimSpace(s); s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, errJSONPath
	}
	return n, nil
}

func closeBracket(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != ']' {
		return "", errJSONPath
	}
	return s[1:], nil
}

func (p *jsonPath) quotedNames(s string) (string, error) {
	x := jsonStep{kind: stepNames}
	for {
		if s == "" || s[0] != '\'' && s[0] != '"' {
			return "", errJSONPath
		}
		quote, name := s[0], []byte(nil)
		s = s[1:]
		for s != "" && s[0] != quote {
			if s[0] == '\\' && len(s) > 1 {
				s = s[1:]
			}
			name = append(name, s[0])
			s = s[1:]
		}
		if s == "" {
			return "", errJSONPath
		}
		x.names = append(x.names, name)
		s = strings.TrimSpace(s[1:])
		if !strings.HasPrefix(s, ",") {
			p.steps = append(p.steps, x)
			return closeBracket(s)
		}
		s = strings.TrimSpace(s[1:])
	}
}

// jsonFinder walks paths; its memory serves the next walk.
type jsonFinder struct{ now, then []int32 }

// find returns the nodes that p leads to. missing says that it led nowhere before it came to its first
// indefinite step.
func (f *jsonFinder) find(d *jsonDocument, p *jsonPath) (found []int32, missing bool) {
	f.now = append(f.now[:0], 0)
	definite := true
	for i := range p.steps {
		definite = definite && !p.steps[i].indefinite()
		f.then = f.then[:0]
		for _, n := range f.now {
			f.then = p.steps[i].follow(d, n, f.then)
		}
		f.now, f.then = f.then, f.now
		missing = missing || definite && len(f.now) == 0
	}
	return f.now, missing
}

func (x *jsonStep) indefinite() bool {
	return x.kind >= stepSlice || len(x.names) > 1 || len(x.items) > 1
}

func (x *jsonStep) follow(d *jsonDocument, n int32, out []int32) []int32 {
	node := &d.nodes[n]
	switch x.kind {
	case stepNames:
		if node.kind == jsonObject {
			for _, name := range x.names {
				if c := d.child(n, name); c != 0 {
					out = append(out, c)
				}
			}
		}
	case stepAll:
		for c := node.first; c != 0; c = d.nodes[c].next {
			out = append(out, c)
		}
	case stepDeeper:
		out = append(out, n)
		for c := node.first; c != 0; c = d.nodes[c].next {
			out = x.follow(d, c, out)
		}
	case stepItems, stepSlice:
		if node.kind == jsonArray {
			return x.pick(d, n, out)
		}
	}
	return out
}

func (x *jsonStep) pick(d *jsonDocument, n int32, out []int32) []int32 {
	size := 0
	for c := d.nodes[n].first; c != 0; c = d.nodes[c].next {
		size++
	}
	at := func(i int) int {
		if i < 0 {
			i += size
		}
		return i
	}
	item := func(i int) {
		c := d.nodes[n].first
		for ; i > 0; i-- {
			c = d.nodes[c].next
		}
		out = append(out, c)
	}
	if x.kind == stepItems {
		for _, i := range x.items {
			if i = at(i); i >= 0 && i < size {
				item(i)
			}
		}
		return out
	}
	to := size
	if !x.open {
		to = min(at(x.to), size)
	}
	for i := max(at(x.from), 0); i < to; i++ {
		item(i)
	}
	return out
}

// jsonPathRefusal refuses a path that is known at planning and has steps that are not supported.
func jsonPathRefusal(args []Arg) error {
	if p, ok := literalText(args, 1); ok {
		if _, err := compileJSONPath(p); errors.Is(err, errUnsupported) {
			return Refuse("%v", err)
		}
	}
	return nil
}

// jsonPaths gives the path of each lane: compiled once when it is known at planning.
type jsonPaths struct {
	known    bool
	constant *jsonPath // nil for a bad path
	compiled cache[*jsonPath]
}

func jsonPathsOf(b Binding) (*jsonPaths, error) {
	p := &jsonPaths{}
	var text string
	if text, p.known = literalText(b.Args, 1); p.known {
		path, err := compileJSONPath(text)
		if errors.Is(err, errUnsupported) {
			return nil, err
		}
		p.constant = path
	}
	return p, nil
}

func (p *jsonPaths) of(r *row) *jsonPath {
	if p.known {
		return p.constant
	}
	path, err := p.compiled.get(r.text(1), 0, compileJSONPath)
	if errors.Is(err, errUnsupported) {
		r.fail(err)
	}
	if err != nil {
		return nil
	}
	return path
}

// jsonLookup is a document and what a path leads to in it.
type jsonLookup struct {
	jsonDocument
	jsonFinder
	paths *jsonPaths
}

// jsonFound is the outcome of a lookup.
type jsonFound struct {
	nodes []int32
	list  bool // an indefinite path: the value is the list of the nodes
	lax   bool
	null  bool   // nothing there, or a JSON null
	fault string // why the path led to an error; "" when it did not
}

func (j *jsonLookup) look(r *row) jsonFound {
	path := j.paths.of(r)
	if path == nil {
		return jsonFound{fault: "bad JSON path"}
	}
	f := jsonFound{list: path.indefinite, lax: path.lax}
	if !j.parse(r.text(0)) {
		if f.null = f.lax; !f.null {
			f.fault = "the text is no JSON"
		}
		return f
	}
	if j.jsonDocument.nodes[0].kind == jsonNull {
		f.fault = "the JSON is null"
		return f
	}
	var missing bool
	f.nodes, missing = j.find(&j.jsonDocument, path)
	switch {
	case missing && !f.lax:
		f.fault = "nothing at the JSON path"
	case missing && !f.list:
		f.null = true
	case !f.list && j.jsonDocument.nodes[f.nodes[0]].kind == jsonNull:
		f.null = true
	}
	return f
}
