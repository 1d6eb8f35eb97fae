package function

import "testing"

func TestToTimestamp(t *testing.T) {
	check(t, "TO_TIMESTAMP", "TIMESTAMP(3):2024-01-02 03:04:05.123", "STRING:2024-01-02 03:04:05.123456789")
	check(t, "TO_TIMESTAMP", "TIMESTAMP(3):2024-02-29 00:00:00.000", "STRING:2024-02-30")
	check(t, "TO_TIMESTAMP", `TIMESTAMP(3):\N`, "STRING:2024-01-02T03:04:05")
	check(t, "TO_TIMESTAMP", "TIMESTAMP(3):2024-01-02 15:04:00.000", "STRING:2024-01-02 3:04 PM",
		"STRING:yyyy-MM-dd h:mm a")
	check(t, "TO_TIMESTAMP", "TIMESTAMP(3):2024-01-02 03:04:05.500", "STRING:2024-01-02 03:04:05.5",
		"=STRING:yyyy-MM-dd HH:mm:ss.SSS")
	check(t, "TO_TIMESTAMP", "TIMESTAMP(3):2024-01-02 03:04:05.123", "STRING:2024-01-02 03:04:05.123456",
		"=STRING:yyyy-MM-dd HH:mm:ss.SSSSSS")
	check(t, "TO_TIMESTAMP", `TIMESTAMP(3):\N`, "STRING:2024-01-02", "STRING:bad{")
	check(t, "TO_TIMESTAMP", `TIMESTAMP(3):\N`, "STRING:2024-01-02", "=STRING:bad{")
	check(t, "TO_TIMESTAMP", "refused", "INT:1")
	check(t, "TO_DATE", "DATE:2024-01-02", "STRING:2024-01-02 03:04:05Z")
	check(t, "TO_DATE", `DATE:\N`, "STRING:2024-02-30")
	check(t, "TO_DATE", "DATE:2024-03-01", "STRING:2024-02-30", "=STRING:yyyy-MM-dd")
	check(t, "TO_DATE", `DATE:\N`, "STRING:x", "=STRING:yyyy-MM-dd")
	check(t, "TO_DATE", "fails: illegal pattern character 'b'", "STRING:2024-01-02", "STRING:bad{")
	check(t, "TO_DATE", "refused: illegal pattern character 'b'", "STRING:2024-01-02", "=STRING:bad{")
}

func TestToTimestampLTZ(t *testing.T) {
	for _, c := range [][3]string{
		{"BIGINT:1704164645", "=INT:0", "TIMESTAMP_LTZ(3):2024-01-02 03:04:05.000Z"},
		{"BIGINT:253402300799", "=INT:0", "TIMESTAMP_LTZ(3):9999-12-31 23:59:59.000Z"},
		{"BIGINT:253402300800", "=INT:0", `TIMESTAMP_LTZ(3):\N`},
		{"BIGINT:-62135596800", "=INT:0", "TIMESTAMP_LTZ(3):0001-01-01 00:00:00.000Z"},
		{"BIGINT:9223372036854775807", "=INT:0", `TIMESTAMP_LTZ(3):\N`},
		{"BIGINT:9223372036854775807", "=INT:6", `TIMESTAMP_LTZ(6):\N`},
		{"BIGINT:9223372036854775807", "=INT:9", "TIMESTAMP_LTZ(9):2262-04-11 23:47:16.854775807Z"},
		{"BIGINT:-1", "=INT:3", "TIMESTAMP_LTZ(3):1969-12-31 23:59:59.999Z"},
		{"BIGINT:-1", "=INT:1", "TIMESTAMP_LTZ(3):1969-12-31 23:59:59.900Z"},
		{"BIGINT:1704164645123", "=INT:1", "TIMESTAMP_LTZ(3):7370-04-13 18:48:32.300Z"},
		{"INT:2147483647", "=INT:3", "TIMESTAMP_LTZ(3):1970-01-25 20:31:23.647Z"},
		{"DOUBLE:1704164645.999", "=INT:0", "TIMESTAMP_LTZ(3):2024-01-02 03:04:05.999Z"},
		{"DOUBLE:-0.5", "=INT:0", "TIMESTAMP_LTZ(3):1969-12-31 23:59:59.500Z"},
		{"BIGINT:7", "=INT:10", "refused: precision"}, {"BIGINT:7", "INT:10", "fails: precision"},
		{"BIGINT:7", "INT:0", "TIMESTAMP_LTZ(3):1970-01-01 00:00:07.000Z"},
	} {
		check(t, "TO_TIMESTAMP_LTZ", c[2], c[0], c[1])
	}
	inZone("Europe/Berlin", func() {
		check(t, "TO_TIMESTAMP_LTZ", "TIMESTAMP_LTZ(3):2024-01-02 03:04:05.100Z", "STRING:2024-01-02 03:04:05.1")
	})
	check(t, "TO_TIMESTAMP_LTZ", "fails: 'x'", "STRING:x")
	check(t, "TO_TIMESTAMP_LTZ", `TIMESTAMP_LTZ(3):\N`, "STRING:x", "=STRING:yyyy")
	check(t, "TO_TIMESTAMP_LTZ", "TIMESTAMP_LTZ(3):2024-01-01 23:00:00.000Z", "STRING:2024-01-02", "=STRING:yyyy-MM-dd",
		"=STRING:Europe/Berlin")
	check(t, "TO_TIMESTAMP_LTZ", "refused: Nope/Zone", "STRING:2024-01-02", "=STRING:yyyy-MM-dd",
		"=STRING:Nope/Zone")
	check(t, "TO_TIMESTAMP_LTZ", "refused", "STRING:k", "STRING:x", "STRING:y", "STRING:z")
}

