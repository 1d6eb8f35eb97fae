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
yyyy-MM W E	1936-09 4 Sat	1936-09-26T00:00
yyyy-MM W E	2068-06 4 Tue	2068-06-19T00:00
yyyy-MM W E	2008-08 3 Tue	2008-08-12T00:00
yyyy-MM W E	2407-04 3 Thu	2407-04-19T00:00
yyyy-MM W e	1939-05 1 2	1939-05-01T00:00
yyyy-MM W e	1979-04 3 2	1979-04-16T00:00
yyyy-MM W e	1946-03 5 3	1946-03-26T00:00
yyyy-MM W e	2533-08 4 5	2533-08-20T00:00
uuuu-MM-dd W	2094-03-17 3	2094-03-17T00:00
uuuu-MM-dd W	1926-10-27 5	1926-10-27T00:00
uuuu-MM-dd W	1972-10-17 3	1972-10-17T00:00
uuuu-MM-dd W	1954-01-26 5	1954-01-26T00:00
yyyy-MM-dd F	1931-03-09 2	1931-03-09T00:00
yyyy-MM-dd F	2097-09-17 3	2097-09-17T00:00
yyyy-MM-dd F	1906-11-08 1	1906-11-08T00:00
yyyy-MM-dd F	2042-04-26 5	2042-04-26T00:00
yyyy-MM F	2095-08 4	2095-08-01T00:00
yyyy-MM F	2092-06 7	2092-06-01T00:00
yyyy-MM F	1907-11 1	1907-11-01T00:00
yyyy-MM F	1657-08 2	1657-08-01T00:00
g	79594	2076-10-18T00:00
g	84558	2090-05-22T00:00
g	85253	2092-04-16T00:00
g	34254	1952-08-30T00:00
g HH	47035 09	1987-08-28T09:00
g HH	34794 03	1954-02-21T03:00
g HH	64714 13	2036-01-22T13:00
g HH	36798823	NULL
yyyy g	1995 50030	1995-11-09T00:00
yyyy g	1982 45019	1982-02-19T00:00
yyyy g	2011 55600	2011-02-08T00:00
yyyy g	2009 55846	NULL
ppppyyyy-ppMM-ppdd	2059-04-18	2059-04-18T00:00
ppppyyyy-ppMM-ppdd	2077-08-16	2077-08-16T00:00
ppppyyyy-ppMM-ppdd	2024-06-26	2024-06-26T00:00
ppppyyyy-ppMM-ppdd	1915-02-01	1915-02-01T00:00
yyyy-ppM-ppd	2079- 7-25	2079-07-25T00:00
yyyy-ppM-ppd	2079-11-25	2079-11-25T00:00
yyyy-ppM-ppd	2030- 1- 8	2030-01-08T00:00
yyyy-ppM-ppd	3990- 7- 6	3990-07-06T00:00
ppH:mm	13:36	1970-01-01T13:36
ppH:mm	16:20	1970-01-01T16:20
ppH:mm	 5:00	1970-01-01T05:00
ppH:mm	 7:66	NULL
yyyy-MM-dd g	1942-12-05 30698	1942-12-05T00:00
yyyy-MM-dd g	2046-05-03 68468	2046-05-03T00:00
yyyy-MM-dd g	1916-12-03 21200	1916-12-03T00:00
yyyy-MM-dd g	1925-07-08 24439	NULL
yyyy W EEE	1906 4 Sat	1906-01-01T00:00
yyyy W EEE	1987 1 Tue	1987-01-01T00:00
yyyy W EEE	1919 4 Sun	1919-01-01T00:00
yyyy W EEE	1669 2 Sun	1669-01-01T00:00
W	4	1970-01-01T00:00
W	5	1970-01-01T00:00
F	7	1970-01-01T00:00
F	3	1970-01-01T00:00
F	6	1970-01-01T00:00
F	2	1970-01-01T00:00
yyyy-MM-ddW	2033-06-072	2033-06-07T00:00
yyyy-MM-ddW	2083-04-163	2083-04-16T00:00
yyyy-MM-ddW	2031-10-183	2031-10-18T00:00
yyyy-MM-ddW	1928-77-061	NULL
gHH	3930911	1966-07-03T11:00
gHH	8576514	2093-09-10T14:00
gHH	3221710	1947-02-01T10:00
gHH	4961773	NULL
yyyyMM W EEEE d	200911 4 Thursday 26	2009-11-26T00:00
yyyyMM W EEEE d	202707 3 Sunday 11	2027-07-11T00:00
yyyyMM W EEEE d	190509 5 Thursday 28	1905-09-28T00:00
yyyyMM W EEEE d	200305 1 Sunday 11	NULL
YYYY-ww-e W	1921-34-2 3	1921-08-15T00:00
YYYY-ww-e W	1961-11-5 3	1961-03-16T00:00
YYYY-ww-e W	1975-41-5 2	1975-10-09T00:00
YYYY-ww-e W	1944-0726 2	NULL
yyyy-MM-dd HH:mm ppn	1965-09-13 18:51  0	1965-09-13T18:51
yyyy-MM-dd HH:mm ppn	1933-06-12 19:43  0	1933-06-12T19:43
yyyy-MM-dd HH:mm ppn	1971-09-23 21:24  0	1971-09-23T21:24
yyyy-MM-dd HH:mm ppn	1955-04-09 11:28  0	1955-04-09T11:28
ppSSS	2094	NULL
yyyy-MM-dd pppE	2057-01-14 Sun	2057-01-14T00:00
yyyy-MM-dd pppE	2018-09-23 Sun	2018-09-23T00:00
yyyy-MM-dd pppE	2014-03-20 Thu	2014-03-20T00:00
yyyy-MM-dd pppE	1917-07-07 Sun	NULL
HH O	05 GMT	1970-01-01T05:00
HH OOOO	05 GMT	1970-01-01T05:00
O'x'	GMTx	1970-01-01T00:00
HH O	05 GMT+8	1970-01-01T05:00
HH OOOO	05 GMT+8	NULL
O'x'	GMT+8x	1970-01-01T00:00
HH O	05 GMT+08	1970-01-01T05:00
HH OOOO	05 GMT+08	NULL
O'x'	GMT+08x	1970-01-01T00:00
HH O	05 GMT+8:30	1970-01-01T05:00
HH OOOO	05 GMT+8:30	NULL
O'x'	GMT+8:30x	1970-01-01T00:00
HH O	05 GMT+08:30	1970-01-01T05:00
HH OOOO	05 GMT+08:30	1970-01-01T05:00
O'x'	GMT+08:30x	1970-01-01T00:00
HH O	05 GMT-08:00	1970-01-01T05:00
HH OOOO	05 GMT-08:00	1970-01-01T05:00
O'x'	GMT-08:00x	1970-01-01T00:00
HH O	05 GMT+8:3	NULL
HH OOOO	05 GMT+8:3	NULL
O'x'	GMT+8:3x	NULL
HH O	05 GMT+	NULL
HH OOOO	05 GMT+	NULL
O'x'	GMT+x	NULL
HH O	05 GMTx	NULL
HH OOOO	05 GMTx	NULL
O'x'	GMTxx	NULL
HH O	05 gmt+8	NULL
HH OOOO	05 gmt+8	NULL
O'x'	gmt+8x	NULL
HH O	05 GMT+18:00	1970-01-01T05:00
HH OOOO	05 GMT+18:00	1970-01-01T05:00
O'x'	GMT+18:00x	1970-01-01T00:00
HH O	05 GMT+08:30:15	1970-01-01T05:00
HH OOOO	05 GMT+08:30:15	1970-01-01T05:00
O'x'	GMT+08:30:15x	1970-01-01T00:00
HH O	05 +8	NULL
HH OOOO	05 +8	NULL
O'x'	+8x	NULL
HH O	05 GMT+8:30:1	NULL
HH OOOO	05 GMT+8:30:1	NULL
O'x'	GMT+8:30:1x	NULL
HH O	05 GMT+123	NULL
HH OOOO	05 GMT+123	NULL
O'x'	GMT+123x	NULL
HH O	05 GMT 8	NULL
HH OOOO	05 GMT 8	NULL
O'x'	GMT 8x	NULL
yyyy-MM W E	2024-02 0 Thu	2024-01-25T00:00
yyyy-MM W E	2024-02 6 Fri	2024-03-08T00:00
yyyy-MM W E	2024-02 7 Fri	NULL
yyyy-MM W E	2024-13 1 Fri	NULL
yyyy-MM W E	2024-02 5 Thu	2024-02-29T00:00
yyyy-MM W E	2024-02 1 Mon	2024-01-29T00:00
g	60000	2023-02-25T00:00
gggggg	60000	NULL
g	-5	1858-11-12T00:00
gggggg	-5	NULL
g	+60000	NULL
gggggg	+60000	NULL
g	0	1858-11-17T00:00
gggggg	0	NULL
g	99999999	+275649-07-29T00:00
gggggg	99999999	+275649-07-29T00:00
yyyy-ppM	  24-1	NULL
ppppyyyy[-]ppM	  24-1	NULL
yyyy-ppM	2024- 1	2024-01-01T00:00
ppppyyyy[-]ppM	2024- 1	2024-01-01T00:00
yyyy-ppM	2024-01	2024-01-01T00:00
ppppyyyy[-]ppM	2024-01	2024-01-01T00:00
yyyy-ppM	20240 1	NULL
ppppyyyy[-]ppM	20240 1	NULL
yyyy-ppM	2024 1	NULL
ppppyyyy[-]ppM	2024 1	2024-01-01T00:00
yyyy-ppM	 2024- 1	NULL
ppppyyyy[-]ppM	 2024- 1	NULL
B	at night	1970-01-01T01:30
B	in the afternoon	1970-01-01T15:00
B	in the evening	1970-01-01T19:30
B	in the morning	1970-01-01T09:00
B	midnight	1970-01-01T00:00
B	noon	1970-01-01T12:00
B mm	at night 00	1970-01-01T00:00
B mm	at night 01	1970-01-01T00:01
B mm	in the afternoon 00	1970-01-01T00:00
B mm	in the evening 30	1970-01-01T00:30
B mm	in the evening 59	1970-01-01T00:59
B mm	in the morning 00	1970-01-01T00:00
B mm	in the morning 59	1970-01-01T00:59
B mm	midnight 00	1970-01-01T00:00
B mm	midnight 30	1970-01-01T00:30
B mm	midnight 59	1970-01-01T00:59
BBBB	at night	1970-01-01T01:30
BBBB	in the afternoon	1970-01-01T15:00
BBBB	in the evening	1970-01-01T19:30
BBBB	in the morning	1970-01-01T09:00
BBBB	midnight	1970-01-01T00:00
BBBB h	at night 24	NULL
BBBB h	at night 8	1970-01-01T08:00
BBBB h	in the afternoon 0	1970-01-01T12:00
BBBB h	in the afternoon 24	NULL
BBBB h	in the afternoon 9	1970-01-01T09:00
BBBB h	in the evening 9	1970-01-01T09:00
BBBB h	in the morning 12	1970-01-01T00:00
BBBB h	in the morning 23	NULL
BBBB h	in the morning 5	1970-01-01T05:00
BBBB h	in the morning 6	1970-01-01T06:00
BBBB h	midnight 9	1970-01-01T09:00
BBBB h	noon 0	1970-01-01T12:00
BBBB h	noon 1	1970-01-01T01:00
BBBBB h:mm	in the afternoon 0:30	1970-01-01T12:30
BBBBB h:mm	in the afternoon 11:00	1970-01-01T11:00
BBBBB h:mm	in the afternoon 13:30	NULL
BBBBB h:mm	in the evening 0:59	1970-01-01T00:59
BBBBB h:mm	in the evening 11:30	1970-01-01T11:30
BBBBB h:mm	in the evening 17:00	NULL
BBBBB h:mm	in the evening 18:30	NULL
BBBBB h:mm	midnight 11:00	NULL
BBBBB h:mm	midnight 11:01	NULL
BBBBB h:mm	midnight 1:00	NULL
BBBBB h:mm	midnight 1:59	NULL
BBBBB h:mm	midnight 9:01	NULL
BBBBB h:mm	n 0:01	1970-01-01T00:01
BBBBB h:mm	noon 13:01	NULL
H B	0 in the evening	NULL
H B	1 in the morning	NULL
H B	11 noon	NULL
H B	13 at night	NULL
H B	13 in the morning	NULL
H B	18 at night	NULL
H B	18 noon	NULL
H B	20 at night	NULL
H B	21 in the afternoon	NULL
H B	21 in the morning	NULL
H B	23 in the afternoon	NULL
H B	5 in the morning	NULL
H B	9 midnight	NULL
H B	9 noon	NULL
H:mm B	0:01 midnight	NULL
H:mm B	12:00 midnight	NULL
H:mm B	12:01 midnight	NULL
H:mm B	12:59 midnight	NULL
H:mm B	12:59 noon	NULL
H:mm B	13:00 in the morning	NULL
H:mm B	13:59 in the evening	NULL
H:mm B	18:00 midnight	NULL
H:mm B	23:59 at night	1970-01-01T23:59
H:mm B	23:59 in the afternoon	NULL
H:mm B	24:30 in the evening	NULL
H:mm B	5:30 at night	1970-01-01T05:30
H:mm B	5:59 at night	1970-01-01T05:59
H:mm B	6:00 in the evening	NULL
K:mm B	0:00 at night	1970-01-01T00:00
K:mm B	11:59 in the evening	1970-01-01T11:59
K:mm B	11:59 midnight	1970-01-01T11:59
K:mm B	13:30 noon	NULL
K:mm B	18:30 midnight	NULL
K:mm B	20:59 in the evening	NULL
K:mm B	23:00 at night	NULL
K:mm B	5:01 at night	1970-01-01T05:01
K:mm B	6:00 in the evening	1970-01-01T18:00
K:mm B	6:30 noon	1970-01-01T06:30
K:mm B	9:00 in the evening	1970-01-01T09:00
K:mm B	9:00 in the morning	1970-01-01T09:00
K:mm B	9:00 midnight	1970-01-01T09:00
K:mm B	9:01 at night	1970-01-01T21:01
h B	0 in the afternoon	1970-01-01T12:00
h B	0 in the morning	1970-01-01T00:00
h B	1 noon	1970-01-01T01:00
h B	11 in the evening	1970-01-01T11:00
h B	11 midnight	1970-01-01T11:00
h B	11 noon	1970-01-01T11:00
h B	13 in the evening	NULL
h B	17 in the morning	NULL
h B	20 at night	NULL
h B	23 in the evening	NULL
h B	23 noon	NULL
h B	5 in the afternoon	1970-01-01T17:00
h B	6 at night	1970-01-01T06:00
h B	8 in the morning	1970-01-01T08:00
h:mm B	0:00 midnight	1970-01-01T00:00
h:mm B	0:01 in the afternoon	1970-01-01T12:01
h:mm B	0:01 in the morning	1970-01-01T00:01
h:mm B	0:30 in the evening	1970-01-01T00:30
h:mm B	0:30 noon	1970-01-01T00:30
h:mm B	12:30 noon	1970-01-01T00:30
h:mm B	1:00 in the afternoon	1970-01-01T13:00
h:mm B	1:30 in the evening	1970-01-01T01:30
h:mm B	1:59 in the morning	1970-01-01T01:59
h:mm B	21:30 in the evening	NULL
h:mm B	24:00 noon	NULL
h:mm B	5:00 at night	1970-01-01T05:00
h:mm B	5:30 in the morning	1970-01-01T05:30
h:mm a B	0:00 PM in the afternoon	1970-01-01T12:00
h:mm a B	0:01 AM in the evening	NULL
h:mm a B	0:30 PM in the morning	NULL
h:mm a B	11:59 AM midnight	NULL
h:mm a B	1:30 PM in the afternoon	1970-01-01T13:30
h:mm a B	23:01 AM in the morning	NULL
h:mm a B	5:30 AM in the morning	NULL
h:mm a B	5:30 AM midnight	NULL
h:mm a B	5:30 PM at night	NULL
h:mm a B	5:30 PM in the morning	NULL
h:mm a B	8:30 PM at night	NULL
h:mm a B	9:00 AM at night	NULL
h:mm a B	9:00 PM midnight	NULL
k B	1 noon	NULL
k B	11 at night	NULL
k B	13 at night	NULL
k B	17 in the evening	NULL
k B	17 noon	NULL
k B	18 midnight	NULL
k B	20 in the morning	NULL
k B	21 noon	NULL
k B	24 in the afternoon	NULL
k B	24 noon	NULL
k B	6 in the afternoon	NULL
k B	9 at night	NULL
k B	9 in the afternoon	NULL
k B	9 noon	NULL
`
