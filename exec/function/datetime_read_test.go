package function

import (
	"strings"
	"testing"
	"time"
)

func TestPatternReads(t *testing.T) {
	for _, line := range strings.Split(strings.Trim(reads, "\n"), "\n") {
		f := strings.Split(line, "\t")
		p, err := compilePattern(f[0])
		if err != nil {
			t.Errorf("%s: %v", f[0], err)
			continue
		}
		got := "NULL"
		if day, nanos, ok := p.read([]byte(f[1])); ok {
			got = javaTime(day, nanos)
		} else if day, nanos, ok := readLoosely([]byte(f[1])); ok {
			got = "~" + javaTime(day, nanos)
		}
		if got != f[2] {
			t.Errorf("%q by %s: %s, want %s", f[1], f[0], got, f[2])
		}
	}
}

// javaTime prints as LocalDateTime.toString does.
func javaTime(day, nanos int64) string {
	g := time.Unix(day*86400, nanos).UTC()
	s := g.Format("2006-01-02T15:04")
	if g.Year() > 9999 {
		s = "+" + s
	}
	if g.Second() != 0 || g.Nanosecond() != 0 {
		s += g.Format(":05")
	}
	if n := g.Nanosecond(); n%1e6 != 0 {
		s += g.Format(".000000000")
	} else if n != 0 {
		s += g.Format(".000")
	}
	return s
}

