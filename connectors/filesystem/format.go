package filesystem

import "streamsql/exec/connector"

// format is how rows stand in files.
type format struct {
	name string
	// check refuses options that do not go together and columns that the format has no form for.
	check func(t *connector.Table, o *options) error
	// decoder reads into fields, the stored columns in order.
	decoder func(o *options, fields []field) decoder
	// encoder writes the stored columns, whose names it gets, in order.
	encoder func(o *options, names []string) encoder
}

// formats are those there are; the option's tag repeats their names.
var formats = []*format{csvFormat, jsonFormat, rawFormat}

// formatOf is the format of a table, whose name the option's tag has checked.
func formatOf(o *options) *format {
	for _, f := range formats {
		if f.name == o.Format {
			return f
		}
	}
	panic("filesystem: no format " + o.Format)
}
