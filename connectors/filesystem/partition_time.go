package filesystem

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

type extractorOptions struct {
	Kind      string  `opt:"kind" default:"default" enum:"default,custom" doc:"how the time of a partition is found"`
	Class     *string `opt:"class" doc:"not supported: a class of Java"`
	Pattern   *string `opt:"timestamp-pattern" doc:"the text of the time, with $key for the value of a key; the value of the first key if absent"`
	Formatter string  `opt:"timestamp-formatter" default:"yyyy-MM-dd HH:mm:ss" doc:"the form of that text, a pattern of java.time; with the default numbers may be short, and the time left out"`
}

// looseForm is the form of times that is read with short numbers, and without the time.
const looseForm = "yyyy-MM-dd HH:mm:ss"

// timeOf is the time that a partition stands for.
func (s *sink) timeOf(folder string) (int64, error) {
	values := map[string]string{}
	first := ""
	for i, part := range strings.Split(folder, "/") {
		k, v, _ := strings.Cut(part, "=")
		v = Unescape(v)
		if values[Unescape(k)] = v; i == 0 {
			first = v
		}
	}
	t := first
	if p := s.o.Extractor.Pattern; p != nil {
		t = substitute(*p, values)
	}
	at, ok := s.readTime(t)
	if !ok {
		return 0, fmt.Errorf("the partition %s has no time: %q is not of the form %s "+
			"(see 'partition.time-extractor.timestamp-pattern' and 'timestamp-formatter')", folder, t, s.o.Extractor.Formatter)
	}
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), s.zone).UnixMilli(), nil
}

// readTime reads a wall clock in the form that the table has for it.
func (s *sink) readTime(t string) (time.Time, bool) {
	if s.times == nil {
		return parseTime(t)
	}
	days, nanos, ok := s.times.Read(t)
	return time.Unix(days*86400, nanos).UTC(), ok
}

// substitute puts values in for $key. Of keys that begin alike the longest is meant; what values hold is no key.
func substitute(pattern string, values map[string]string) string {
	keys := keysOf(values)
	var out strings.Builder
	for len(pattern) > 0 {
		at := strings.IndexByte(pattern, '$')
		if at < 0 {
			break
		}
		out.WriteString(pattern[:at])
		pattern = pattern[at:]
		i := slices.IndexFunc(keys, func(k string) bool { return strings.HasPrefix(pattern[1:], k) })
		if i < 0 {
			out.WriteByte('$')
			pattern = pattern[1:]
			continue
		}
		out.WriteString(values[keys[i]])
		pattern = pattern[1+len(keys[i]):]
	}
	return out.String() + pattern
}

// keysOf lists keys, the longest first.
func keysOf(values map[string]string) []string {
	var keys []string
	for k := range values {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return len(b) - len(a) })
	return keys
}

// parseTime reads `y-M-d` and, behind a space or a T, `H:m:s` with a fraction; numbers may be short.
func parseTime(t string) (time.Time, bool) {
	date, clock, timed := strings.Cut(strings.Replace(t, "T", " ", 1), " ")
	d, ok := numbers(date, "-")
	if !ok {
		return time.Time{}, false
	}
	c, nanos := [3]int{}, 0
	if timed {
		var part string
		if clock, part, timed = strings.Cut(clock, "."); timed {
			digits := (part + "000000000")[:9]
			n, err := strconv.ParseUint(digits, 10, 32)
			if err != nil || part == "" || len(part) > 9 {
				return time.Time{}, false
			}
			nanos = int(n)
		}
		if c, ok = numbers(clock, ":"); !ok || c[0] > 23 || c[1] > 59 || c[2] > 59 {
			return time.Time{}, false
		}
	}
	at := time.Date(d[0], time.Month(d[1]), d[2], c[0], c[1], c[2], nanos, time.UTC)
	return at, at.Month() == time.Month(d[1]) && at.Day() == d[2]
}

// numbers reads three numbers of at most four digits.
func numbers(t, separator string) (out [3]int, ok bool) {
	parts := strings.Split(t, separator)
	if len(parts) != len(out) {
		return out, false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 32)
		if err != nil || len(p) > 4 {
			return out, false
		}
		out[i] = int(n)
	}
	return out, true
}

// isFileName tells that a name can be one in any directory, and that readers pass it over.
func isFileName(name string) bool { return hidden(name) && name == filepath.Base(name) }
