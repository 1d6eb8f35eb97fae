package option

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Size is a number of bytes, written as Flink writes memory sizes: `200b`, `32 kb`, `1mb`.
type Size int64

var (
	durationType = reflect.TypeFor[time.Duration]()
	sizeType     = reflect.TypeFor[Size]()
)

func kindName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == durationType:
		return "duration"
	case t == sizeType:
		return "size"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "text"
	}
	panic("option: no option can be a " + t.String())
}

// set parses text into the field's place in v; key is the name that the user wrote.
func (f Field) set(v reflect.Value, key, text string) error {
	place := v.FieldByIndex(f.index)
	if f.Kind == "any" {
		if place.IsNil() {
			place.Set(reflect.ValueOf(map[string]string{}))
		}
		place.SetMapIndex(reflect.ValueOf(strings.TrimPrefix(key, strings.TrimSuffix(f.Name, "*"))), reflect.ValueOf(text))
		return nil
	}
	if place.Kind() == reflect.Pointer {
		place.Set(reflect.New(place.Type().Elem()))
		place = place.Elem()
	}
	if f.Kind == "text" {
		word, ok := f.word(text)
		if !ok {
			return f.refuse(key, text)
		}
		place.SetString(word)
		return nil
	}
	x, err := f.parse(text)
	if err != nil || !f.inRange(x) {
		return f.refuse(key, text)
	}
	place.Set(reflect.ValueOf(x).Convert(place.Type()))
	return nil
}

// word finds text among the enumerated words, in any case.
func (f Field) word(text string) (string, bool) {
	for _, w := range f.Enum {
		if strings.EqualFold(w, text) {
			return w, true
		}
	}
	return text, len(f.Enum) == 0
}

func (f Field) parse(text string) (any, error) {
	text = strings.TrimSpace(text)
	switch f.Kind {
	case "boolean":
		switch strings.ToLower(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("not a boolean")
	case "integer":
		return strconv.ParseInt(text, 10, 64)
	case "number":
		return strconv.ParseFloat(text, 64)
	case "duration":
		// Below nothing is only what a bound allows: -1 for never.
		if below, ok := strings.CutPrefix(text, "-"); ok && strings.HasPrefix(f.Min, "-") {
			d, err := ParseDuration(below)
			return -d, err
		}
		return ParseDuration(text)
	}
	return ParseSize(text)
}

func (f Field) inRange(x any) bool {
	return (f.Min == "" || compare(x, f.bound(f.Min)) >= 0) && (f.Max == "" || compare(x, f.bound(f.Max)) <= 0)
}

func (f Field) bound(text string) any {
	b, err := f.parse(text)
	if err != nil {
		panic("option: bound of " + f.Name + ": " + err.Error())
	}
	return b
}

func compare(a, b any) int {
	switch x := a.(type) {
	case int64:
		return cmp.Compare(x, b.(int64))
	case float64:
		if x != x { // NaN is in no range
			return -2
		}
		return cmp.Compare(x, b.(float64))
	case time.Duration:
		return cmp.Compare(x, b.(time.Duration))
	case Size:
		return cmp.Compare(x, b.(Size))
	}
	panic(fmt.Sprintf("option: no order on %T", a))
}

func (f Field) refuse(key, text string) error {
	if f.Secret {
		text = "******"
	}
	return &Error{Key: key, Msg: fmt.Sprintf("invalid value '%s' for option '%s'", text, key),
		Hint: "expected " + f.Allowed()}
}

// Allowed says in words which values the option takes: "an integer of at least 1".
func (f Field) Allowed() string {
	if len(f.Enum) > 0 {
		return "one of " + strings.Join(f.Enum, ", ")
	}
	var what string
	switch f.Kind {
	case "boolean":
		return "true or false"
	case "integer":
		what = "an integer"
	case "number":
		what = "a number"
	case "duration":
		what = "a duration such as '4 s', '200 ms' or '1 min'"
	case "size":
		what = "a size such as '200 b', '32 kb' or '1 mb'"
	default:
		what = "a text"
	}
	switch {
	case f.Min != "" && f.Max != "":
		return what + " from " + f.Min + " to " + f.Max
	case f.Min != "":
		return what + " of at least " + f.Min
	case f.Max != "":
		return what + " of at most " + f.Max
	}
	return what
}
