package filesystem

import (
	"errors"
	"fmt"

	"github.com/valyala/fastjson"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// Changes as Debezium writes them, one a line: {"before": row, "after": row, "op": "c"}, where c and r add a row, u replaces one and
// d takes one away. Written are c and d alone.

type debeziumOptions struct {
	Schema bool `opt:"schema-include" default:"false" doc:"read what stands under payload, beside a schema"`
	jsonRowOptions
}

// rows are the options of the rows in a message.
func (o *debeziumOptions) rows() *jsonOptions { return &jsonOptions{jsonRowOptions: o.jsonRowOptions} }

var debeziumFormat = &format{
	name:    "debezium-json",
	check:   func(*connector.Table, *options) error { return nil },
	changes: true,
	decoder: func(o *options, fields []field) decoder {
		d := &debeziumDecoder{o: &o.Debezium, json: newJSON(o.Debezium.rows(), fields)}
		d.json.each, d.json.single = d.message, true
		return d
	},
	encoder: func(o *options, names []string) encoder {
		return &debeziumEncoder{newJSONEncoder(o.Debezium.rows(), names)}
	},
}

// debeziumDecoder makes the rows of a change of each line.
type debeziumDecoder struct {
	o     *debeziumOptions
	json  *jsonDecoder
	kinds []vector.RowKind
}

// changer is a decoder whose rows are changes.
type changer interface {
	// changes are those of the rows of the last decode.
	changes() []vector.RowKind
}

func (d *debeziumDecoder) skipped() skips { return d.json.skipped() }

func (d *debeziumDecoder) changes() []vector.RowKind { return d.kinds }

func (d *debeziumDecoder) decode(data []byte, last bool, skip, limit int) (decoded, error) {
	d.kinds = d.kinds[:0]
	return d.json.decode(data, last, skip, limit)
}

// change is a row of a message.
type change struct {
	key  string
	kind vector.RowKind
}

var (
	debeziumAdds     = []change{{"after", vector.Insert}}
	debeziumReplaces = []change{{"before", vector.UpdateBefore}, {"after", vector.UpdateAfter}}
	debeziumTakes    = []change{{"before", vector.Delete}}
)

var errNoBefore = errors.New("the row before the change is null; the database must log whole rows: of PostgreSQL, REPLICA IDENTITY FULL")

// message makes the rows of a message; false when there is no room for all of them.
func (d *debeziumDecoder) message(v *fastjson.Value, out *decoded, limit int) (whole bool, err error) {
	if d.o.Schema {
		v = v.Get("payload")
	}
	whole, err = d.rows(v, out, limit)
	if err != nil && d.o.IgnoreErrors {
		d.json.skips.rows++
		return true, nil
	}
	return whole, err
}

func (d *debeziumDecoder) rows(v *fastjson.Value, out *decoded, limit int) (whole bool, err error) {
	if v == nil || v.Type() != fastjson.TypeObject {
		return true, errors.New("there is no object with a change")
	}
	var list []change
	switch op := string(v.GetStringBytes("op")); op {
	case "c", "r":
		list = debeziumAdds
	case "u":
		list = debeziumReplaces
	case "d":
		list = debeziumTakes
	default:
		return true, fmt.Errorf("\"op\" is %q, none of c, r, u and d", op)
	}
	for _, c := range list {
		if row := v.Get(c.key); row == nil || row.Type() != fastjson.TypeObject {
			if c.key == "before" {
				return true, errNoBefore
			}
			return true, fmt.Errorf("there is no row %q", c.key)
		}
	}
	for _, c := range list[min(out.skip, len(list)):] {
		if out.rows == limit {
			return false, nil
		}
		if err := d.json.object(v.Get(c.key), out); err != nil {
			return true, err
		}
		d.kinds = append(d.kinds, c.kind)
		out.skip++
	}
	return true, nil
}

// debeziumEncoder writes a message per change.
type debeziumEncoder struct{ *jsonEncoder }

// changeEncoder is an encoder that tells changes from each other.
type changeEncoder interface {
	encoder
	appendChange(dst []byte, cols []*vector.Column, row int, kind vector.RowKind) ([]byte, error)
}

func (e *debeziumEncoder) appendChange(dst []byte, cols []*vector.Column, row int, kind vector.RowKind) ([]byte, error) {
	head, tail := `{"before":null,"after":`, `,"op":"c"}`
	if !kind.Adds() {
		head, tail = `{"before":`, `,"after":null,"op":"d"}`
	}
	dst, err := e.appendRow(append(dst, head...), cols, row)
	if err != nil {
		return dst, err
	}
	return append(append(dst[:len(dst)-1], tail...), '\n'), nil
}
