package function

import "testing"

func TestExtract(t *testing.T) {
	const ts, late = "TIMESTAMP(3):2024-02-29 12:34:56.789", "TIMESTAMP(3):1969-12-31 23:59:59.999"
	for unit, want := range map[string][2]string{
		"YEAR":        {"2024", "1969"},
		"QUARTER":     {"1", "4"},
		"MONTH":       {"2", "12"},
		"WEEK":        {"9", "1"},
		"DAY":         {"29", "31"},
		"DOY":         {"60", "365"},
		"DOW":         {"5", "4"},
		"ISODOW":      {"4", "3"},
		"ISOYEAR":     {"2024", "1970"},
		"DECADE":      {"202", "196"},
		"CENTURY":     {"21", "20"},
		"MILLENNIUM":  {"3", "2"},
		"HOUR":        {"12", "23"},
		"MINUTE":      {"34", "59"},
		"SECOND":      {"56", "59"},
		"MILLISECOND": {"789", "999"}, "MICROSECOND": {"789000", "999000"}, "NANOSECOND": {"789000000", "999000000"},
		"EPOCH": {"1709210096", "-1"},
	} {
		check(t, "EXTRACT", "BIGINT:"+want[0], "SYMBOL:"+unit, ts)
		check(t, "EXTRACT", "BIGINT:"+want[1], "SYMBOL:"+unit, late)
	}
	check(t, "EXTRACT", "BIGINT:12", "SYMBOL:HOUR", "TIMESTAMP(9):2024-02-29 12:34:56.789123456")
	check(t, "EXTRACT", "BIGINT:789123456", "SYMBOL:NANOSECOND", "TIMESTAMP(9):2024-02-29 12:34:56.789123456")
	check(t, "EXTRACT", "BIGINT:789", "SYMBOL:MILLISECOND", "TIMESTAMP(9):2024-02-29 12:34:56.789123456")
	check(t, "EXTRACT", "BIGINT:789123", "SYMBOL:MICROSECOND", "TIMESTAMP(6):2024-02-29 12:34:56.789123")
	check(t, "EXTRACT", "BIGINT:29", "SYMBOL:DAY", "TIMESTAMP(6):2024-02-29 12:34:56.789123")
	check(t, "EXTRACT", "BIGINT:0", "SYMBOL:HOUR", "DATE:2024-02-29")
	check(t, "EXTRACT", "BIGINT:1709164800", "SYMBOL:EPOCH", "DATE:2024-02-29")
	check(t, "EXTRACT", "BIGINT:9999", "SYMBOL:ISOYEAR", "DATE:9999-12-31")
	check(t, "EXTRACT", "BIGINT:56", "SYMBOL:SECOND", "TIME(3):12:34:56.789")
	check(t, "EXTRACT", "refused: TIME", "SYMBOL:DAY", "TIME(3):12:34:56.789")
	check(t, "EXTRACT", "BIGINT:2", "SYMBOL:HOUR", "INTERVAL SECOND(3):93784005ms")
	check(t, "EXTRACT", "BIGINT:1", "SYMBOL:DAY", "INTERVAL SECOND(3):93784005ms")
	check(t, "EXTRACT", "BIGINT:5000", "SYMBOL:MICROSECOND", "INTERVAL SECOND(3):93784005ms")
	check(t, "EXTRACT", "BIGINT NOT NULL:2", "SYMBOL:MONTH", "INTERVAL MONTH NOT NULL:14mo")
	check(t, "EXTRACT", "BIGINT:-1", "SYMBOL:YEAR", "INTERVAL MONTH:-14mo")
	check(t, "EXTRACT", "refused: interval", "SYMBOL:HOUR", "INTERVAL MONTH:14mo")
	check(t, "HOUR", "refused", "STRING:a")
	check(t, "YEAR", "BIGINT:9999", "TIMESTAMP(3):9999-12-31 23:59:59.999")
	check(t, "DAYOFWEEK", "BIGINT:2", "DATE:0001-01-01")
	check(t, "WEEK", "BIGINT:53", "DATE:2021-01-03")
}

func TestExtractInZone(t *testing.T) {
	inZone("Europe/Berlin", func() {
		check(t, "EXTRACT", "BIGINT:1", "SYMBOL:HOUR", "TIMESTAMP_LTZ(3):2024-03-31 00:59:59.999Z")
		check(t, "EXTRACT", "BIGINT:3", "SYMBOL:HOUR", "TIMESTAMP_LTZ(3):2024-03-31 01:00:00Z")
		check(t, "EXTRACT", "BIGINT:1711846800", "SYMBOL:EPOCH", "TIMESTAMP_LTZ(3):2024-03-31 01:00:00Z")
		check(t, "DAYOFMONTH", "BIGINT:1", "TIMESTAMP_LTZ(9):2024-07-31 23:59:59.123456789Z")
	})
}

// inZone runs f with the session in a time zone.
func inZone(name string, f func()) {
	old := testEnv
	env := *testEnv
	env.Zone = testZone(name)
	testEnv = &env
	f()
	testEnv = old
}

