package logical

import "strings"

// Materialize makes one row per key out of an input that may have several with the same one: the last that came is
// the key's row until it goes.
type Materialize struct {
	Input Plan
	Key   Key
}

// Schema implements Plan.
func (m *Materialize) Schema() Schema { return m.Input.Schema() }

// Inputs implements Plan.
func (m *Materialize) Inputs() []Plan { return []Plan{m.Input} }

// With implements Plan.
func (m *Materialize) With(in []Plan) Plan { return &Materialize{in[0], m.Key} }

// Changes implements Changer: a row goes by its values, so that -U and all of -D are needed.
func (m *Materialize) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts | updates(reader), Keys: []Key{m.Key}}
	if in[0].Kinds.Updating() {
		out.Kinds |= Deletes
	}
	return out, []Need{Everything}
}

// String implements Plan.
func (m *Materialize) String() string {
	names := make([]string, len(m.Key))
	for i, k := range m.Key {
		names[i] = m.Schema()[k].Name
	}
	return "SinkMaterializer(primaryKey=[" + strings.Join(names, ", ") + "])"
}