// reads is pattern, text and outcome of Java 17's DateTimeFormatter (en_US) with Flink's completion of
// missing fields; ~ marks what only the loose form reads.
const reads = `
yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05	2024-01-02T03:04:05
yyyy-MM-dd HH:mm:ss	2024-1-2 3:4:5	~2024-01-02T03:04:05
yyyy-MM-dd HH:mm:ss	2024-02-30 00:00:00	2024-02-29T00:00
yyyy-MM-dd HH:mm:ss	2024-01-02 24:00:00	2024-01-03T00:00
yyyy-MM-dd HH:mm:ss	2024-01-02 24:00:01	~2024-01-03T00:00:01
yyyy-MM-dd HH:mm:ss	2024-01-02 25:00:00	~2024-01-03T01:00
yyyy-MM-dd HH:mm:ss	2024-13-01 00:00:00	NULL
yyyy-MM-dd HH:mm:ss	2024-04-31 01:02:03	2024-04-30T01:02:03
yyyy-MM-dd HH:mm:ss	+2024-01-02 03:04:05	NULL
yyyy-MM-dd HH:mm:ss	+12024-01-02 03:04:05	+12024-01-02T03:04:05
yyyy-MM-dd HH:mm:ss	12024-01-02 03:04:05	NULL
yyyy-MM-dd HH:mm:ss	2024-01-32 00:00:00	NULL
yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:60	~2024-01-02T03:05
yyyy-MM-dd HH:mm:ss	 2024-01-02 03:04:05	~2024-01-02T03:04:05
yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05 	~2024-01-02T03:04:05
yyyy-MM-dd HH:mm:ss	2024-01-02 03:04:05.1	~2024-01-02T03:04:05.100
yyyy-MM-dd HH:mm:ss	2024-01-02 03:04	NULL
yyyy-MM-dd HH:mm:ss	2024-01-02	~2024-01-02T00:00
yyyy-MM-dd HH:mm:ss	2024-02-30	~2024-03-01T00:00
yyyy-MM-dd HH:mm:ss	24-01-02 00:00:00	NULL
yyyy-MM-dd	2024-02-30	2024-02-29T00:00
yyyy-MM-dd	2024-01-02	2024-01-02T00:00
yyyy-MM-dd	2024-1-2	~2024-01-02T00:00
yyyy-MM-dd	2024-01-02 10:00:00	~2024-01-02T10:00
yyyy-MM-dd	2024-01-02 1:2:3	~2024-01-02T01:02:03
yyyy-MM-dd	2024-01-02 25:61:61	~2024-01-03T02:02:01
yyyy-MM-dd	2024-13-02	NULL
yyyy-MM-dd	-2024-01-02	NULL
yyyyMMdd	20240102	2024-01-02T00:00
yyyyMMdd	202401023	NULL
yyyyMMdd	2024012	NULL
yyyyMMdd	2024-01-02	~2024-01-02T00:00
yyyyMMdd	20240230	2024-02-29T00:00
yyyyMMddHHmmssSSS	20240102030405678	2024-01-02T03:04:05.678
yyyyMMddHHmmssSSS	2024010203040567	NULL
yyyyMMddHHmmssSSS	202401020304056789	NULL
yyMMdd	240102	2024-01-02T00:00
yyMMdd	690102	2069-01-02T00:00
yyMMdd	991231	2099-12-31T00:00
dMyyyy	12024	NULL
dMyyyy	112024	NULL
dMyyyy	1122024	NULL
dMyyyy	01022024	NULL
yyyy-DDD	2024-060	2024-02-29T00:00
yyyy-DDD	2024-366	2024-12-31T00:00
yyyy-DDD	2023-366	NULL
yyyy-DDD	2024-000	NULL
yyyy-DDD	2023-060	2023-03-01T00:00
yyyy-D	2024-60	2024-02-29T00:00
uuuu-MM-dd	2024-01-02	2024-01-02T00:00
uuuu-MM-dd	-2024-01-02	-2024-01-02T00:00
uuuu-MM-dd	0000-01-02	0000-01-02T00:00
MMM d, yyyy	Jan 2, 2024	2024-01-02T00:00
MMM d, yyyy	jan 2, 2024	NULL
MMM d, yyyy	January 2, 2024	NULL
MMM d, yyyy	Feb 30, 2024	2024-02-29T00:00
MMMM d yyyy	January 2 2024	2024-01-02T00:00
MMMM d yyyy	May 3 2024	2024-05-03T00:00
EEE dd MMM yyyy	Tue 02 Jan 2024	2024-01-02T00:00
EEE dd MMM yyyy	Wed 02 Jan 2024	NULL
EEEE	Tuesday	1970-01-01T00:00
h:mm a	3:04 PM	1970-01-01T15:04
h:mm a	12:00 AM	1970-01-01T00:00
h:mm a	12:00 PM	1970-01-01T12:00
h:mm a	13:00 PM	NULL
h:mm a	0:30 AM	1970-01-01T00:30
h:mm a	3:04 pm	NULL
hh:mm	03:04	1970-01-01T00:04
hh:mm	12:30	1970-01-01T00:30
K:mm a	0:30 PM	1970-01-01T12:30
K:mm a	12:30 PM	NULL
k:mm	24:30	1970-01-01T00:30
k:mm	0:15	1970-01-01T00:15
k:mm	25:00	NULL
HH	24	1970-01-01T00:00
HH	05	1970-01-01T05:00
HH	25	NULL
mm	59	1970-01-01T00:59
mm	60	NULL
ss	61	NULL
ss	5	NULL
HH:ss	10:20	1970-01-01T10:00:20
mm:ss	10:20	1970-01-01T00:10:20
HH:mm[:ss]	10:20	1970-01-01T10:20
HH:mm[:ss]	10:20:30	1970-01-01T10:20:30
HH:mm[:ss]	10:20:	NULL
yyyy[-MM[-dd]]	2024	2024-01-01T00:00
yyyy[-MM[-dd]]	2024-03	2024-03-01T00:00
yyyy[-MM[-dd]]	2024-03-04	2024-03-04T00:00
yyyy[-MM[-dd]]	2024-03-	NULL
yyyy	2024	2024-01-01T00:00
yyyy	24	NULL
yyyy	02024	NULL
yyyy	-2024	NULL
y	2024	2024-01-01T00:00
y	24	0024-01-01T00:00
y	-5	NULL
yyyy-MM	2024-13	NULL
yyyy-MM	2024-02	2024-02-01T00:00
yyyy-MM	2024-00	NULL
dd	31	1970-01-31T00:00
dd	32	NULL
dd	00	NULL
MM-dd	02-30	NULL
MM-dd	02-29	NULL
yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05+01:00	2024-01-02T03:04:05
yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05Z	2024-01-02T03:04:05
yyyy-MM-dd'T'HH:mm:ssXXX	2024-01-02T03:04:05+0100	NULL
yyyy-MM-dd HH:mm VV	2024-01-02 03:04 Europe/Berlin	2024-01-02T03:04
yyyy-MM-dd HH:mm VV	2024-01-02 03:04 Nope	NULL
X	+01	1970-01-01T00:00
X	Z	1970-01-01T00:00
X	+0130	1970-01-01T00:00
XX	+0130	1970-01-01T00:00
XX	Z	1970-01-01T00:00
x	Z	NULL
x	+00	1970-01-01T00:00
x	+0130	1970-01-01T00:00
Z	+0100	1970-01-01T00:00
Z	Z	NULL
ZZZZZ	+01:00	1970-01-01T00:00
ZZZZZ	Z	1970-01-01T00:00
G yyyy	AD 2024	2024-01-01T00:00
G yyyy	BC 0044	-0043-01-01T00:00
yyyy QQQ	2024 Q2	2024-01-01T00:00
yyyy-MM-dd QQQ	2024-01-02 Q1	2024-01-02T00:00
yyyy-MM-dd QQQ	2024-01-02 Q2	NULL
S	5	1970-01-01T00:00:00.500
s.S	3.5	1970-01-01T00:00:03.500
ss.SSS	03.500	1970-01-01T00:00:03.500
ss.SSS	03.5	NULL
n	500	1970-01-01T00:00:00.000000500
A	1000	1970-01-01T00:00:01
HH:mm:ss.n	01:02:03.5	1970-01-01T01:02:03.000000005
YYYY-ww-e	2024-01-1	2023-12-31T00:00
YYYY-ww-e	2024-09-5	2024-02-29T00:00
YYYY-'W'ww-E	2024-W09-Thu	2024-02-29T00:00
w	5	1970-01-01T00:00
yyyy年MM月dd日	2024年02月03日	2024-02-03T00:00
'x'yyyy	x2024	2024-01-01T00:00
H:m:s	1:2:3	1970-01-01T01:02:03
H:m:s	01:02:03	1970-01-01T01:02:03
d/M/yy	2/1/24	2024-01-02T00:00
d/M/yy	02/01/2024	NULL
yyyy u	2024 2024	2024-01-01T00:00
yyyy u	2024 2023	NULL
	 	NULL
HH a	10 PM	NULL
HH a	14 PM	1970-01-01T14:00
a	PM	1970-01-01T18:00
a mm	PM 30	1970-01-01T00:30
MMMMM d	J 5	1970-07-05T00:00
MM[MM]hh[H	0303013	NULL
kkc	0742	NULL
ehmm.MM.	1602.05.	1970-05-01T00:02
uuuu MM[ dd	2024 03	2024-03-01T00:00
`
