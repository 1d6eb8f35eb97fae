package function

import (
	"time"

	"streamsql/exec/types"
)

// castable refuses the pairs of types that have no cast.
func castable(from, to types.Type) error {
	f, t := from.Kind, to.Kind
	ok := false
	switch {
	case f == types.Null || from.Same(to):
		ok = true
	case t == types.Variant:
		return Refuse("Cast function cannot convert value of type %s to VARIANT; PARSE_JSON makes one of a JSON text", from.WithNull(true))
	case f == types.Variant:
		ok = t.IsText() || t == types.Boolean || t.IsNumeric()
	case f.IsComposite() || t.IsComposite():
		return castableComposite(from, to)
	case f.IsInterval() || t.IsInterval():
		ok = f.IsInterval() && (t == f || t.IsText())
		if f.IsText() {
			return noCast(from, to)
		}
		if f.IsNumeric() {
			return Refuse("not supported: a cast from %s to %s; multiply an interval, as in x * INTERVAL '1' DAY",
				from, to)
		}
	case f.IsText():
		ok = t.IsText() || t.IsBinary() || t == types.Boolean || t.IsNumeric() || t.IsTemporal()
	case f.IsBinary():
		ok = t.IsText() || t.IsBinary()
		if t.IsTimestamp() {
			return noCast(from, to)
		}
	case f == types.Boolean:
		ok = t.IsText() || t.IsNumeric()
	case f.IsNumeric():
		ok = t.IsText() || t.IsNumeric() || t == types.Boolean
		if t == types.Timestamp {
			return Refuse("the cast from NUMERIC type to TIMESTAMP type is not allowed; " +
				"use TO_TIMESTAMP(FROM_UNIXTIME(x)), where x is in seconds")
		} else if t == types.TimestampLTZ {
			return Refuse("the cast from NUMERIC type to TIMESTAMP_LTZ type is not allowed; " +
				"use TO_TIMESTAMP_LTZ(x, precision)")
		}
	case f.IsTemporal():
		ok = t.IsText() || t == f || t.IsTimestamp() || (f.IsTimestamp() && t.IsTemporal())
		if f == types.Timestamp && t.IsNumeric() {
			return Refuse("the cast from TIMESTAMP type to NUMERIC type is not allowed; " +
				"use UNIX_TIMESTAMP(CAST(x AS STRING))")
		} else if f == types.TimestampLTZ && t.IsNumeric() {
			return Refuse("the cast from TIMESTAMP_LTZ type to NUMERIC type is not allowed")
		}
	}
	if !ok {
		return cannotConvert(from, to)
	}
	return nil
}

func castableComposite(from, to types.Type) error {
	f, t := from.Kind, to.Kind
	switch {
	case f == types.Multiset && t.IsText():
		return noCast(from, to)
	case t.IsText() && f.IsComposite():
		return nil
	case f.IsText():
		return noCast(from, to)
	case f != t || len(from.Fields) != len(to.Fields):
		return cannotConvert(from, to)
	}
	for i := range from.Fields {
		if err := castable(from.Fields[i].Type, to.Fields[i].Type); err != nil {
			return err
		}
	}
	return nil
}

func cannotConvert(from, to types.Type) error {
	return Refuse("Cast function cannot convert value of type %s to type %s", from.WithNull(true),
		to.WithNull(true))
}

func noCast(from, to types.Type) error { return Refuse("unsupported cast from '%s' to '%s'", from, to) }

// castFails tells whether a value of from may have none in to.
func castFails(from, to types.Type) bool {
	f, t := from.Kind, to.Kind
	switch {
	case f == types.Null || from.Same(to):
		return false
	case f.IsComposite() && f == t:
		for i := range from.Fields {
			if castFails(from.Fields[i].Type, to.Fields[i].Type) {
				return true
			}
		}
		return false
	case f.IsText():
		return !t.IsText() && !t.IsBinary()
	case f == types.Variant:
		return !t.IsText()
	case f.IsApprox():
		return t == types.Decimal
	}
	return t.IsTimestamp() && to.TickNanos() < 1e6 && (f == types.Date || to.TickNanos() < from.TickNanos())
}

// castMakesNull tells whether a value that is not NULL may become NULL: a number too large for a DECIMAL, and JSON's null.
func castMakesNull(from, to types.Type) bool {
	if from.Kind == types.Variant {
		return !from.Same(to)
	}
	if to.Kind != types.Decimal || from.Kind.IsText() {
		return false
	}
	room := to.Precision - to.Scale
	switch {
	case from.Kind == types.Boolean:
		return room < 1
	case from.Kind.IsExact():
		d := from.AsDecimal()
		need := d.Precision - d.Scale
		return need > room || (need == room && d.Scale > to.Scale)
	}
	return true
}

func zoneOf(env *Env) *time.Location {
	if env == nil {
		return nil
	}
	return env.Zone
}
