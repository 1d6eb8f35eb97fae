package option

import (
	"strings"
	"testing"
	"time"
)

type nested struct {
	Delimiter string  `opt:"field-delimiter" default:"," doc:"between fields"`
	Null      *string `opt:"null-literal" doc:"the text of NULL"`
}

type shared struct {
	Verbose bool `opt:"verbose" default:"false"`
}

type sample struct {
	shared
	Path  string            `opt:"path" required:"true" doc:"a file or directory"`
	Num   int64             `opt:"events.num" default:"0" min:"0" alias:"num"`
	Level int               `opt:"level" default:"3" min:"1" max:"9"`
	Ratio float64           `opt:"ratio" default:"0.5" min:"0" max:"1"`
	Mode  string            `opt:"rng" default:"stream" enum:"stream,event"`
	Wait  time.Duration     `opt:"delay" default:"4 s" min:"1 s"`
	Pause time.Duration     `opt:"pause" default:"1 s" min:"-1 ms"`
	Roll  Size              `opt:"roll" default:"128 mb"`
	Token string            `opt:"token" secret:"true"`
	Port  *int              `opt:"port" min:"1"`
	CSV   nested            `opt:"csv." with:"rng=event"`
	Open  map[string]string `opt:"fields."`
	calls int
}

func TestDecode(t *testing.T) {
	var s sample
	s.Num, s.calls = 99, 7
	err := Decode(&s, map[string]string{"path": "/x", "delay": "2 min", "roll": "32kb", "verbose": "TRUE",
		"csv.null-literal": "", "rng": "Event", "level": " 9 ", "port": "80",
		"fields.a.kind": "x", "fields.b": ""})
	if err != nil {
		t.Fatal(err)
	}
	if s.Path != "/x" || s.Num != 0 || s.Level != 9 || s.Ratio != 0.5 || s.Mode != "event" || !s.Verbose ||
		s.Wait != 2*time.Minute || s.Roll != 32<<10 || s.CSV.Delimiter != "," || s.CSV.Null == nil ||
		*s.CSV.Null != "" || *s.Port != 80 || s.calls != 7 ||
		len(s.Open) != 2 || s.Open["a.kind"] != "x" {
		t.Errorf("decoded %+v", s)
	}
	if err := Set(&s, "pause", "-1"); err != nil || s.Pause != -time.Millisecond {
		t.Errorf("Set: %v, %v", err, s.Pause)
	}
	if err := Set(&s, "num", "12"); err != nil || s.Num != 12 {
		t.Errorf("Set: %v, %d", err, s.Num)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"events.nun", "1", "unknown option 'events.nun'; the nearest of 14 options: events.num, "},
		{"null.literal", "1", "of 14 options: csv.null-literal, "},
		{"csv.null-literal", "x", "the option 'csv.null-literal' is for 'rng' = 'event', and that is 'stream'; no option is for 'rng' = 'stream'"},
		{"zzzzzz", "1", "unknown option 'zzzzzz'; the nearest of 14 options: "},
		{"events.num", "-1", "invalid value '-1' for option 'events.num'; expected an integer of at least 0"},
		{"num", "1K", "invalid value '1K' for option 'num'; expected an integer of at least 0"},
		{"level", "10", "invalid value '10' for option 'level'; expected an integer from 1 to 9"},
		{"ratio", "NaN", "invalid value 'NaN' for option 'ratio'; expected a number from 0 to 1"},
		{"rng", "x", "invalid value 'x' for option 'rng'; expected one of stream, event"},
		{"delay", "1 parsec", "invalid value '1 parsec' for option 'delay'; expected a duration such as " +
			"'4 s', '200 ms' or '1 min' of at least 1 s"},
		{"delay", "999 ms", "of at least 1 s"},
		{"delay", "-1", "of at least 1 s"},
		{"pause", "-2", "of at least -1 ms"},
		{"roll", "99999999999 tb", "expected a size such as '200 b', '32 kb' or '1 mb'"},
		{"verbose", "maybe", "expected true or false"},
		{"port", "0", "expected an integer of at least 1"},
	} {
		err := Decode(&sample{}, map[string]string{"path": "/x", c.key: c.value})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s: %v; want %q", c.key, c.value, err, c.want)
		} else if e := err.(*Error); e.Key != c.key {
			t.Errorf("%s: the error's key is %q", c.key, e.Key)
		}
	}
	if err := Decode(&sample{}, nil); err == nil || err.Error() != "missing option 'path'; a file or directory" {
		t.Errorf("without path: %v", err)
	}
	err := Decode(&sample{}, map[string]string{"path": "/x", "num": "1", "events.num": "1"})
	if err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("twice: %v", err)
	}
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"4 s": 4 * time.Second, "200ms": 200 * time.Millisecond, "5": 5 * time.Millisecond, "1 MIN": time.Minute,
		"2 days": 48 * time.Hour, "PT1H30M": 90 * time.Minute, "3 ns": 3,
	} {
		if d, err := ParseDuration(text); err != nil || d != want {
			t.Errorf("ParseDuration(%q) = %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "s", "-1 s", "1.5 s", "106752 days"} {
		if d, err := ParseDuration(text); err == nil {
			t.Errorf("ParseDuration(%q) = %v", text, d)
		}
	}
	for text, want := range map[string]Size{"200b": 200, "32 kb": 32 << 10, "1mb": 1 << 20, "7": 7, "2 G": 2 << 30} {
		if s, err := ParseSize(text); err != nil || s != want {
			t.Errorf("ParseSize(%q) = %v, %v", text, s, err)
		} else if back, err := ParseSize(s.String()); err != nil || back != s {
			t.Errorf("%q prints %q", text, s)
		}
	}
}

func TestNearest(t *testing.T) {
	list := []string{"auction", "bidder", "price", "channel", "url", "dateTime"}
	for word, want := range map[string]string{
		"acution": "auction", "DATETIME": "dateTime", "prise": "price", "xyz": "", "ulr": "url", "bid": "",
	} {
		if got := Nearest(word, list); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestText(t *testing.T) {
	type inner struct {
		Mode string `opt:"mode" default:"a" enum:"a,b"`
	}
	var o struct {
		Num    int64             `opt:"num" default:"5"`
		Pace   int64             `opt:"pace" default:"1" free:"true"`
		Word   string            `opt:"word" secret:"true"`
		Limit  *int64            `opt:"limit"`
		Size   Size              `opt:"size" default:"1 kb"`
		In     inner             `opt:"in."`
		Fields map[string]string `opt:"fields."`
	}
	for given, want := range map[string]string{
		"":                             "",
		"num=5;pace=9;word=x;size=1kb": "",
		"num=6;limit=5;size=2 kb;in.mode=B;fields.b=1;fields.a=2": "fields.a=2, fields.b=1, in.mode=b, limit=5, num=6, size=2kb",
	} {
		values := map[string]string{}
		for _, kv := range strings.Split(given, ";") {
			if k, v, ok := strings.Cut(kv, "="); ok {
				values[k] = v
			}
		}
		if err := Decode(&o, values); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(Text(&o), "2 kb", "2kb"); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}
