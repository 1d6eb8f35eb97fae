package option

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Text lists the options of a decoded struct, or of a pointer to one, that are not their defaults: name and value,
// by name. It leaves out those that are free or secret. Equal texts stand for equal rows.
func Text(v any) string {
	of := reflect.ValueOf(v)
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	plain := reflect.New(of.Type()).Elem()
	var out []string
	for _, f := range Describe(v) {
		if f.Free || f.Secret {
			continue
		}
		at := of.FieldByIndex(f.index)
		if f.Kind == "any" {
			prefix, values := strings.TrimSuffix(f.Name, "*"), at.Interface().(map[string]string)
			for _, k := range slices.Sorted(maps.Keys(values)) {
				out = append(out, fmt.Sprintf("%s%s=%s", prefix, k, values[k]))
			}
			continue
		}
		if at.Kind() == reflect.Pointer {
			if !at.IsNil() {
				out = append(out, fmt.Sprintf("%s=%v", f.Name, at.Elem().Interface()))
			}
			continue
		}
		if f.HasDefault {
			if err := f.set(plain, f.Name, f.Default); err != nil {
				panic("option: default of " + f.Name + ": " + err.Error())
			}
		}
		if !at.Equal(plain.FieldByIndex(f.index)) {
			out = append(out, fmt.Sprintf("%s=%v", f.Name, at.Interface()))
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
