package function

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"streamsql/exec/kernel"
)

var legacyZones = []string{"UTC", "Europe/Berlin", "America/New_York"}

func testZone(name string) *time.Location {
	loc, err := ZoneOf(name)
	if err != nil {
		panic(err)
	}
	return loc
}

func TestLegacyPatternPrints(t *testing.T) {
	times := []int64{1709210096789, -1, 1704067200500, 1720000000123, 253402300800000}
	for _, line := range strings.Split(strings.TrimSpace(legacyPrinted), "\n") {
		pattern, want, _ := strings.Cut(line, "\t")
		p, err := compileLegacy(pattern)
		if err != nil {
			if want != "!" {
				t.Errorf("%s: %v", pattern, err)
			}
			continue
		}
		got := ""
		for _, name := range legacyZones {
			for _, ms := range times {
				var c wallClock
				c.setInstant(newZoneClock(testZone(name)), ms)
				got += string(p.append(nil, &c)) + "|"
			}
		}
		if got != want {
			t.Errorf("%s prints %s\n want %s", pattern, got, want)
		}
	}
}

func TestLegacyPatternReads(t *testing.T) {
	for _, line := range strings.Split(strings.Trim(legacyReads, "\n"), "\n") {
		f := strings.Split(line, "\t")
		p, err := compileLegacy(f[1])
		if err != nil {
			t.Errorf("%s: %v", f[1], err)
			continue
		}
		got := "NULL"
		if d, ok := p.read([]byte(f[2]), 1946); ok {
			sec, milli := d.instant(kernel.NewZone(testZone(f[0])))
			got = fmt.Sprint(sec*1000 + milli)
		}
		if got != f[3] {
			t.Errorf("%q by %s in %s: %s, want %s", f[2], f[1], f[0], got, f[3])
		}
	}
}

