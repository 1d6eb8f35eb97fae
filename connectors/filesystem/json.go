package filesystem

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/valyala/fastjson"

	"streamsql/exec/types"
)

// jsonDecoder reads a JSON object, or an array of objects, per line; blank lines are no rows.
type jsonDecoder struct {
	o      *jsonOptions
	forms  *forms
	parser fastjson.Parser
	row    *jsonRow
	// each makes rows of a value that is none of an array; false when there is no room for all of them.
	each func(v *fastjson.Value, out *decoded, limit int) (whole bool, err error)
	// single says that an array is no list of rows.
	single bool
	skips
	// scratch holds the text of a number or of a nested value.
	scratch []byte
}

func newJSON(o *jsonOptions, fields []field) *jsonDecoder {
	d := &jsonDecoder{o: o, forms: sqlJSON}
	if o.Timestamps == "ISO-8601" {
		d.forms = isoJSON
	}
	d.row = d.newRow(fields)
	d.each = func(v *fastjson.Value, out *decoded, _ int) (bool, error) { return true, d.object(v, out) }
	return d
}

func (d *jsonDecoder) decode(data []byte, last bool, skip, limit int) (out decoded, err error) {
	out.skip = skip
	for out.rows < limit && out.used < len(data) {
		line := data[out.used:]
		n := bytes.IndexByte(line, '\n') + 1
		if n == 0 && !last {
			break
		}
		if n == 0 {
			n = len(line)
		}
		whole := true
		if line = trim(line[:n]); len(line) > 0 {
			whole, err = d.line(line, &out, limit)
		}
		if err != nil || !whole {
			return out, err
		}
		out.used, out.lines, out.skip = out.used+n, out.lines+1, 0
	}
	return out, nil
}

// line makes a row of an object, or rows of an array of objects; false when there is no room for all of
// them.
func (d *jsonDecoder) line(line []byte, out *decoded, limit int) (whole bool, err error) {
	v, err := d.parser.ParseBytes(line)
	if err != nil {
		if d.o.IgnoreErrors {
			d.skips.rows++
			return true, nil
		}
		return true, fmt.Errorf("no valid JSON: %w", shorten(err))
	}
	if v.Type() != fastjson.TypeArray || d.single {
		return d.each(v, out, limit)
	}
	list, _ := v.Array()
	for _, v := range list[min(out.skip, len(list)):] {
		if out.rows == limit {
			return false, nil
		}
		if err := d.object(v, out); err != nil {
			return true, err
		}
		out.skip++
	}
	return true, nil
}

// object makes a row of an object.
func (d *jsonDecoder) object(v *fastjson.Value, out *decoded) error {
	o, err := v.Object()
	switch {
	case err != nil && d.o.IgnoreErrors:
		d.skips.rows++
		return nil
	case err != nil:
		return fmt.Errorf("a JSON object is expected, not %s", v.Type())
	}
	if err := d.row.fill(o, out.rows); err != nil {
		return err
	}
	out.rows++
	return nil
}

// shorten keeps an error to one line: the library repeats the input in it.
func shorten(err error) error {
	const longest = 160
	if s := err.Error(); len(s) > longest {
		return errors.New(s[:longest] + "…")
	}
	return err
}

// jsonRow fills the fields of a ROW, or the columns of the table, from an object.
type jsonRow struct {
	d      *jsonDecoder
	fields []jsonField
	index  map[string]int
	// row is the number of the row being filled; guess is the field that the next key probably names.
	row, guess int
	err        error
	visit      func(key []byte, v *fastjson.Value)
}

// jsonField is a field with what its children need.
type jsonField struct {
	field
	row  *jsonRow    // of a ROW
	kids []jsonField // of an ARRAY, MAP or MULTISET
}

func (d *jsonDecoder) newRow(fields []field) *jsonRow {
	r := &jsonRow{d: d, index: map[string]int{}}
	for i, f := range fields {
		r.fields = append(r.fields, d.newField(f))
		r.index[f.name] = i
	}
	r.visit = r.key
	return r
}

func (d *jsonDecoder) newField(f field) jsonField {
	out := jsonField{field: f}
	if f.out == nil {
		return out
	}
	switch f.typ.Kind {
	case types.Row:
		parts := make([]field, len(f.typ.Fields))
		for i, p := range f.typ.Fields {
			parts[i] = field{name: p.Name, typ: p.Type, out: f.out.Child(i)}
		}
		out.row = d.newRow(parts)
	case types.Array, types.Map:
		for i, p := range f.typ.Fields {
			out.kids = append(out.kids, d.newField(field{name: f.name, typ: p.Type, out: f.out.Child(i)}))
		}
	case types.Multiset:
		out.kids = []jsonField{
			d.newField(field{name: f.name, typ: f.typ.Elem(), out: f.out.Child(0)}),
			d.newField(field{name: f.name, typ: types.Of(types.Int), out: f.out.Child(1)}),
		}
	}
	return out
}

