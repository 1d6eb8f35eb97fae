package function

import "streamsql/exec/types"

var _ = scalar(Scalar{
	Name: "JSON_LENGTH", Forms: []string{"<CHARACTER>", "<CHARACTER>, <CHARACTER>"}, Fails: true, Extension: true,
	Type: func(args []Arg) (Signature, error) {
		form := "t"
		if len(args) > 1 {
			form = "tt"
		}
		sig, err := textForm(form, always(types.Of(types.Int)))(args)
		if err == nil {
			err = jsonPathRefusal(args)
		}
		return sig, err
	},
	Bind: func(b Binding) (Kernel, error) {
		paths, err := &jsonPaths{known: true, constant: &jsonPath{}}, error(nil)
		if len(b.Args) > 1 {
			paths, err = jsonPathsOf(b)
		}
		j := &jsonLookup{paths: paths}
		return positionKernel(j.length), err
	},
	Doc: Doc{Group: "json", Text: "The number of elements of the JSON array, or of members of the object, that a text is, or that" +
		" stands at a path in it; 1 for any other value. NULL for what is no JSON, and where the path leads to nothing or to more" +
		" than one place.", Example: `JSON_LENGTH('{"a": [1, 2, 3]}', '$.a')`, Value: "3"},
})

func (j *jsonLookup) length(r *row) (int, bool) {
	path := j.paths.of(r)
	if path == nil || path.indefinite || !j.parse(r.text(0)) {
		return 0, false
	}
	found, missing := j.find(&j.jsonDocument, path)
	if missing || len(found) != 1 {
		return 0, false
	}
	d := &j.jsonDocument
	node := &d.nodes[found[0]]
	if node.kind != jsonObject && node.kind != jsonArray {
		return 1, true
	}
	n := 0
	for c := node.first; c != 0; c = d.nodes[c].next {
		n++
	}
	return n, true
}
