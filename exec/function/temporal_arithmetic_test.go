package function

import "testing"

func TestTemporalArithmetic(t *testing.T) {
	const ts, day, month = "TIMESTAMP(3):2024-02-29 12:34:56.789", "INTERVAL SECOND(3):86400000ms", "INTERVAL MONTH:1mo"
	for _, c := range [][4]string{
		{"+", ts, day, "TIMESTAMP(3):2024-03-01 12:34:56.789"},
		{"+", day, ts, "TIMESTAMP(3):2024-03-01 12:34:56.789"},
		{"-", ts, "INTERVAL SECOND(3):1ms", "TIMESTAMP(3):2024-02-29 12:34:56.788"},
		{"+", ts, month, "TIMESTAMP(3):2024-03-29 12:34:56.789"},
		{"-", "TIMESTAMP(3):1969-12-31 23:59:59.999", month, "TIMESTAMP(3):1969-11-30 23:59:59.999"},
		{"+", "TIMESTAMP(9):2024-02-29 12:34:56.789123456", "INTERVAL SECOND(3):1000ms", "TIMESTAMP(9):2024-02-29 12:34:57.789123456"},
		{"+", "TIMESTAMP(9):2262-04-11 00:00:00", day, "fails: range"},
		{"-", "TIMESTAMP(9):1677-10-11 00:00:00", "INTERVAL MONTH:12mo", "fails: range"},
		{"+", "TIMESTAMP_LTZ(3):2024-03-31 00:59:59.999Z", day, "TIMESTAMP_LTZ(3):2024-04-01 00:59:59.999Z"},
		{"+", "DATE:2024-01-31", month, "DATE:2024-02-29"}, {"-", "DATE:2024-03-01", day, "DATE:2024-02-29"},
		{"+", "DATE:2024-03-01", "=INTERVAL SECOND(3):3600000ms", "TIMESTAMP(6):2024-03-01 01:00:00.000000"},
		{"+", "DATE:2024-03-01", "INTERVAL SECOND(3):-90000000ms", "DATE:2024-02-29"},
		{"-", "TIME(3):12:34:56.789", "INTERVAL SECOND(3):46800000ms", "TIME(3):23:34:56.789"},
		{"+", "INTERVAL SECOND(3):5ms", "INTERVAL SECOND(3):-7ms", "INTERVAL SECOND(3):-2ms"},
		{"-", "INTERVAL MONTH:5mo", "INTERVAL MONTH:7mo", "INTERVAL MONTH:-2mo"},
		{"+", month, day, "refused"},
		{"-", day, ts, "refused"},
		{"+", ts, "INT:1", "refused"},
		{"-", ts, ts, "refused"},
		{"+", "TIME(3):12:34:56.789", month, "refused"},
		{"*", day, "INT:-3", "INTERVAL SECOND(3):-259200000ms"}, {"*", "BIGINT:3", month, "INTERVAL MONTH:3mo"},
		{"*", day, "DOUBLE:0.5", "INTERVAL SECOND(3):43200000ms"},
		{"/", day, "INT:4", "INTERVAL SECOND(3):21600000ms"},
		{"/", day, "INT:0", "fails: zero"},
	} {
		check(t, c[0], c[3], c[1], c[2])
	}
}

func TestTimestampAdd(t *testing.T) {
	const ts = "TIMESTAMP(3):2024-02-29 12:34:56.789"
	for _, c := range [][4]string{
		{"DAY", "1", ts, "TIMESTAMP(3):2024-03-01 12:34:56.789"},
		{"WEEK", "-1", ts, "TIMESTAMP(3):2024-02-22 12:34:56.789"},
		{"MONTH", "100", "TIMESTAMP(3):2023-12-31 23:00:00", "TIMESTAMP(3):2032-04-30 23:00:00.000"},
		{"QUARTER", "100", "TIMESTAMP(3):2023-12-31 23:00:00", "TIMESTAMP(3):2048-12-31 23:00:00.000"},
		{"YEAR", "1", ts, "TIMESTAMP(3):2025-02-28 12:34:56.789"},
		{"SQL_TSI_DAY", "1", ts, "TIMESTAMP(3):2024-03-01 12:34:56.789"},
		{"MILLISECOND", "-30", "TIMESTAMP(3):2024-07-15 18:45:30", "TIMESTAMP(3):2024-07-15 18:45:29.970"},
		{"MICROSECOND", "1", ts, "TIMESTAMP(6):2024-02-29 12:34:56.789001"},
		{"HOUR", "100", "DATE:2023-12-31", "TIMESTAMP(6):2024-01-04 04:00:00.000000"},
		{"WEEK", "100", "DATE:2023-12-31", "DATE:2025-11-30"},
		{"QUARTER", "-30", "DATE:2024-07-15", "DATE:2017-01-15"},
		{"DAY", "9223372036854775807", "DATE:2024-07-15", "fails: DATE"},
		{"MINUTE", "100", "TIME(3):00:00:01", "TIME(3):01:40:01.000"},
		{"MINUTE", "-1", "TIME(3):00:00:00", "TIME(3):23:59:00.000"},
		{"YEAR", "9223372036854775807", ts, "fails: range"}, {"DAY", "9223372036854775807", ts, "fails: range"},
		{"MONTH", "1", "TIME(3):00:00:00", "refused"},
		{"DOW", "1", ts, "refused"},
		{"DAY", "1", "STRING:a", "refused"},
	} {
		check(t, "TIMESTAMPADD", c[3], "SYMBOL:"+c[0], "BIGINT:"+c[1], c[2])
	}
}

