package filesystem

import (
	"streamsql/exec/connector"
	"streamsql/exec/option"
)

type jsonOptions struct {
	FailOnMissing bool `opt:"fail-on-missing-field" default:"false" doc:"a missing key is an error"`
	jsonRowOptions
	Parser bool `opt:"decode.json-parser.enabled" default:"true" doc:"no effect here"`
}

// jsonRowOptions are those of any format whose rows are JSON.
type jsonRowOptions struct {
	IgnoreErrors bool   `opt:"ignore-parse-errors" default:"false" doc:"NULL for fields and no row for lines that cannot be read, both counted"`
	Timestamps   string `opt:"timestamp-format.standard" default:"SQL" enum:"SQL,ISO-8601" doc:"with a space or a T"`
	NullKey      string `opt:"map-null-key.mode" default:"FAIL" enum:"FAIL,DROP,LITERAL" doc:"what to do with a NULL key of a MAP"`
	NullKeyText  string `opt:"map-null-key.literal" default:"null" doc:"the key that LITERAL writes"`
	PlainDecimal bool   `opt:"encode.decimal-as-plain-number" default:"false" doc:"write 100 instead of 1E+2"`
	OmitNull     bool   `opt:"encode.ignore-null-fields" default:"false" doc:"write no key for a column or field that is NULL"`
}

var jsonFormat = &format{
	name:    "json",
	check:   checkJSON,
	decoder: func(o *options, fields []field) decoder { return newJSON(&o.JSON, fields) },
	encoder: func(o *options, names []string) encoder { return newJSONEncoder(&o.JSON, names) },
	cut:     cutLines,
}

func checkJSON(_ *connector.Table, o *options) error {
	if o.JSON.FailOnMissing && o.JSON.IgnoreErrors {
		return &option.Error{Key: "json.fail-on-missing-field",
			Msg:  "'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true",
			Hint: "leave one of them out"}
	}
	return nil
}
