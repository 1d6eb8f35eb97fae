package function

import (
	"fmt"

	"streamsql/exec/types"
)

// jsonQueryOf declares JSON_QUERY.
func jsonQueryOf(c JSONClauses) Scalar {
	result := types.String()
	if c.Returning != nil {
		result = c.Returning.WithNull(true)
	}
	return Scalar{
		Name: "JSON_QUERY", Nulls: Custom, Fails: true,
		Forms: []string{"<CHARACTER>, <CHARACTER> [RETURNING <TYPE>] [{WITHOUT | WITH [CONDITIONAL | UNCONDITIONAL]} [ARRAY] WRAPPER]" +
			" [{NULL | EMPTY ARRAY | EMPTY OBJECT | ERROR} ON {EMPTY | ERROR}]..."},
		Type: func(args []Arg) (Signature, error) {
			if k := result.Kind; !k.IsText() && (k != types.Array || !result.Elem().Kind.IsText()) {
				return Signature{}, Refuse("JSON_QUERY cannot return %s; it knows STRING and ARRAY<STRING>", result)
			}
			sig, err := textForm("tt", always(result))(args)
			if err == nil {
				err = jsonPathRefusal(args)
			}
			return sig, err
		},
		Bind: func(b Binding) (Kernel, error) {
			paths, err := jsonPathsOf(b)
			q := &jsonQuery{jsonLookup: jsonLookup{paths: paths}, clauses: c}
			if b.Result.Kind == types.Array {
				return listKernel(b.Result.Elem(), q.list), err
			}
			return textKernel(q.text), err
		},
		Doc: Doc{Group: "json", Text: "The array or object at a path in a JSON text, as JSON. Paths are strict unless they start" +
			" with lax: what is missing is an error, which gives NULL unless ON ERROR says otherwise.",
			Example: `JSON_QUERY('{"a": [1, 2]}', '$.a')`, Value: "[1,2]"},
	}
}

type jsonQuery struct {
	jsonLookup
	clauses JSONClauses
	out     []byte
}

// found finds the value of a lane: the nodes to write, wrapped in an array or not, or an answer.
func (q *jsonQuery) found(r *row) (nodes []int32, wrapped bool, answer JSONAnswer, why string) {
	f := q.look(r)
	if f.fault != "" {
		return nil, false, q.clauses.OnError, f.fault
	}
	if f.null {
		return nil, false, q.clauses.OnEmpty, "nothing at the JSON path"
	}
	// What an indefinite path finds is a list already.
	isList := f.list || q.jsonDocument.nodes[f.nodes[0]].kind == jsonArray
	switch wrap := q.clauses.Wrapper; {
	case wrap == JSONWrapped, wrap == JSONWrappedIfScalar && !isList:
		return f.nodes, true, JSONUnset, ""
	case f.list || !q.jsonDocument.nodes[f.nodes[0]].kind.scalar():
		return f.nodes, false, JSONUnset, ""
	case f.lax:
		return nil, false, q.clauses.OnEmpty, "nothing at the JSON path"
	}
	return nil, false, q.clauses.OnError, "the value at the JSON path is no array or object"
}

func (q *jsonQuery) text(dst []byte, r *row) ([]byte, bool) {
	if r.null(0) || r.null(1) {
		return dst, false
	}
	nodes, wrapped, answer, why := q.found(r)
	if why != "" {
		switch answer {
		case JSONEmptyArray:
			return append(dst, "[]"...), true
		case JSONEmptyObject:
			return append(dst, "{}"...), true
		case JSONError:
			r.failWith(func() error {
				return fmt.Errorf("JSON_QUERY: %s", why)
			})
		}
		return dst, false
	}
	list := q.paths.of(r).indefinite
	if wrapped {
		dst = append(dst, '[')
	}
	if list {
		dst = append(dst, '[')
	}
	for i, n := range nodes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = q.appendNode(dst, n)
	}
	if list {
		dst = append(dst, ']')
	}
	if wrapped {
		dst = append(dst, ']')
	}
	return dst, true
}

// list adds the elements of the array that is found.
func (q *jsonQuery) list(l *textList, r *row) bool {
	if r.null(0) || r.null(1) {
		return false
	}
	nodes, wrapped, answer, why := q.found(r)
	if why != "" {
		if answer == JSONError {
			r.failWith(func() error {
				return fmt.Errorf("JSON_QUERY: %s", why)
			})
		}
		return answer == JSONEmptyArray
	}
	if !wrapped && !q.paths.of(r).indefinite {
		n := nodes[0]
		if q.jsonDocument.nodes[n].kind != jsonArray {
			if q.clauses.OnError == JSONError {
				r.fail(failure("JSON_QUERY: the value at the JSON path is no array"))
			}
			return q.clauses.OnError == JSONEmptyArray
		}
		for c := q.jsonDocument.nodes[n].first; c != 0; c = q.jsonDocument.nodes[c].next {
			q.add(l, c)
		}
		return true
	}
	for _, n := range nodes {
		q.add(l, n)
	}
	return true
}

func (q *jsonQuery) add(l *textList, n int32) {
	switch node := &q.jsonDocument.nodes[n]; node.kind {
	case jsonNull:
		l.addNull()
	case jsonText:
		l.add(node.text)
	default:
		q.out = q.appendNode(q.out[:0], n)
		l.add(q.out)
	}
}

// jsonExistsOf declares JSON_EXISTS.
func jsonExistsOf(c JSONClauses) Scalar {
	return Scalar{
		Name: "JSON_EXISTS", Fails: true,
		Forms: []string{"<CHARACTER>, <CHARACTER> [{TRUE | FALSE | UNKNOWN | ERROR} ON ERROR]"},
		Type: func(args []Arg) (Signature, error) {
			sig, err := textForm("tt", always(types.Of(types.Boolean)))(args)
			if err == nil {
				err = jsonPathRefusal(args)
			}
			return sig, err
		},
		Bind: func(b Binding) (Kernel, error) {
			paths, err := jsonPathsOf(b)
			j := &jsonLookup{paths: paths}
			return testKernel(func(r *row) bool {
				f := j.look(r)
				if f.fault == "" {
					return !f.null
				}
				switch c.OnError {
				case JSONTrue:
					return true
				case JSONUnknown:
					r.c.Out.SetNull(r.i)
				case JSONError:
					r.failWith(func() error {
						return fmt.Errorf("JSON_EXISTS: %s", f.fault)
					})
				}
				return false
			}), err
		},
		Doc: Doc{Group: "json", Text: "Whether there is a value other than null at a path in a JSON text.",
			Example: `JSON_EXISTS('{"a": 1}', '$.a')`, Value: "TRUE"},
	}
}
