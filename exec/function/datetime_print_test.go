package function

import (
	"strings"
	"testing"
	"time"
)

// printTimes are the times of the columns of printed.
var printTimes = []time.Time{
	time.Date(2024, 2, 29, 12, 34, 56, 789e6, time.UTC), time.Date(1969, 12, 31, 23, 59, 59, 999e6, time.UTC),
	time.Date(2024, 1, 1, 0, 0, 0, 5e8, time.UTC), time.Date(1, 1, 3, 12, 0, 0, 0, time.UTC),
	time.Date(-43, 3, 15, 6, 0, 0, 0, time.UTC), time.Date(12345, 7, 8, 18, 30, 1, 123456789, time.UTC),
	time.Date(2023, 1, 1, 21, 0, 0, 0, time.UTC), time.Date(2021, 1, 3, 0, 0, 1, 0, time.UTC),
}

func TestPatternPrints(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(printed), "\n") {
		pattern, want, _ := strings.Cut(line, "\t")
		p, err := compilePattern(pattern)
		if err != nil {
			if want != "!" {
				t.Errorf("%s: %v", pattern, err)
			}
			continue
		}
		var got strings.Builder
		for _, g := range printTimes {
			var c wallClock
			day := g.Unix() / 86400
			if g.Unix() < day*86400 {
				day--
			}
			c.set(day, (g.Unix()-day*86400)*1e9+int64(g.Nanosecond()))
			b, err := p.append([]byte("x"), &c)
			if err != nil {
				got.Reset()
				got.WriteByte('!')
				break
			}
			got.WriteString(string(b[1:]) + "|")
		}
		if got.String() != want {
			t.Errorf("%s prints %s\n want %s", pattern, got.String(), want)
		}
	}
}

