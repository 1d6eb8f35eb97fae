package filesystem

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/valyala/fastjson"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// json finds the keys of the objects in a sample, in the order in which they come first.
func (x *inference) json() error {
	head, _, err := x.sample()
	if err != nil {
		return err
	}
	// Times stand in one way: ISO where some do so and the option does not say otherwise.
	form := sqlJSON
	if _, given := x.options["json.timestamp-format.standard"]; given {
		if x.o.JSON.Timestamps == "ISO-8601" {
			form = isoJSON
		}
	} else if isISO(head) {
		form = isoJSON
		x.set("json.timestamp-format.standard", "ISO-8601")
	}
	all := types.Type{}
	var parser fastjson.Parser
	for n, line := range bytes.Split(head, []byte("\n")) {
		if line = trim(line); len(line) == 0 {
			continue
		}
		v, err := parser.ParseBytes(line)
		if err != nil && x.o.JSON.IgnoreErrors {
			continue
		}
		if err != nil {
			return fmt.Errorf("line %d: no valid JSON: %w", n+1, shorten(err))
		}
		if t := jsonType(v, form); t.Kind == types.Array {
			all = joinTypes(all, t.Elem()) // an array of objects is rows
		} else {
			all = joinTypes(all, t)
		}
	}
	if all.Kind != types.Row {
		return errors.New("there are no objects that tell the columns, one a line; declare the table with CREATE TABLE")
	}
	for _, f := range all.Fields {
		x.columns = append(x.columns, connector.Column{Name: f.Name, Type: known(f.Type)})
	}
	return nil
}

// isISO tells that a text has a time with a T.
func isISO(t []byte) bool {
	for {
		i := bytes.IndexByte(t, 'T')
		if i < 0 {
			return false
		}
		if i >= 10 && i+6 < len(t) {
			_, rest, date := scanDate(t[i-10 : i])
			if _, _, clock := scanClock(t[i+1:i+6], true); date && len(rest) == 0 && clock {
				return true
			}
		}
		t = t[i+1:]
	}
}

// jsonType is the type of a value; that of NULL is none.
func jsonType(v *fastjson.Value, form *forms) types.Type {
	switch v.Type() {
	case fastjson.TypeObject:
		o, _ := v.Object()
		t := types.RowOf()
		o.Visit(func(key []byte, v *fastjson.Value) {
			// Of a repeated key the last counts; one type for both does as well.
			t = joinRows(t, types.RowOf(types.Field{Name: string(key), Type: jsonType(v, form)}))
		})
		if len(t.Fields) == 0 {
			return types.String()
		}
		return t
	case fastjson.TypeArray:
		list, _ := v.Array()
		of := types.Type{}
		for _, v := range list {
			of = joinTypes(of, jsonType(v, form))
		}
		return types.ArrayOf(of)
	case fastjson.TypeTrue, fastjson.TypeFalse:
		return types.Of(types.Boolean)
	case fastjson.TypeNumber:
		t := v.MarshalTo(nil)
		if !isNumber(t) {
			return types.String()
		}
		return numberType(t)
	case fastjson.TypeString:
		s, _ := v.StringBytes()
		if t := textType(s, form); t.Kind == types.Date || t.Kind.IsTimestamp() {
			return t
		}
		return types.String()
	}
	return types.Type{}
}
