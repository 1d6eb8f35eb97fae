package datagen

import (
	"fmt"
	"strconv"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

// fieldOptions are the options of one column, behind `fields.COLUMN.`.
type fieldOptions struct {
	Kind     string        `opt:"kind" default:"random" enum:"random,sequence" doc:"how values are made"`
	Min      *string       `opt:"min" doc:"the least random number"`
	Max      *string       `opt:"max" doc:"the greatest random number"`
	Past     time.Duration `opt:"max-past" default:"0 s" doc:"how far before now random times reach"`
	Length   int64         `opt:"length" default:"100" min:"0" max:"1048576" doc:"characters of a text, bytes of a binary"`
	VarLen   bool          `opt:"var-len" default:"false" doc:"texts of any length up to that one"`
	NullRate float64       `opt:"null-rate" default:"0" min:"0" max:"1" doc:"the share of NULLs"`
	Start    *int64        `opt:"start" doc:"the first number of a sequence"`
	End      *int64        `opt:"end" doc:"the last number of a sequence"`

	// low and high are Min and Max as numbers.
	low, high float64
}

// check completes the options for a column.
func (f *fieldOptions) check(c connector.Column) error {
	key := func(name string) string { return "fields." + c.Name + "." + name }
	k := c.Type.Kind
	if c.Type.HasVariant() {
		return &option.Error{Key: "connector", Msg: fmt.Sprintf("datagen draws no values of %s, the type of column '%s'", c.Type, c.Name),
			Hint: "draw texts, and make them JSON with PARSE_JSON in a query"}
	}
	if f.Kind == "sequence" {
		switch {
		case f.Start == nil || f.End == nil:
			return &option.Error{Key: key("kind"), Msg: fmt.Sprintf("a sequence needs '%s' and '%s'", key("start"), key("end")),
				Hint: fmt.Sprintf("such as '%s' = '1', '%s' = '1000'", key("start"), key("end"))}
		case *f.Start > *f.End:
			return &option.Error{Key: key("start"), Msg: fmt.Sprintf("'%s' must not be greater than '%s'", key("start"), key("end")),
				Hint: "sequences only rise: swap the two"}
		case !k.IsNumeric() && !k.IsText():
			return &option.Error{Key: key("kind"), Msg: fmt.Sprintf("a sequence cannot be of type %s", c.Type),
				Hint: fmt.Sprintf("number and text columns have sequences; '%s' = 'random' draws values", key("kind"))}
		}
		return nil
	}
	if f.Start != nil || f.End != nil {
		return &option.Error{Key: key("start"), Msg: fmt.Sprintf("'%s' and '%s' need '%s' = 'sequence'", key("start"), key("end"), key("kind")),
			Hint: fmt.Sprintf("set that, or bound random numbers with '%s' and '%s'", key("min"), key("max"))}
	}
	f.fit(c.Type)
	for _, b := range []struct {
		name string
		text *string
		to   *float64
	}{{"min", f.Min, &f.low}, {"max", f.Max, &f.high}} {
		if b.text == nil {
			continue
		}
		v, err := strconv.ParseFloat(*b.text, 64)
		if low, high := numberRange(c.Type); err != nil || v < low || v > high || !k.IsNumeric() {
			return &option.Error{Key: key(b.name), Msg: fmt.Sprintf("invalid value '%s' for option '%s'", *b.text, key(b.name)),
				Hint: fmt.Sprintf("expected a number that is a value of %s", c.Type)}
		}
		*b.to = v
	}
	if f.low > f.high {
		return &option.Error{Key: key("min"), Msg: fmt.Sprintf("'%s' must not be greater than '%s'", key("min"), key("max")),
			Hint: "swap the two"}
	}
	return nil
}

// fit makes random values those of a type.
func (f *fieldOptions) fit(t types.Type) {
	k := t.Kind
	switch varying := k == types.Varchar || k == types.Varbinary; {
	case k == types.Char || k == types.Binary, varying && int64(t.Precision) < f.Length:
		f.Length = int64(t.Precision)
	}
	f.low, f.high = numberRange(t)
}

// numberRange is the range of random numbers of a type.
func numberRange(t types.Type) (low, high float64) {
	switch t.Kind {
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		bits := 8*t.Physical().Width() - 1
		high = float64(uint64(1)<<bits - 1)
		return -high - 1, high
	case types.Decimal:
		high = 1
		for range t.Precision - t.Scale {
			high *= 10
		}
		return -high, high
	case types.Float:
		return -3.4e38, 3.4e38
	}
	return -1.7e308, 1.7e308
}
