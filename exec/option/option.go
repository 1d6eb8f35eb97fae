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
// alias:"a,b", secret:"true", free:"true" for what changes when rows come and not which, and beyond:"true" for what Flink has not. A struct field with
// with:"format=csv" has options that are given only where the option before the sign has the value behind it.
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
	"cmp"
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
	Beyond     bool // Flink has no such option
	Min, Max   string
	Enum       []string
	Doc        string

	index []int
	// with is the option and its value that this one is for.
	with string
}

// Error is a refused option.
type Error struct {
	// Key is the option's name as it was given, so that its place can be found.
	Key  string
	Msg  string
	Hint string
	// Unknown says that there is no such option.
	Unknown bool
	// Near says that the hint begins with the option that was probably meant.
	Near bool
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
			part := describe(f.Type, prefix+name, index)
			for k := range part {
				part[k].with = cmp.Or(part[k].with, f.Tag.Get("with"))
			}
			out = append(out, part...)
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
		Free: f.Tag.Get("free") == "true", Beyond: f.Tag.Get("beyond") == "true",
		Min: f.Tag.Get("min"), Max: f.Tag.Get("max"), Doc: f.Tag.Get("doc"), index: index,
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
	for _, k := range keys {
		if err := belongs(v, fields, fields[find(fields, k)], k); err != nil {
			return err
		}
	}
	return nil
}

// belongs refuses an option that is for another value of a second one than that has.
func belongs(v reflect.Value, fields []Field, f Field, key string) error {
	name, want, bound := strings.Cut(f.with, "=")
	if !bound {
		return nil
	}
	has := v.FieldByIndex(fields[find(fields, name)].index).String()
	if has == want {
		return nil
	}
	var names []string
	for _, g := range fields {
		if g.with == name+"="+has {
			names = append(names, g.Name)
		}
	}
	e := &Error{Key: key, Msg: fmt.Sprintf("the option '%s' is for '%s' = '%s', and that is '%s'", key, name, want, has)}
	if e.Hint = fmt.Sprintf("no option is for '%s' = '%s'", name, has); len(names) > 0 {
		e.Hint = fmt.Sprintf("those of '%s' are %s", has, strings.Join(names, ", "))
	}
	return e
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

// few is how many names an error lists: of more, those that are near.
const few = 12

func unknown(fields []Field, key string) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	e := &Error{Key: key, Msg: fmt.Sprintf("unknown option '%s'", key)}
	near := Nearest(key, names)
	slices.Sort(names)
	switch {
	case len(names) > few:
		e.Hint = fmt.Sprintf("the nearest of %d options: %s", len(names), strings.Join(Closest(key, names, few/3), ", "))
	case near != "":
		e.Hint = fmt.Sprintf("did you mean '%s'? supported options: %s", near, strings.Join(names, ", "))
	default:
		e.Hint = "supported options: " + strings.Join(names, ", ")
	}
	return e
}