func TestTimestampDiff(t *testing.T) {
	for _, c := range [][4]string{
		{"MINUTE", "2024-12-31 00:00:00", "2023-11-30 00:00:00", "-571680"},
		{"HOUR", "2024-01-02 00:00:00", "2024-01-01 00:00:00.001", "-23"},
		{"MONTH", "2024-03-15 10:00:00", "2024-04-15 09:59:59", "0"},
		{"MONTH", "2024-12-31 00:00:00", "2023-11-30 00:00:00", "-13"},
		{"YEAR", "2024-02-29 12:00:00", "2025-02-28 12:00:00", "1"},
		{"QUARTER", "2024-02-29 12:00:00", "2025-02-28 12:00:00", "4"},
		{"WEEK", "2024-01-01 00:00:00", "2024-01-15 00:00:00", "2"},
		{"SECOND", "1969-12-31 23:59:59", "1970-01-01 00:00:01", "2"},
		{"MICROSECOND", "1969-12-31 23:59:59", "1970-01-01 00:00:01", "2000000"},
	} {
		check(t, "TIMESTAMPDIFF", "INT:"+c[3], "SYMBOL:"+c[0], "TIMESTAMP(3):"+c[1], "TIMESTAMP(3):"+c[2])
	}
	check(t, "TIMESTAMPDIFF", "INT:-8", "SYMBOL:DAY", "TIMESTAMP(9):2024-01-10 00:00:00",
		"TIMESTAMP(9):2024-01-01 12:00:00")
	check(t, "TIMESTAMPDIFF", "refused: TIMESTAMP_LTZ", "SYMBOL:HOUR", "TIMESTAMP_LTZ(3):2024-01-01 00:00:00Z",
		"TIMESTAMP(3):2024-01-01 00:00:00")
	check(t, "TIMESTAMPDIFF", "refused", "SYMBOL:HOUR", "STRING:a", "TIMESTAMP(3):2024-01-01 00:00:00")
	check(t, "MINUS TO", "INTERVAL SECOND(3):-86399999ms", "SYMBOL:DAY", "TIMESTAMP(3):2024-01-01 00:00:00.001",
		"TIMESTAMP(3):2024-01-02 00:00:00")
	check(t, "MINUS TO", "INTERVAL MONTH:13mo", "SYMBOL:YEAR", "TIMESTAMP(3):2024-12-31 00:00:00",
		"TIMESTAMP(3):2023-11-30 00:00:00")
}

func TestOverlaps(t *testing.T) {
	day := func(s string) string { return "TIMESTAMP(3):" + s + " 00:00:00" }
	for _, c := range [][5]string{
		{"2024-01-01", "2024-12-31", "2024-01-01", "2024-01-01", "true"},
		{"2024-01-01", "2024-12-31", "2023-12-31", "2023-12-31", "false"},
		{"2024-12-31", "2024-01-01", "2025-12-31", "2024-02-01", "true"},
		{"2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "false"},
	} {
		check(t, "OVERLAPS", "BOOLEAN:"+c[4], day(c[0]), day(c[1]), day(c[2]), day(c[3]))
	}
	check(t, "OVERLAPS", "BOOLEAN:true", day("2024-01-01"), "INTERVAL MONTH:1mo", day("2024-01-31"),
		"INTERVAL SECOND(3):5ms")
	check(t, "OVERLAPS", "BOOLEAN:false", day("2024-01-01"), "INTERVAL SECOND(3):5ms", day("2024-01-31"),
		"INTERVAL SECOND(3):5ms")
	check(t, "OVERLAPS", "refused", "INT:1", "INT:2", "INT:1", "INT:2")
}
