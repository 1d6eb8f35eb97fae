// Package option decodes configuration: one tagged struct field is one option.
//
//	Num  int64         `opt:"events.num" default:"0" min:"0" doc:"events to make, 0 for no end"`
//	Mode string        `opt:"rng" default:"stream" enum:"stream,event" doc:"how draws are seeded"`
//	Wait time.Duration `opt:"delay" default:"4 s" min:"0 s" doc:"…"`
//	CSV  csvOptions    `opt:"csv."`
//
// Kinds are bool, int, int64, float64, string, time.Duration, Size, and pointers to them, which stay nil
// when the option is not given. A struct field whose tag ends in a dot puts its own options behind that
// prefix; an embedded struct adds its options as they are; a map[string]string under such a tag takes
// every other option with that prefix, by the rest of its name. Further tags: required:"true",
// alias:"a,b", secret:"true", and free:"true" for what changes when rows come and not which.
//
// It does not know what is configured, SQL or where the texts come from.
//
// Invariants:
//
//	O1 Decode sets every field: the default of the tag, or the value given.
//	O2 an Error names the option, the value and what is allowed.
//	O3 a malformed tag is a bug and panics.
package option

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Field describes an option for errors, completion and the reference.
type Field struct {
	Name    string
	Aliases []string
	// Kind is the type in words: boolean, integer, number, text, duration, size.
	Kind string
	// Default is the text that stands for an absent option; HasDefault tells it from none.
	Default    string
	HasDefault bool
	Required   bool
	Secret     bool
	Free       bool
	Min, Max   string
	Enum       []string
	Doc        string

	index []int
}

// Error is a refused option.
type Error struct {
	// Key is the option's name as it was given, so that its place can be found.
	Key  string
	Msg  string
	Hint string
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

// Describe lists the options of a struct, or of a pointer to one, in the order of their fields.
func Describe(v any) []Field {
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return describe(t, "", nil)
}

func describe(t reflect.Type, prefix string, at []int) []Field {
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(at), i)
		name, tagged := f.Tag.Lookup("opt")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			out = append(out, describe(f.Type, prefix, index)...)
		case !tagged:
		case strings.HasSuffix(name, ".") && f.Type.Kind() == reflect.Map:
			out = append(out, Field{Name: prefix + name + "*", Kind: "any", Doc: f.Tag.Get("doc"), index: index})
		case strings.HasSuffix(name, "."):
			out = append(out, describe(f.Type, prefix+name, index)...)
		default:
			out = append(out, describeField(f, prefix+name, index))
		}
	}
	return out
}

func describeField(f reflect.StructField, name string, index []int) Field {
	d, has := f.Tag.Lookup("default")
	out := Field{
		Name: name, Kind: kindName(f.Type), Default: d, HasDefault: has,
		Required: f.Tag.Get("required") == "true", Secret: f.Tag.Get("secret") == "true",
		Free: f.Tag.Get("free") == "true",
		Min:  f.Tag.Get("min"), Max: f.Tag.Get("max"), Doc: f.Tag.Get("doc"), index: index,
	}
	if s := f.Tag.Get("alias"); s != "" {
		out.Aliases = strings.Split(s, ",")
	}
	if s := f.Tag.Get("enum"); s != "" {
		out.Enum = strings.Split(s, ",")
	}
	return out
}

// Decode fills the struct that dst points to from texts by option name.
func Decode(dst any, values map[string]string) error {
	v := reflect.ValueOf(dst).Elem()
	fields := Describe(dst)
	given := make([]bool, len(fields))
	for _, f := range fields {
		if !f.HasDefault {
			v.FieldByIndex(f.index).SetZero()
			continue
		}
		if err := f.set(v, f.Name, f.Default); err != nil {
			panic("option: default of " + f.Name + ": " + err.Error())
		}
	}
	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		i := find(fields, k)
		switch {
		case i < 0:
			return unknown(fields, k)
		case given[i] && fields[i].Kind != "any":
			return &Error{Key: k, Msg: fmt.Sprintf("option '%s' is given twice, once as '%s'", fields[i].Name, k)}
		}
		given[i] = true
		if err := fields[i].set(v, k, values[k]); err != nil {
			return err
		}
	}
	for i, f := range fields {
		if f.Required && !given[i] {
			return &Error{Key: f.Name, Msg: fmt.Sprintf("missing option '%s'", f.Name), Hint: f.Doc}
		}
	}
	return nil
}

// Set changes one option of the struct that dst points to.
func Set(dst any, key, value string) error {
	fields := Describe(dst)
	i := find(fields, key)
	if i < 0 {
		return unknown(fields, key)
	}
	return fields[i].set(reflect.ValueOf(dst).Elem(), key, value)
}

func find(fields []Field, key string) int {
	i := slices.IndexFunc(fields, func(f Field) bool {
		return f.Name == key || slices.Contains(f.Aliases, key)
	})
	if i >= 0 {
		return i
	}
	return slices.IndexFunc(fields, func(f Field) bool {
		prefix, open := strings.CutSuffix(f.Name, "*")
		return open && len(key) > len(prefix) && strings.HasPrefix(key, prefix)
	})
}

func unknown(fields []Field, key string) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	e := &Error{Key: key, Msg: fmt.Sprintf("unknown option '%s'", key)}
	if near := Nearest(key, names); near != "" {
		e.Hint = fmt.Sprintf("did you mean '%s'? ", near)
	}
	slices.Sort(names)
	e.Hint += "supported options: " + strings.Join(names, ", ")
	return e
}