func TestFloorTo(t *testing.T) {
	const ts = "TIMESTAMP(3):2024-02-29 12:34:56.789"
	for unit, want := range map[string][2]string{
		"YEAR":        {"2024-01-01 00:00:00.000", "2025-01-01 00:00:00.000"},
		"QUARTER":     {"2024-01-01 00:00:00.000", "2024-04-01 00:00:00.000"},
		"MONTH":       {"2024-02-01 00:00:00.000", "2024-03-01 00:00:00.000"},
		"WEEK":        {"2024-02-25 00:00:00.000", "2024-03-03 00:00:00.000"},
		"DAY":         {"2024-02-29 00:00:00.000", "2024-03-01 00:00:00.000"},
		"HOUR":        {"2024-02-29 12:00:00.000", "2024-02-29 13:00:00.000"},
		"MINUTE":      {"2024-02-29 12:34:00.000", "2024-02-29 12:35:00.000"},
		"SECOND":      {"2024-02-29 12:34:56.000", "2024-02-29 12:34:57.000"},
		"MILLISECOND": {"2024-02-29 12:34:56.789", "2024-02-29 12:34:56.789"},
		"DECADE":      {"2020-01-01 00:00:00.000", "2030-01-01 00:00:00.000"},
		"CENTURY":     {"2001-01-01 00:00:00.000", "2101-01-01 00:00:00.000"},
		"MILLENNIUM":  {"2001-01-01 00:00:00.000", "3001-01-01 00:00:00.000"},
	} {
		check(t, "FLOOR TO", "TIMESTAMP(3):"+want[0], ts, "SYMBOL:"+unit)
		check(t, "CEIL TO", "TIMESTAMP(3):"+want[1], ts, "SYMBOL:"+unit)
	}
	check(t, "FLOOR TO", "TIMESTAMP(3):1001-01-01 00:00:00.000", "TIMESTAMP(3):1970-01-01 00:00:00",
		"SYMBOL:MILLENNIUM")
	check(t, "CEIL TO", "TIMESTAMP(3):1980-01-01 00:00:00.000", "TIMESTAMP(3):1970-01-01 00:00:00", "SYMBOL:DECADE")
	check(t, "CEIL TO", "TIMESTAMP(3):1970-01-01 00:00:00.000", "TIMESTAMP(3):1970-01-01 00:00:00", "SYMBOL:DAY")
	check(t, "CEIL TO", "TIMESTAMP(3):2024-01-01 00:00:00.000", "TIMESTAMP(3):2024-01-01 01:00:00.5", "SYMBOL:YEAR")
	check(t, "FLOOR TO", "TIMESTAMP(9):2024-02-29 12:34:56.000000000", "TIMESTAMP(9):2024-02-29 12:34:56.789123456",
		"SYMBOL:SECOND")
	check(t, "FLOOR TO", "fails: range", "TIMESTAMP(9):1678-02-01 00:00:00", "SYMBOL:MILLENNIUM")
	check(t, "CEIL TO", "TIMESTAMP(6):2024-03-01 00:00:00.000000", "TIMESTAMP(6):2024-02-29 12:34:56.789123",
		"SYMBOL:DAY")
	check(t, "FLOOR TO", "DATE:1969-12-28", "DATE:1969-12-31", "SYMBOL:WEEK")
	check(t, "FLOOR TO", "DATE:1969-12-31", "DATE:1969-12-31", "SYMBOL:HOUR")
	check(t, "CEIL TO", "DATE:2024-04-01", "DATE:2024-02-29", "SYMBOL:QUARTER")
	check(t, "CEIL TO", "TIME(3):12:35:00.000", "TIME(3):12:34:56.789", "SYMBOL:MINUTE")
	check(t, "FLOOR TO", "TIME(3):12:34:56.789", "TIME(3):12:34:56.789", "SYMBOL:DAY")
	check(t, "CEIL TO", "fails: 24:00:00", "TIME(3):23:59:59.789", "SYMBOL:SECOND")
	check(t, "FLOOR TO", "refused: DOW", ts, "SYMBOL:DOW")
	inZone("Europe/Berlin", func() {
		check(t, "FLOOR TO", "TIMESTAMP_LTZ(3):2024-03-30 23:00:00.000Z", "TIMESTAMP_LTZ(3):2024-03-31 01:00:00Z",
			"SYMBOL:DAY")
		check(t, "CEIL TO", "TIMESTAMP_LTZ(3):2024-10-27 02:00:00.000Z", "TIMESTAMP_LTZ(3):2024-10-27 01:30:00Z",
			"SYMBOL:HOUR")
		check(t, "CEIL TO", "TIMESTAMP_LTZ(3):2024-10-27 01:00:00.000Z", "TIMESTAMP_LTZ(3):2024-10-27 00:30:00Z",
			"SYMBOL:HOUR")
		check(t, "CEIL TO", "TIMESTAMP_LTZ(3):2024-03-31 01:00:00.000Z", "TIMESTAMP_LTZ(3):2024-03-31 00:59:59.999Z",
			"SYMBOL:HOUR")
	})
}