// fill appends row number row to every field.
func (r *jsonRow) fill(o *fastjson.Object, row int) error {
	r.row, r.guess, r.err = row, 0, nil
	o.Visit(r.visit)
	if r.err != nil {
		return r.err
	}
	for i := range r.fields {
		f := &r.fields[i]
		if f.out == nil || f.out.Len() > row {
			continue
		}
		if r.d.o.FailOnMissing {
			return fmt.Errorf("the key '%s' is missing", f.name)
		}
		f.out.AppendNull()
	}
	return nil
}

// key takes one key of the object; of a repeated key the last counts.
func (r *jsonRow) key(key []byte, v *fastjson.Value) {
	if r.err != nil {
		return
	}
	i := r.guess
	if i >= len(r.fields) || r.fields[i].name != string(key) {
		found := false
		if i, found = r.index[string(key)]; !found {
			return
		}
	}
	r.guess = i + 1
	f := &r.fields[i]
	if f.out == nil {
		return
	}
	if f.out.Len() > r.row {
		f.out.Truncate(r.row)
	}
	r.err = r.d.value(f, v)
}

// value appends v to f.
func (d *jsonDecoder) value(f *jsonField, v *fastjson.Value) error {
	if v.Type() == fastjson.TypeNull {
		f.out.AppendNull()
		return nil
	}
	row := f.out.Len()
	ok := false
	var err error
	switch f.typ.Kind {
	case types.Row:
		if o, e := v.Object(); e == nil {
			if err = f.row.fill(o, row); err == nil {
				f.out.AppendRow()
			}
			ok = true
		}
	case types.Array:
		if list, e := v.Array(); e == nil {
			ok, err = true, d.elements(f, list)
		}
	case types.Map, types.Multiset:
		if o, e := v.Object(); e == nil {
			ok, err = true, d.pairs(f, o)
		}
	case types.Variant:
		d.scratch = v.MarshalTo(d.scratch[:0])
		ok = f.appendVariant(d.scratch, true)
	default:
		ok = d.scalar(f, v)
	}
	switch {
	case err == nil && ok:
		return nil
	case d.o.IgnoreErrors:
		d.skips.values++
		f.out.Truncate(row)
		f.out.AppendNull()
		return nil
	case err != nil:
		return err
	}
	d.scratch = v.MarshalTo(d.scratch[:0])
	return f.refuse(d.scratch)
}

func (d *jsonDecoder) elements(f *jsonField, list []*fastjson.Value) error {
	for _, v := range list {
		if err := d.value(&f.kids[0], v); err != nil {
			return err
		}
	}
	f.out.AppendList()
	return nil
}

func (d *jsonDecoder) pairs(f *jsonField, o *fastjson.Object) error {
	var err error
	o.Visit(func(key []byte, v *fastjson.Value) {
		if err != nil {
			return
		}
		if !f.kids[0].appendText(key, d.forms) {
			err = f.kids[0].refuse(key)
			return
		}
		err = d.value(&f.kids[1], v)
	})
	if err == nil {
		f.out.AppendList()
	}
	return err
}

// scalar appends a value without children; false when v is none of the type.
func (d *jsonDecoder) scalar(f *jsonField, v *fastjson.Value) bool {
	switch v.Type() {
	case fastjson.TypeString:
		t, _ := v.StringBytes()
		if f.typ.Kind.IsNumeric() {
			t = trim(t)
		}
		return f.appendText(t, d.forms)
	case fastjson.TypeTrue, fastjson.TypeFalse:
		switch {
		case f.typ.Kind == types.Boolean:
			f.out.AppendBool(v.Type() == fastjson.TypeTrue)
			return true
		case f.typ.Kind.IsText():
			f.out.AppendString(v.String())
			return true
		}
		return false
	case fastjson.TypeNumber:
		d.scratch = v.MarshalTo(d.scratch[:0])
		return isNumber(d.scratch) && f.appendNumber(d.scratch, d.forms)
	}
	if !f.typ.Kind.IsText() {
		return false
	}
	// An object or array for a text is its JSON.
	f.out.End(v.MarshalTo(f.out.Begin()))
	return true
}

// appendNumber appends a JSON number: for INT and BIGINT a fraction is cut.
func (f *field) appendNumber(t []byte, form *forms) bool {
	switch f.typ.Kind {
	case types.Int, types.BigInt, types.IntervalDay, types.IntervalMonth:
		if v, ok := cutInteger(t, 8*f.typ.Physical().Width()); ok {
			f.out.AppendInt(v)
			return true
		}
		return false
	case types.Binary, types.Varbinary, types.Date, types.Time, types.Timestamp, types.TimestampLTZ:
		return false
	}
	return f.appendText(t, form)
}

// cutInteger reads the integer part of a number that isNumber, when it fits.
func cutInteger(t []byte, size int) (int64, bool) {
	if v, ok := parseInteger(t, size); ok {
		return v, true
	}
	if !bytes.ContainsAny(t, ".eE") {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(t), 64)
	limit := math.Ldexp(1, size-1)
	if err != nil || v >= limit || v < -limit {
		return 0, false
	}
	return int64(v), true
}