func TestUnixTime(t *testing.T) {
	check(t, "FROM_UNIXTIME", "STRING:2024-01-02 03:04:05", "BIGINT:1704164645")
	check(t, "FROM_UNIXTIME", "STRING:Sun 31 Mar 2024 01:00:00", "BIGINT:1711846800",
		"=STRING:EEE dd MMM yyyy HH:mm:ss")
	check(t, "FROM_UNIXTIME", "refused: illegal pattern", "BIGINT:0", "=STRING:bad{")
	check(t, "UNIX_TIMESTAMP", "BIGINT:1709210096", "STRING:2024-02-29 12:34:56.789")
	check(t, "UNIX_TIMESTAMP", "BIGINT:-9223372036854775808", "STRING:2024-01-02")
	check(t, "UNIX_TIMESTAMP", "BIGINT:1719835200", "STRING:2024-07-01 12:00", "=STRING:yyyy-MM-dd HH:mm")
	check(t, "UNIX_TIMESTAMP", "BIGINT NOT NULL:1704164645")
	inZone("Europe/Berlin", func() {
		check(t, "FROM_UNIXTIME", "STRING:2024-03-31 03:00:00", "BIGINT:1711846800")
		check(t, "UNIX_TIMESTAMP", "BIGINT:1711848600", "STRING:2024-03-31 02:30:00")
		check(t, "UNIX_TIMESTAMP", "BIGINT:1729992600", "STRING:2024-10-27 02:30:00")
	})
	for _, c := range [][3]string{
		{"UTC", "Europe/Berlin", "2024-07-02 05:04:05"}, {"America/Los_Angeles", "UTC", "2024-07-02 10:04:05"},
		{"UTC", "PST", "2024-07-01 20:04:05"},
		{"UTC", "GMT+8", "2024-07-02 11:04:05"},
		{"UTC", "+05:30", "2024-07-02 08:34:05"},
	} {
		check(t, "CONVERT_TZ", "STRING:"+c[2], "STRING:2024-07-02 03:04:05", "=STRING:"+c[0], "STRING:"+c[1])
	}
	check(t, "CONVERT_TZ", `STRING:\N`, "STRING:x", "=STRING:UTC", "=STRING:UTC")
	check(t, "CONVERT_TZ", "fails: Nope", "STRING:2024-07-02 03:04:05", "STRING:Nope", "=STRING:UTC")
}

func TestDateFormat(t *testing.T) {
	const ts = "TIMESTAMP(3):2024-02-29 12:34:56.789"
	check(t, "DATE_FORMAT", "STRING:2024-02-29", ts, "=STRING:yyyy-MM-dd")
	check(t, "DATE_FORMAT", "STRING:2024-02-29 12:34:56.789", ts, "=STRING:yyyy-MM-dd HH:mm:ss.SSS")
	check(t, "DATE_FORMAT", "STRING:12:34", ts, "STRING:HH:mm")
	check(t, "DATE_FORMAT", "STRING:23:59:59.999", "TIMESTAMP(3):1969-12-31 23:59:59.999", "=STRING:HH:mm:ss.SSS")
	check(t, "DATE_FORMAT", "STRING:123456000", "TIMESTAMP(6):2024-02-29 12:34:56.123456", "=STRING:n")
	check(t, "DATE_FORMAT", "refused: unknown pattern letter: T", ts, "=STRING:yyyy-MM-dd T HH")
	check(t, "DATE_FORMAT", "fails: needs a zone", ts, "=STRING:XXX")
	check(t, "DATE_FORMAT", "fails: unknown pattern letter: T", ts, "STRING:T")
	check(t, "DATE_FORMAT", "refused", "DATE:2024-02-29", "=STRING:yyyy")
	check(t, "DATE_FORMAT", "refused", "INT:1", "=STRING:yyyy")
	check(t, "DATE_FORMAT", "STRING:20240102", "STRING:2024-01-02 03:04:05", "=STRING:yyyyMMdd")
	check(t, "DATE_FORMAT", `STRING:\N`, "STRING:2024-01-02", "=STRING:yyyyMMdd")
	inZone("America/New_York", func() {
		check(t, "DATE_FORMAT", "STRING:1969-12-31 18:59", "TIMESTAMP_LTZ(3):1969-12-31 23:59:59.999Z",
			"=STRING:yyyy-MM-dd HH:mm")
	})
}

func TestClock(t *testing.T) {
	inZone("Asia/Tokyo", func() {
		check(t, "NOW", "TIMESTAMP_LTZ(3) NOT NULL:2024-01-02 03:04:05.123Z")
		check(t, "LOCALTIMESTAMP", "TIMESTAMP(3) NOT NULL:2024-01-02 12:04:05.123")
		check(t, "CURRENT_DATE", "DATE NOT NULL:2024-01-02")
		check(t, "LOCALTIME", "TIME(0) NOT NULL:12:04:05")
		check(t, "NOW", "refused", "INT:1")
	})
}