// legacyPrinted is what Java 17's SimpleDateFormat prints for five instants in three zones.
const legacyPrinted = `
G	AD|AD|AD|AD|AD|AD|AD|AD|AD|AD|AD|AD|AD|AD|AD|
y	2024|1969|2024|2024|10000|2024|1970|2024|2024|10000|2024|1969|2023|2024|9999|
yy	24|69|24|24|00|24|70|24|24|00|24|69|23|24|99|
yyy	2024|1969|2024|2024|10000|2024|1970|2024|2024|10000|2024|1969|2023|2024|9999|
yyyy	2024|1969|2024|2024|10000|2024|1970|2024|2024|10000|2024|1969|2023|2024|9999|
yyyyy	02024|01969|02024|02024|10000|02024|01970|02024|02024|10000|02024|01969|02023|02024|09999|
Y	2024|1970|2024|2024|10000|2024|1970|2024|2024|10000|2024|1970|2024|2024|10000|
YY	24|70|24|24|00|24|70|24|24|00|24|70|24|24|00|
YYYY	2024|1970|2024|2024|10000|2024|1970|2024|2024|10000|2024|1970|2024|2024|10000|
M	2|12|1|7|1|2|1|1|7|1|2|12|12|7|12|
MM	02|12|01|07|01|02|01|01|07|01|02|12|12|07|12|
MMM	Feb|Dec|Jan|Jul|Jan|Feb|Jan|Jan|Jul|Jan|Feb|Dec|Dec|Jul|Dec|
MMMM	February|December|January|July|January|February|January|January|July|January|February|December|December|July|December|
MMMMM	February|December|January|July|January|February|January|January|July|January|February|December|December|July|December|
L	2|12|1|7|1|2|1|1|7|1|2|12|12|7|12|
LL	02|12|01|07|01|02|01|01|07|01|02|12|12|07|12|
LLL	Feb|Dec|Jan|Jul|Jan|Feb|Jan|Jan|Jul|Jan|Feb|Dec|Dec|Jul|Dec|
LLLL	February|December|January|July|January|February|January|January|July|January|February|December|December|July|December|
w	9|1|1|27|1|9|1|1|27|1|9|1|1|27|1|
ww	09|01|01|27|01|09|01|01|27|01|09|01|01|27|01|
W	5|5|1|1|1|5|1|1|1|1|5|5|6|1|5|
WW	05|05|01|01|01|05|01|01|01|01|05|05|06|01|05|
D	60|365|1|185|1|60|1|1|185|1|60|365|365|185|365|
DDD	060|365|001|185|001|060|001|001|185|001|060|365|365|185|365|
d	29|31|1|3|1|29|1|1|3|1|29|31|31|3|31|
dd	29|31|01|03|01|29|01|01|03|01|29|31|31|03|31|
F	5|5|1|1|1|5|1|1|1|1|5|5|5|1|5|
E	Thu|Wed|Mon|Wed|Sat|Thu|Thu|Mon|Wed|Sat|Thu|Wed|Sun|Wed|Fri|
EE	Thu|Wed|Mon|Wed|Sat|Thu|Thu|Mon|Wed|Sat|Thu|Wed|Sun|Wed|Fri|
EEE	Thu|Wed|Mon|Wed|Sat|Thu|Thu|Mon|Wed|Sat|Thu|Wed|Sun|Wed|Fri|
u	4|3|1|3|6|4|4|1|3|6|4|3|7|3|5|
uu	04|03|01|03|06|04|04|01|03|06|04|03|07|03|05|
a	PM|PM|AM|AM|AM|PM|AM|AM|AM|AM|AM|PM|PM|AM|PM|
aa	PM|PM|AM|AM|AM|PM|AM|AM|AM|AM|AM|PM|PM|AM|PM|
H	12|23|0|9|0|13|0|1|11|1|7|18|19|5|19|
HH	12|23|00|09|00|13|00|01|11|01|07|18|19|05|19|
HHH	012|023|000|009|000|013|000|001|011|001|007|018|019|005|019|
k	12|23|24|9|24|13|24|1|11|1|7|18|19|5|19|
kk	12|23|24|09|24|13|24|01|11|01|07|18|19|05|19|
K	0|11|0|9|0|1|0|1|11|1|7|6|7|5|7|
KK	00|11|00|09|00|01|00|01|11|01|07|06|07|05|07|
h	12|11|12|9|12|1|12|1|11|1|7|6|7|5|7|
hh	12|11|12|09|12|01|12|01|11|01|07|06|07|05|07|
m	34|59|0|46|0|34|59|0|46|0|34|59|0|46|0|
mm	34|59|00|46|00|34|59|00|46|00|34|59|00|46|00|
s	56|59|0|40|0|56|59|0|40|0|56|59|0|40|0|
ss	56|59|00|40|00|56|59|00|40|00|56|59|00|40|00|
S	789|999|500|123|0|789|999|500|123|0|789|999|500|123|0|
SS	789|999|500|123|00|789|999|500|123|00|789|999|500|123|00|
SSS	789|999|500|123|000|789|999|500|123|000|789|999|500|123|000|
SSSSSS	000789|000999|000500|000123|000000|000789|000999|000500|000123|000000|000789|000999|000500|000123|000000|
z	UTC|UTC|UTC|UTC|UTC|CET|CET|CET|CEST|CET|EST|EST|EST|EDT|EST|
Z	+0000|+0000|+0000|+0000|+0000|+0100|+0100|+0100|+0200|+0100|-0500|-0500|-0500|-0400|-0500|
ZZZZ	+0000|+0000|+0000|+0000|+0000|+0100|+0100|+0100|+0200|+0100|-0500|-0500|-0500|-0400|-0500|
X	Z|Z|Z|Z|Z|+01|+01|+01|+02|+01|-05|-05|-05|-04|-05|
XX	Z|Z|Z|Z|Z|+0100|+0100|+0100|+0200|+0100|-0500|-0500|-0500|-0400|-0500|
XXX	Z|Z|Z|Z|Z|+01:00|+01:00|+01:00|+02:00|+01:00|-05:00|-05:00|-05:00|-04:00|-05:00|
XXXX	!
x	!
b	!
T	!
'T'	T|T|T|T|T|T|T|T|T|T|T|T|T|T|T|
''	'|'|'|'|'|'|'|'|'|'|'|'|'|'|'|
{yyyy}	{2024}|{1969}|{2024}|{2024}|{10000}|{2024}|{1970}|{2024}|{2024}|{10000}|{2024}|{1969}|{2023}|{2024}|{9999}|
[yyyy]	[2024]|[1969]|[2024]|[2024]|[10000]|[2024]|[1970]|[2024]|[2024]|[10000]|[2024]|[1969]|[2023]|[2024]|[9999]|
#	#|#|#|#|#|#|#|#|#|#|#|#|#|#|#|
年yyyy	年2024|年1969|年2024|年2024|年10000|年2024|年1970|年2024|年2024|年10000|年2024|年1969|年2023|年2024|年9999|
'abc	!
`

