package types

import (
	"strconv"
	"strings"
)

var names = map[Kind]string{
	Null: "NULL", Boolean: "BOOLEAN", TinyInt: "TINYINT", SmallInt: "SMALLINT", Int: "INT", BigInt: "BIGINT",
	Float: "FLOAT", Double: "DOUBLE", Decimal: "DECIMAL", Char: "CHAR", Varchar: "VARCHAR", Binary: "BINARY",
	Varbinary: "VARBINARY", Date: "DATE", Time: "TIME", Timestamp: "TIMESTAMP", TimestampLTZ: "TIMESTAMP_LTZ",
	IntervalDay: "INTERVAL SECOND(3)", IntervalMonth: "INTERVAL MONTH", Row: "ROW", Array: "ARRAY", Map: "MAP",
	Multiset: "MULTISET", Variant: "VARIANT", Symbol: "SYMBOL",
}

// String is the name of the kind in SQL.
func (k Kind) String() string { return names[k] }

// String is the type as Flink prints it: `DECIMAL(10, 2) NOT NULL`, `ROW<`+"`a`"+` INT>`. STRING and BYTES
// print by those names.
func (t Type) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t Type) write(b *strings.Builder) {
	switch t.Kind {
	case Varchar, Varbinary:
		switch {
		case t.Precision == MaxLength && t.Kind == Varchar:
			b.WriteString("STRING")
		case t.Precision == MaxLength:
			b.WriteString("BYTES")
		default:
			b.WriteString(names[t.Kind] + "(" + strconv.Itoa(t.Precision) + ")")
		}
	case Char, Binary, Time, Timestamp, TimestampLTZ:
		b.WriteString(names[t.Kind] + "(" + strconv.Itoa(t.Precision) + ")")
	case Decimal:
		b.WriteString("DECIMAL(" + strconv.Itoa(t.Precision) + ", " + strconv.Itoa(t.Scale) + ")")
	case Row, Array, Map, Multiset:
		b.WriteString(names[t.Kind] + "<")
		for i, f := range t.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			if t.Kind == Row {
				b.WriteString("`" + strings.ReplaceAll(f.Name, "`", "``") + "` ")
			}
			f.Type.write(b)
		}
		b.WriteByte('>')
	default:
		b.WriteString(names[t.Kind])
	}
	if t.NotNull {
		b.WriteString(" NOT NULL")
	}
}
