package filesystem

import (
	"slices"
	"testing"

	"streamsql/exec/option"
)

// TestFormatNames: the option takes exactly the formats there are.
func TestFormatNames(t *testing.T) {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	for _, f := range option.Describe(new(options)) {
		if f.Name == "format" && !slices.Equal(f.Enum, names) {
			t.Errorf("the option 'format' takes %v, the formats are %v", f.Enum, names)
		}
	}
}