// legacyReads is zone, pattern, text and outcome of Java 17's SimpleDateFormat. Dates before 1582 are left
// out: there Java counts by the Julian calendar.
const legacyReads = `
UTC	yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05	1704164645000
UTC	yyyy-MM-dd HH:mm:ss	2024-1-2 3:4:5	1704164645000
UTC	yyyy-MM-dd HH:mm:ss	2024-02-30 00:00:00	1709251200000
UTC	yyyy-MM-dd HH:mm:ss	2024-13-01 00:00:00	1735689600000
UTC	yyyy-MM-dd HH:mm:ss	2024-01-02 25:61:61	1704247321000
UTC	yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05.999	1704164645000
UTC	yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05 xyz	1704164645000
UTC	yyyy-MM-dd HH:mm:ss	2024-01-02	NULL
UTC	yyyy-MM-dd HH:mm:ss	2024-01-02T03:04:05	NULL
UTC	yyyy-MM-dd HH:mm:ss	 2024-01-02 03:04:05	1704164645000
UTC	yyyy-MM-dd HH:mm:ss	2024 -01-02 03:04:05	NULL
UTC	yyyy-MM-dd HH:mm:ss	2024- 01- 02  03:04:05	1704164645000
UTC	yyyy-MM-dd HH:mm:ss	12024-01-02 03:04:05	317273684645000
UTC	yyyy-MM-dd HH:mm:ss	2024-00-00 00:00:00	1701302400000
UTC	yyyy-MM-dd HH:mm:ss	2024--1-02 03:04:05	1698894245000
UTC	yyyy-MM-dd HH:mm:ss		NULL
UTC	yyyy-MM-dd HH:mm:ss	x	NULL
UTC	yyyy-MM-dd HH:mm:ss	2024-03-31 02:30:00	1711852200000
UTC	yyyy-MM-dd HH:mm:ss	2024-10-27 02:30:00	1729996200000
UTC	yyyy-MM-dd HH:mm:ss	2024-10-27 01:59:59	1729994399000
UTC	yyyy-MM-dd HH:mm:ss	2024-10-27 03:00:00	1729998000000
UTC	yyyy-MM-dd HH:mm:ss	1945-05-24 02:30:00	-776554200000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05	1704161045000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-1-2 3:4:5	1704161045000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-02-30 00:00:00	1709247600000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-13-01 00:00:00	1735686000000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-01-02 25:61:61	1704243721000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05.999	1704161045000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05 xyz	1704161045000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-01-02	NULL
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-01-02T03:04:05	NULL
Europe/Berlin	yyyy-MM-dd HH:mm:ss	 2024-01-02 03:04:05	1704161045000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024 -01-02 03:04:05	NULL
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024- 01- 02  03:04:05	1704161045000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	12024-01-02 03:04:05	317273681045000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-00-00 00:00:00	1701298800000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024--1-02 03:04:05	1698890645000
Europe/Berlin	yyyy-MM-dd HH:mm:ss		NULL
Europe/Berlin	yyyy-MM-dd HH:mm:ss	x	NULL
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-03-31 02:30:00	1711848600000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-10-27 02:30:00	1729992600000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-10-27 01:59:59	1729987199000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	2024-10-27 03:00:00	1729994400000
Europe/Berlin	yyyy-MM-dd HH:mm:ss	1945-05-24 02:30:00	-776561400000
UTC	yyyyMMdd	20240102	1704153600000
UTC	yyyyMMdd	2024012	1704153600000
UTC	yyyyMMdd	202401023	1705968000000
UTC	yyyyMMdd	2024-1-2	1698537600000
Europe/Berlin	yyyyMMdd	20240102	1704150000000
Europe/Berlin	yyyyMMdd	2024012	1704150000000
Europe/Berlin	yyyyMMdd	202401023	1705964400000
Europe/Berlin	yyyyMMdd	2024-1-2	1698530400000
UTC	yyyyMMddHHmmss	20240102030405	1704164645000
UTC	yyyyMMddHHmmss	2024010203040	1704164640000
Europe/Berlin	yyyyMMddHHmmss	20240102030405	1704161045000
Europe/Berlin	yyyyMMddHHmmss	2024010203040	1704161040000
UTC	yyMMdd	240102	1704153600000
UTC	yyMMdd	690102	-31449600000
Europe/Berlin	yyMMdd	240102	1704150000000
Europe/Berlin	yyMMdd	690102	-31453200000
UTC	d/M/yy	2/1/24	1704153600000
UTC	d/M/yy	2/1/2024	1704153600000
Europe/Berlin	d/M/yy	2/1/24	1704150000000
Europe/Berlin	d/M/yy	2/1/2024	1704150000000
UTC	MMM d, yyyy	Jan 2, 2024	1704153600000
UTC	MMM d, yyyy	january 2, 2024	1704153600000
UTC	MMM d, yyyy	JAN 2, 2024	1704153600000
UTC	MMM d, yyyy	Foo 2, 2024	NULL
Europe/Berlin	MMM d, yyyy	Jan 2, 2024	1704150000000
Europe/Berlin	MMM d, yyyy	january 2, 2024	1704150000000
Europe/Berlin	MMM d, yyyy	JAN 2, 2024	1704150000000
Europe/Berlin	MMM d, yyyy	Foo 2, 2024	NULL
UTC	MMMM yyyy	Jan 2024	1704067200000
UTC	MMMM yyyy	January 2024	1704067200000
Europe/Berlin	MMMM yyyy	Jan 2024	1704063600000
Europe/Berlin	MMMM yyyy	January 2024	1704063600000
UTC	EEE dd MMM yyyy	Tue 02 Jan 2024	1704153600000
UTC	EEE dd MMM yyyy	Wed 02 Jan 2024	1704153600000
UTC	EEE dd MMM yyyy	Tuesday 02 Jan 2024	1704153600000
Europe/Berlin	EEE dd MMM yyyy	Tue 02 Jan 2024	1704150000000
Europe/Berlin	EEE dd MMM yyyy	Wed 02 Jan 2024	1704150000000
Europe/Berlin	EEE dd MMM yyyy	Tuesday 02 Jan 2024	1704150000000
UTC	h:mm a	3:04 PM	54240000
UTC	h:mm a	12:00 AM	0
UTC	h:mm a	12:00 pm	43200000
UTC	h:mm a	13:00 PM	90000000
UTC	h:mm a	3:04	NULL
Europe/Berlin	h:mm a	3:04 PM	50640000
Europe/Berlin	h:mm a	12:00 AM	-3600000
Europe/Berlin	h:mm a	12:00 pm	39600000
Europe/Berlin	h:mm a	13:00 PM	86400000
Europe/Berlin	h:mm a	3:04	NULL
UTC	hh:mm	03:04	11040000
UTC	hh:mm	12:30	1800000
Europe/Berlin	hh:mm	03:04	7440000
Europe/Berlin	hh:mm	12:30	-1800000
UTC	K:mm a	0:30 PM	45000000
Europe/Berlin	K:mm a	0:30 PM	41400000
UTC	k:mm	24:30	1800000
UTC	k:mm	0:30	1800000
Europe/Berlin	k:mm	24:30	-1800000
Europe/Berlin	k:mm	0:30	-1800000
UTC	HH	24	86400000
UTC	HH	5	18000000
Europe/Berlin	HH	24	82800000
Europe/Berlin	HH	5	14400000
UTC	yyyy-DDD	2024-060	1709164800000
UTC	yyyy-DDD	2024-366	1735603200000
Europe/Berlin	yyyy-DDD	2024-060	1709161200000
Europe/Berlin	yyyy-DDD	2024-366	1735599600000
UTC	yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05+01:00	1704161045000
UTC	yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05Z	1704164645000
UTC	yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05	NULL
Europe/Berlin	yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05+01:00	1704161045000
Europe/Berlin	yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05Z	1704164645000
Europe/Berlin	yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05	NULL
UTC	yyyy-MM-dd HH:mm Z	2024-01-02 03:04 +0100	1704161040000
UTC	yyyy-MM-dd HH:mm Z	2024-01-02 03:04 -0530	1704184440000
Europe/Berlin	yyyy-MM-dd HH:mm Z	2024-01-02 03:04 +0100	1704161040000
Europe/Berlin	yyyy-MM-dd HH:mm Z	2024-01-02 03:04 -0530	1704184440000
UTC	X	+01	-3600000
UTC	X	Z	0
UTC	X	+0100	-3600000
Europe/Berlin	X	+01	-3600000
Europe/Berlin	X	Z	0
Europe/Berlin	X	+0100	-3600000
UTC	yyyy	2024	1704067200000
UTC	yyyy	x2024	NULL
UTC	yyyy	2024x	1704067200000
Europe/Berlin	yyyy	2024	1704063600000
Europe/Berlin	yyyy	x2024	NULL
Europe/Berlin	yyyy	2024x	1704063600000
UTC	yyyy-MM	2024-02	1706745600000
Europe/Berlin	yyyy-MM	2024-02	1706742000000
UTC	SSS	5	5
UTC	SSS	1500	1500
Europe/Berlin	SSS	5	-3599995
Europe/Berlin	SSS	1500	-3598500
UTC	ss.SSS	3.5	3005
Europe/Berlin	ss.SSS	3.5	-3596995
UTC	G yyyy	AD 2024	1704067200000
Europe/Berlin	G yyyy	AD 2024	1704063600000
UTC	y	24	1704067200000
UTC	y	2024	1704067200000
Europe/Berlin	y	24	1704063600000
Europe/Berlin	y	2024	1704063600000
UTC	dd	31	2592000000
UTC	dd	32	2678400000
UTC	dd	0	-86400000
Europe/Berlin	dd	31	2588400000
Europe/Berlin	dd	32	2674800000
Europe/Berlin	dd	0	-90000000
UTC	D	60	5097600000
Europe/Berlin	D	60	5094000000
UTC	a	PM	43200000
Europe/Berlin	a	PM	39600000
UTC	yyyy.MM	2024.02	1706745600000
Europe/Berlin	yyyy.MM	2024.02	1706742000000
UTC	yyyy-MM-dd	2024-02-30	1709251200000
Europe/Berlin	yyyy-MM-dd	2024-02-30	1709247600000
Europe/Berlin	yyKEEE	2810Wed	1830675600000
UTC	yyyy ahMM H	7641 AM 911 9	NULL
Europe/Berlin	DM	546	342000000
America/New_York	MZZdddd	3-605000001	NULL
`
