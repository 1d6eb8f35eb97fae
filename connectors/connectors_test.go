package connectors

import (
	"testing"

	"streamsql/exec/option"
)

// TestDefinitions: every connector and each of its options is described once, and defaults decode.
func TestDefinitions(t *testing.T) {
	names := map[string]bool{}
	for _, d := range All() {
		if names[d.Name] || d.Name == "" || d.Doc == "" || (d.Source == nil && d.Sink == nil) {
			t.Errorf("connector %q is declared twice or not whole", d.Name)
		}
		names[d.Name] = true
		keys := map[string]bool{}
		values := map[string]string{}
		for _, f := range option.Describe(d.Options()) {
			if keys[f.Name] || f.Doc == "" {
				t.Errorf("%s: option '%s' is declared twice or not described", d.Name, f.Name)
			}
			keys[f.Name] = true
			if f.Required {
				values[f.Name] = "x"
				if len(f.Enum) > 0 {
					values[f.Name] = f.Enum[0]
				}
			}
		}
		if err := option.Decode(d.Options(), values); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}
