package function

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // the binary needs no zone files of the system

	"streamsql/exec/kernel"
)

// shortZones are the zone names of three letters that Java knows beyond the tz database.
var shortZones = map[string]string{
	"ACT": "Australia/Darwin", "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires", "ART": "Africa/Cairo",
	"AST": "America/Anchorage", "BET": "America/Sao_Paulo", "BST": "Asia/Dhaka", "CAT": "Africa/Harare",
	"CNT": "America/St_Johns", "CST": "America/Chicago", "CTT": "Asia/Shanghai", "EAT": "Africa/Addis_Ababa",
	"ECT": "Europe/Paris", "IET": "America/Indiana/Indianapolis", "IST": "Asia/Kolkata", "JST": "Asia/Tokyo",
	"MIT": "Pacific/Apia", "NET": "Asia/Yerevan", "NST": "Pacific/Auckland", "PLT": "Asia/Karachi",
	"PNT": "America/Phoenix", "PRT": "America/Puerto_Rico", "PST": "America/Los_Angeles", "SST": "Pacific/Guadalcanal",
	"VST": "Asia/Ho_Chi_Minh",
}

// ZoneOf finds a time zone by its name: one of Java's short names such as PST, or what ZoneByID finds.
func ZoneOf(name string) (*time.Location, error) {
	if full := shortZones[name]; full != "" {
		name = full
	}
	return ZoneByID(name)
}

// ZoneByID finds a time zone by a name of the tz database, or an offset such as GMT+08:00, UTC-3 or +05:30.
func ZoneByID(name string) (*time.Location, error) {
	switch name {
	case "UTC", "GMT", "Z", "UT":
		return time.UTC, nil
	case "", "Local":
		return nil, fmt.Errorf("unknown time zone: '%s'", name)
	}
	rest := name
	for _, p := range []string{"GMT", "UTC", "UT"} {
		if strings.HasPrefix(name, p) {
			rest = name[len(p):]
			break
		}
	}
	if sec, ok := offsetOf(rest); ok {
		if sec == 0 {
			return time.UTC, nil
		}
		return time.FixedZone(name, sec), nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("unknown time zone: '%s'", name)
	}
	return loc, nil
}

// offsetOf reads +8, +08, +0800, +08:00 or +8:00.
func offsetOf(s string) (seconds int, ok bool) {
	if len(s) < 2 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hour, minute, colon := strings.Cut(s[1:], ":")
	if !colon && len(hour) > 2 {
		if len(hour) != 4 {
			return 0, false
		}
		hour, minute, colon = hour[:2], hour[2:], true
	}
	h, okHour := smallNumber(hour)
	m, okMinute := smallNumber(minute)
	if !okHour || colon != okMinute || colon && len(minute) != 2 || h > 23 || m > 59 {
		return 0, false
	}
	seconds = h*3600 + m*60
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// smallNumber reads one or two digits.
func smallNumber(s string) (n int, ok bool) {
	if len(s) < 1 || len(s) > 2 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// zoneClock converts instants of one zone to the wall clock, and knows the abbreviation in use.
type zoneClock struct {
	loc  *time.Location
	zone *kernel.Zone
}

func newZoneClock(loc *time.Location) *zoneClock {
	if loc == nil {
		loc = time.UTC
	}
	return &zoneClock{loc, kernel.NewZone(loc)}
}

// setInstant makes c the wall clock at an instant in milliseconds.
func (c *wallClock) setInstant(z *zoneClock, ms int64) {
	sec := kernel.FloorDiv(ms, 1000)
	c.offset = z.zone.Offset(sec)
	day, rest := kernel.SplitDay(ms+c.offset*1000, kernel.MilliDay)
	c.set(day, rest*1e6)
	c.instant, c.loc = sec, z.loc
}