// printed is what Java 17's DateTimeFormatter of en_US prints for printTimes; ! stands for an error.
const printed = `
G	AD|AD|AD|AD|BC|AD|AD|AD|
GGGG	Anno Domini|Anno Domini|Anno Domini|Anno Domini|Before Christ|Anno Domini|Anno Domini|Anno Domini|
GGGGG	A|A|A|A|B|A|A|A|
u	2024|1969|2024|1|-43|12345|2023|2021|
uu	24|69|24|01|43|45|23|21|
uuu	2024|1969|2024|001|-043|12345|2023|2021|
uuuu	2024|1969|2024|0001|-0043|+12345|2023|2021|
uuuuu	02024|01969|02024|00001|-00043|12345|02023|02021|
y	2024|1969|2024|1|44|12345|2023|2021|
yy	24|69|24|01|44|45|23|21|
yyy	2024|1969|2024|001|044|12345|2023|2021|
yyyy	2024|1969|2024|0001|0044|+12345|2023|2021|
yyyyy	02024|01969|02024|00001|00044|12345|02023|02021|
D	60|365|1|3|74|189|1|3|
DD	60|365|01|03|74|189|01|03|
DDD	060|365|001|003|074|189|001|003|
M	2|12|1|1|3|7|1|1|
MM	02|12|01|01|03|07|01|01|
MMM	Feb|Dec|Jan|Jan|Mar|Jul|Jan|Jan|
MMMM	February|December|January|January|March|July|January|January|
MMMMM	F|D|J|J|M|J|J|J|
L	2|12|1|1|3|7|1|1|
LL	02|12|01|01|03|07|01|01|
LLL	Feb|Dec|Jan|Jan|Mar|Jul|Jan|Jan|
LLLL	February|December|January|January|March|July|January|January|
LLLLL	F|D|J|J|M|J|J|J|
d	29|31|1|3|15|8|1|3|
dd	29|31|01|03|15|08|01|03|
g	60369|40586|60310|-678573|-694573|3830166|59945|59217|
ggg	60369|40586|60310|-678573|-694573|3830166|59945|59217|
Q	1|4|1|1|1|3|1|1|
QQ	01|04|01|01|01|03|01|01|
QQQ	Q1|Q4|Q1|Q1|Q1|Q3|Q1|Q1|
QQQQ	1st quarter|4th quarter|1st quarter|1st quarter|1st quarter|3rd quarter|1st quarter|1st quarter|
QQQQQ	1|4|1|1|1|3|1|1|
q	1|4|1|1|1|3|1|1|
qq	01|04|01|01|01|03|01|01|
qqq	Q1|Q4|Q1|Q1|Q1|Q3|Q1|Q1|
qqqq	1st quarter|4th quarter|1st quarter|1st quarter|1st quarter|3rd quarter|1st quarter|1st quarter|
Y	2024|1970|2024|1|-43|12345|2023|2021|
YY	24|70|24|01|43|45|23|21|
YYY	2024|1970|2024|001|-043|12345|2023|2021|
YYYY	2024|1970|2024|0001|-0043|+12345|2023|2021|
w	9|1|1|1|11|28|1|2|
ww	09|01|01|01|11|28|01|02|
W	5|5|1|1|3|2|1|2|
E	Thu|Wed|Mon|Wed|Fri|Sun|Sun|Sun|
EE	Thu|Wed|Mon|Wed|Fri|Sun|Sun|Sun|
EEE	Thu|Wed|Mon|Wed|Fri|Sun|Sun|Sun|
EEEE	Thursday|Wednesday|Monday|Wednesday|Friday|Sunday|Sunday|Sunday|
EEEEE	T|W|M|W|F|S|S|S|
e	5|4|2|4|6|1|1|1|
ee	05|04|02|04|06|01|01|01|
eee	Thu|Wed|Mon|Wed|Fri|Sun|Sun|Sun|
eeee	Thursday|Wednesday|Monday|Wednesday|Friday|Sunday|Sunday|Sunday|
eeeee	T|W|M|W|F|S|S|S|
c	5|4|2|4|6|1|1|1|
cc	!
ccc	Thu|Wed|Mon|Wed|Fri|Sun|Sun|Sun|
cccc	Thursday|Wednesday|Monday|Wednesday|Friday|Sunday|Sunday|Sunday|
ccccc	T|W|M|W|F|S|S|S|
F	1|3|1|3|1|1|1|3|
FF	!
a	PM|PM|AM|PM|AM|PM|PM|AM|
aa	!
aaa	!
B	in the afternoon|at night|midnight|noon|in the morning|in the evening|at night|midnight|
BBBB	in the afternoon|at night|midnight|noon|in the morning|in the evening|at night|midnight|
BBBBB	in the afternoon|at night|mi|n|in the morning|in the evening|at night|mi|
BB	!
h	12|11|12|12|6|6|9|12|
hh	12|11|12|12|06|06|09|12|
hhh	!
K	0|11|0|0|6|6|9|0|
KK	00|11|00|00|06|06|09|00|
k	12|23|24|12|6|18|21|24|
kk	12|23|24|12|06|18|21|24|
H	12|23|0|12|6|18|21|0|
HH	12|23|00|12|06|18|21|00|
HHH	!
m	34|59|0|0|0|30|0|0|
mm	34|59|00|00|00|30|00|00|
s	56|59|0|0|0|1|0|1|
ss	56|59|00|00|00|01|00|01|
S	7|9|5|0|0|1|0|0|
SSS	789|999|500|000|000|123|000|000|
SSSSSSSSS	789000000|999000000|500000000|000000000|000000000|123456789|000000000|000000000|
SSSSSSSSSS	!
A	45296789|86399999|500|43200000|21600000|66601123|75600000|1000|
AAAAAAAAAA	0045296789|0086399999|0000000500|0043200000|0021600000|0066601123|0075600000|0000001000|
n	789000000|999000000|500000000|0|0|123456789|0|0|
nnn	789000000|999000000|500000000|000|000|123456789|000|000|
N	45296789000000|86399999000000|500000000|43200000000000|21600000000000|66601123456789|75600000000000|1000000000|
V	!
VV	!
z	!
X	!
x	!
Z	!
O	!
v	!
pp	!
ppH	12|23| 0|12| 6|18|21| 0|
ppppd	  29|  31|   1|   3|  15|   8|   1|   3|
pp'x'	!
p	!
'abc	!
''	'|'|'|'|'|'|'|'|
'o''clock'	o'clock|o'clock|o'clock|o'clock|o'clock|o'clock|o'clock|o'clock|
[HH]	12|23|00|12|06|18|21|00|
[HH[mm]	1234|2359|0000|1200|0600|1830|2100|0000|
HH]	!
[z]HH	12|23|00|12|06|18|21|00|
[HH z]mm	34|59|00|00|00|30|00|00|
{	!
#	!
b	!
ppMMM	!
[yyyy]	2024|1969|2024|0001|0044|+12345|2023|2021|
I	!
J	!
P	!
R	!
C	!
f	!
i	!
j	!
l	!
o	!
r	!
t	!
T	!
U	!
MMMMMM	!
GGGGGG	!
QQQQQQ	!
DDDD	!
dd 'of' MMMM	29 of February|31 of December|01 of January|03 of January|15 of March|08 of July|01 of January|03 of January|
www	!
WW	!
YYYYY	02024|01970|02024|00001|-00043|12345|02023|02021|
uuuuuuuuuuuuuuuuuuuu	!
nnnnnnnnnnnnnnnnnnnn	!
`
