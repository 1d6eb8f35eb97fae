package function

import (
	"fmt"
	"math/bits"
	"strconv"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// jsonValueOf declares JSON_VALUE.
func jsonValueOf(c JSONClauses) Scalar {
	result := types.String()
	if c.Returning != nil {
		result = c.Returning.WithNull(true)
	}
	return Scalar{
		Name: "JSON_VALUE", Nulls: Custom, Fails: true,
		Forms: []string{"<CHARACTER>, <CHARACTER> [RETURNING <TYPE>] [{NULL | ERROR | DEFAULT <ANY>} ON {EMPTY | ERROR}]..."},
		Type: func(args []Arg) (Signature, error) {
			extra := 0
			for _, a := range []JSONAnswer{c.OnEmpty, c.OnError} {
				if a == JSONDefault {
					extra++
				}
			}
			if len(args) != 2+extra {
				return Signature{}, Mismatch()
			}
			sig, err := textForm("tt", always(result))(args[:2])
			if err != nil {
				return sig, err
			}
			if err := jsonPathRefusal(args); err != nil {
				return sig, err
			}
			for range extra {
				sig.Args = append(sig.Args, result)
			}
			switch k := result.Kind; {
			case k.IsText(), k == types.Int, k == types.Double, k == types.Boolean:
				return sig, nil
			}
			return sig, Refuse("JSON_VALUE cannot return %s; it knows STRING, INT, DOUBLE and BOOLEAN", result)
		},
		Bind: func(b Binding) (Kernel, error) { return bindJSONValue(b, c) },
		Doc: Doc{Group: "json", Text: "The scalar at a path in a JSON text. Paths are strict unless they start with lax: what is" +
			" missing is an error, which gives NULL unless ON ERROR says otherwise.",
			Example: `JSON_VALUE('{"a": {"b": 7}}', '$.a.b')`, Value: "7"},
	}
}

// jsonScalar finds the value of one lane.
type jsonScalar struct {
	jsonLookup
	clauses JSONClauses
	null    bool // the last value is NULL
	arg     int  // or that argument
}

// value finds the node that f accepts. Without one, null or arg say what the value is.
func (j *jsonScalar) value(r *row, accept func(n *jsonNode) bool) *jsonNode {
	j.null, j.arg = false, 0
	if r.null(0) || r.null(1) {
		j.null = true
		return nil
	}
	f := j.look(r)
	if f.fault != "" {
		return j.answer(r, j.clauses.OnError, f.fault, j.errorArg())
	}
	scalar := !f.list && !f.null && j.jsonDocument.nodes[f.nodes[0]].kind.scalar()
	switch {
	case f.null || f.lax && !scalar:
		return j.answer(r, j.clauses.OnEmpty, "nothing at the JSON path", 2)
	case !scalar:
		return j.answer(r, j.clauses.OnError, "the value at the JSON path is no scalar", j.errorArg())
	}
	n := &j.jsonDocument.nodes[f.nodes[0]]
	if !accept(n) {
		return j.answer(r, j.clauses.OnError, "the value at the JSON path is of another type", j.errorArg())
	}
	return n
}

func (j *jsonScalar) errorArg() int {
	if j.clauses.OnEmpty == JSONDefault {
		return 3
	}
	return 2
}

func (j *jsonScalar) answer(r *row, a JSONAnswer, why string, arg int) *jsonNode {
	switch a {
	case JSONError:
		r.failWith(func() error {
			return fmt.Errorf("JSON_VALUE: %s", why)
		})
		j.null = true
	case JSONDefault:
		j.arg = arg
		j.null = r.null(arg)
	default:
		j.null = true
	}
	return nil
}

func bindJSONValue(b Binding, clauses JSONClauses) (Kernel, error) {
	paths, err := jsonPathsOf(b)
	if err != nil {
		return nil, err
	}
	j := &jsonScalar{jsonLookup: jsonLookup{paths: paths}, clauses: clauses}
	switch b.Result.Kind {
	case types.Int:
		return jsonNumberKernel(j, func(n *jsonNode) (int32, bool) {
			v, err := strconv.ParseInt(string(n.text), 10, 32)
			return int32(v), n.kind == jsonNumber && err == nil
		}), nil
	case types.Double:
		return jsonNumberKernel(j, func(n *jsonNode) (float64, bool) {
			v, err := strconv.ParseFloat(string(n.text), 64)
			return v, n.kind == jsonNumber && err == nil
		}), nil
	case types.Boolean:
		return jsonTruthKernel(j), nil
	}
	return textKernel(func(dst []byte, r *row) ([]byte, bool) {
		n := j.value(r, func(*jsonNode) bool { return true })
		switch {
		case j.null:
			return dst, false
		case n == nil:
			return append(dst, r.text(j.arg)...), true
		}
		switch n.kind {
		case jsonText:
			return append(dst, n.text...), true
		case jsonNumber:
			return appendJSONNumber(dst, n.text), true
		}
		return strconv.AppendBool(dst, n.kind == jsonTrue), true
	}), nil
}

func jsonNumberKernel[T int32 | float64](j *jsonScalar, read func(n *jsonNode) (T, bool)) Kernel {
	r := &row{}
	var v T
	accept := func(n *jsonNode) (ok bool) {
		v, ok = read(n)
		return ok
	}
	return func(c *Call) {
		want := r.open(c)
		out := vector.Alloc[T](c.Out)
		clear(out)
		for k, m := range want {
			for ; m != 0; m &= m - 1 {
				r.i = k<<6 | bits.TrailingZeros64(m)
				n := j.value(r, accept)
				switch {
				case j.null:
					c.Out.SetNull(r.i)
				case n == nil:
					out[r.i] = vector.Value[T](c.Args[j.arg], r.i)
				default:
					out[r.i] = v
				}
			}
		}
	}
}

func jsonTruthKernel(j *jsonScalar) Kernel {
	isTruth := func(n *jsonNode) bool { return n.kind == jsonTrue || n.kind == jsonFalse }
	return testKernel(func(r *row) bool {
		n := j.value(r, isTruth)
		switch {
		case j.null:
			r.c.Out.SetNull(r.i)
			return false
		case n == nil:
			a := r.c.Args[j.arg]
			return kernel.Bit(vector.Bits(a), r.i*a.Step())
		}
		return n.kind == jsonTrue
	})
}
